//! Rows as an aligned table on standard error; standard output belongs to the JSON.

use serde_json::{Map, Value};

/// A column of a table.
pub struct Column {
    /// Its heading, with the unit.
    pub title: &'static str,
    /// Key of the rows; a row without it leaves the cell empty.
    pub key: &'static str,
    /// Numbers are multiplied by this, for units other than those of the rows.
    pub scale: f64,
}

/// A column of words or numbers as they are.
pub const fn plain(title: &'static str, key: &'static str) -> Column {
    scaled(title, key, 1.0)
}

/// A column of numbers in another unit.
pub const fn scaled(title: &'static str, key: &'static str, scale: f64) -> Column {
    Column { title, key, scale }
}

/// Prints a table.
pub fn print(title: &str, columns: &[Column], rows: &[Map<String, Value>]) {
    eprintln!("{}", format_table(title, columns, rows));
}

/// Numbers on the right, words on the left.
fn format_table(title: &str, columns: &[Column], rows: &[Map<String, Value>]) -> String {
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| columns.iter().map(|c| cell(row, c)).collect())
        .collect();
    let mut text = format!("\n{title}\n");
    let mut lines = vec![String::new(); rows.len() + 1];
    for (k, column) in columns.iter().enumerate() {
        let width = cells.iter().map(|line| line[k].chars().count()).max();
        let width = width.unwrap_or(0).max(column.title.chars().count());
        let is_word = |row: &Map<String, Value>| row.get(column.key).is_some_and(Value::is_string);
        let words = rows.iter().any(is_word);
        let column_cells = std::iter::once(column.title).chain(cells.iter().map(|l| l[k].as_str()));
        for (line, cell) in lines.iter_mut().zip(column_cells) {
            match words {
                true => line.push_str(&format!("  {cell:<width$}")),
                false => line.push_str(&format!("  {cell:>width$}")),
            }
        }
    }
    for line in lines {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn cell(row: &Map<String, Value>, column: &Column) -> String {
    match row.get(column.key) {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Bool(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
        Some(Value::Number(number)) => match number.as_u64() {
            Some(count) if column.scale == 1.0 => count.to_string(),
            _ => significant(number.as_f64().unwrap_or(f64::NAN) * column.scale),
        },
        _ => String::new(),
    }
}

/// Three or four digits, no exponent for what is usually measured.
pub fn significant(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        v if v >= 0.1 || v == 0.0 => 3,
        v if v >= 0.001 => 4,
        _ => return format!("{value:.2e}"),
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_align() {
        let row = |value: Value| value.as_object().cloned().unwrap_or_default();
        let rows = [
            row(json!({"name": "factor", "seconds": 0.01234, "nodes": 4961})),
            row(json!({"name": "x", "seconds": 1.5e-8})),
        ];
        let columns = [
            plain("kernel", "name"),
            scaled("ms", "seconds", 1e3),
            plain("nodes", "nodes"),
        ];
        let text = format_table("title", &columns, &rows);
        let expected =
            "\ntitle\n  kernel       ms  nodes\n  factor     12.3   4961\n  x       1.50e-5\n";
        assert_eq!(text, expected);
    }
}
