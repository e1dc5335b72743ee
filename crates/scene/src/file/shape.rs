//! Whether lists have as many values as they should, and tables are tables: serde reads the first three of four
//! numbers without a word, and a list as the fields of a table in turn.
//!
//! The text is held against the JSON Schema of the types, so that no type needs code of its own. Everything else
//! that may be wrong is left to the types.

use crate::schema::json_schema;
use serde_json::Value;
use std::ops::Range;
use std::sync::OnceLock;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// A list or table that does not fit.
pub(crate) struct Misfit {
    /// Its bytes in the text.
    pub span: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}

/// The first list or table that does not fit, if the text is TOML at all.
pub(crate) fn misfit(text: &str) -> Option<Misfit> {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    let schema = SCHEMA.get_or_init(json_schema);
    let root = DeTable::parse(text).ok()?;
    Checker { schema }.fields(root.get_ref(), "", &schema["properties"])
}

struct Checker<'s> {
    schema: &'s Value,
}

impl<'s> Checker<'s> {
    /// `path` is how a header would name the value; the entries of a list have none.
    fn value(
        &self,
        found: &Spanned<DeValue>,
        path: Option<&str>,
        node: &'s Value,
    ) -> Option<Misfit> {
        match found.get_ref() {
            DeValue::Array(list) => self.list(list, found.span(), path, node),
            DeValue::Table(table) => self.table(table, found.span(), path, node),
            _ => None,
        }
    }

    fn list(
        &self,
        list: &DeArray,
        span: Range<usize>,
        path: Option<&str>,
        node: &'s Value,
    ) -> Option<Misfit> {
        let Some(wanted) = self.of_type(node, "array").first().copied() else {
            // a number or name is wanted: the types say which
            if self.of_type(node, "object").is_empty() {
                return None;
            }
            let (message, help) = match path {
                None => ("a table is expected here, not a list".to_string(), None),
                Some(path) => {
                    let key = path.rsplit('.').next().unwrap_or(path);
                    (
                        format!("`{path}` is one table, not a list"),
                        Some(format!("write [{path}] or {key} = {{ … }}")),
                    )
                }
            };
            return Some(Misfit {
                span,
                message,
                help,
            });
        };
        let count = list.len() as u64;
        let least = wanted["minItems"].as_u64().filter(|&least| count < least);
        let most = wanted["maxItems"].as_u64().filter(|&most| count > most);
        if let Some(expected) = least.or(most) {
            return Some(Misfit {
                span,
                message: format!("{expected} values are expected here, not {count}"),
                help: None,
            });
        }
        list.iter().enumerate().find_map(|(index, entry)| {
            let own = wanted["prefixItems"].get(index);
            self.value(entry, None, own.unwrap_or(&wanted["items"]))
        })
    }

    fn table(
        &self,
        table: &DeTable,
        span: Range<usize>,
        path: Option<&str>,
        node: &'s Value,
    ) -> Option<Misfit> {
        let choices = self.of_type(node, "object");
        // several kinds of table are told apart by their only key
        if choices.len() > 1 && table.len() != 1 {
            let given: Vec<String> = table.keys().map(|k| format!("`{}`", k.get_ref())).collect();
            let keys = choices.iter().filter_map(|c| c["properties"].as_object());
            let known: Vec<String> = keys
                .flat_map(|k| k.keys())
                .map(|k| format!("`{k}`"))
                .collect();
            let (found, help) = if given.is_empty() {
                (
                    "but has none".to_string(),
                    format!("known are {}", known.join(", ")),
                )
            } else {
                (
                    format!("not {}", given.join(" and ")),
                    "keep one of them".to_string(),
                )
            };
            return Some(Misfit {
                span,
                message: format!("this table must have exactly one key, {found}"),
                help: Some(help),
            });
        }
        if choices.is_empty() {
            let lists = self.of_type(node, "array");
            let of_tables = |list: &&Value| !self.of_type(&list["items"], "object").is_empty();
            let path = path.filter(|_| lists.iter().any(of_tables))?;
            return Some(Misfit {
                span,
                message: format!("`{path}` is a list of tables"),
                help: Some(format!("write [[{path}]]")),
            });
        }
        let path = path.unwrap_or_default();
        let mut each = choices.iter();
        each.find_map(|choice| self.fields(table, path, &choice["properties"]))
    }

    fn fields(&self, table: &DeTable, path: &str, properties: &'s Value) -> Option<Misfit> {
        table.iter().find_map(|(key, value)| {
            let key = key.get_ref();
            let node = properties.get(key.as_ref())?;
            let separator = if path.is_empty() { "" } else { "." };
            self.value(value, Some(&format!("{path}{separator}{key}")), node)
        })
    }

    /// The alternatives of a node that are of a type.
    fn of_type(&self, node: &'s Value, wanted: &str) -> Vec<&'s Value> {
        if let Some(reference) = node["$ref"].as_str() {
            let target = self.schema.pointer(reference.trim_start_matches('#'));
            return target.map_or(Vec::new(), |t| self.of_type(t, wanted));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(choices) = node[key].as_array() {
                return choices
                    .iter()
                    .flat_map(|c| self.of_type(c, wanted))
                    .collect();
            }
        }
        if node["type"] == wanted {
            vec![node]
        } else {
            Vec::new()
        }
    }
}
