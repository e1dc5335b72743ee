//! Scenes that nobody would write, from a seed: most are possible, some ask for the extreme, some are wrong.

use pliant_linalg::random::Random;
use std::fmt::Write;

/// How reasonable a scene's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Within some orders of magnitude of what people simulate.
    Sane,
    /// Now and then 1e-12, 1e15, zero.
    Extreme,
    /// Now and then what has no meaning: signs, units, types, names, tokens.
    Wrong,
}

const MATERIALS: [&str; 9] = [
    "linear",
    "corotated",
    "corotated-frozen",
    "st-venant-kirchhoff",
    "neo-hookean",
    "stable-neo-hookean",
    "stable-neo-hookean-log",
    "mooney-rivlin",
    "split-neo-hookean",
];
const EXTREMES: [&str; 14] = [
    "0", "-1", "1e-3", "1e-9", "1e-12", "1e-15", "1e-300", "1e3", "1e6", "1e9", "1e12", "1e15",
    "1e300", "-1e-9",
];
const WRONG: [&str; 18] = [
    "nan",
    "inf",
    "-inf",
    "true",
    "\"\"",
    "\"5 parsecs\"",
    "\"1/0 s\"",
    "[]",
    "{}",
    "[1, 2]",
    "\"all\"",
    "18446744073709551616",
    "-9223372036854775808",
    "1979-05-27",
    "[[[[1]]]]",
    "\"é\"",
    "{ x = 1 }",
    "",
];

struct Writer {
    random: Random,
    mood: Mood,
    text: String,
    bodies: Vec<Kind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Soft,
    Plane,
    Rigid,
    Link,
}

/// The scene of a seed.
pub fn scene(seed: u64) -> (Mood, String) {
    let mut random = Random::new(seed);
    let mood = match random.below(10) {
        0..5 => Mood::Sane,
        5..8 => Mood::Extreme,
        _ => Mood::Wrong,
    };
    let mut writer = Writer {
        random,
        mood,
        text: String::new(),
        bodies: Vec::new(),
    };
    writer.scene();
    (mood, writer.text)
}

impl Writer {
    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.below(list.len())]
    }

    /// A number between 10^low and 10^high, or something else where the mood is for it.
    fn number(&mut self, low: f64, high: f64) -> String {
        if let Some(other) = self.mischief() {
            return other;
        }
        let exponent = low + (high - low) * 0.5 * (self.random.signed() + 1.0);
        format!("{:.4e}", 10f64.powf(exponent))
    }

    fn signed(&mut self, size: f64) -> String {
        self.mischief()
            .unwrap_or_else(|| format!("{:.5}", size * self.random.signed()))
    }

    fn vector(&mut self, size: f64) -> String {
        let [x, y, z] = [0; 3].map(|_| self.signed(size));
        format!("[{x}, {y}, {z}]")
    }

    fn count(&mut self, most: usize) -> String {
        if self.mood != Mood::Sane && self.chance(4) {
            return self
                .pick(&["0", "-1", "1000000", "4000000000", "1.5"])
                .into();
        }
        (1 + self.random.below(most)).to_string()
    }

    fn mischief(&mut self) -> Option<String> {
        let (percent, values): (_, &[&str]) = match self.mood {
            Mood::Sane => return None,
            Mood::Extreme => (4, &EXTREMES),
            Mood::Wrong => (3, &WRONG),
        };
        self.chance(percent).then(|| self.pick(values).into())
    }

    fn line(&mut self, key: &str, value: impl AsRef<str>) {
        // a key that is none, or is there twice
        if self.mood == Mood::Wrong && self.chance(1) {
            let _ = writeln!(self.text, "{key}x = 1");
        }
        let _ = writeln!(self.text, "{key} = {}", value.as_ref());
    }

    fn maybe(&mut self, percent: usize, key: &str, value: impl FnOnce(&mut Writer) -> String) {
        if self.chance(percent) {
            let value = value(self);
            self.line(key, value);
        }
    }

    fn choice(&mut self, percent: usize, key: &str, names: &[&str]) {
        self.maybe(percent, key, |w| format!("\"{}\"", w.pick(names)));
    }

    fn flag(&mut self, percent: usize, key: &str) {
        self.choice_of(percent, key, &["true", "false"]);
    }

    fn choice_of(&mut self, percent: usize, key: &str, values: &[&str]) {
        self.maybe(percent, key, |w| w.pick(values).to_string());
    }

    fn scene(&mut self) {
        self.line("title", "\"Random\"");
        self.maybe(40, "gravity", |w| w.vector(20.0));
        self.text.push_str("[time]\n");
        let step = self.number(-4.0, -1.5);
        self.line("step", step);
        self.line("duration", "10");
        self.maybe(8, "tolerance", |w| w.number(-5.0, -1.0));
        self.solver();
        if self.chance(60) {
            self.contact();
        }
        for index in 0..self.random.below(3) {
            self.obstacle(index);
        }
        let count = 1 + self.random.below(3);
        for index in 0..count {
            self.body(index);
        }
        self.chain();
        for index in 0..count {
            if self.bodies[index] != Kind::Rigid && self.bodies[index] != Kind::Link {
                self.drive(index);
            }
        }
        self.joints();
        if self.chance(8) {
            self.cut();
        }
        if self.mood == Mood::Wrong && self.chance(10) {
            let cut = self.random.below(self.text.len());
            // within ASCII but for one letter
            if self.text.is_char_boundary(cut) {
                self.text.truncate(cut);
            }
        }
    }

    fn solver(&mut self) {
        self.text.push_str("[solver]\n");
        let methods = [
            "full", "early-cg", "isodof", "conjac", "rigidify", "subspace",
        ];
        // one that has not been trained is refused
        let known = if self.chance(3) { 6 } else { 5 };
        self.choice(85, "method", &methods[..known]);
        let integrators = ["implicit-euler", "bdf2", "quasi-static"];
        let newton = self.chance(30);
        if newton {
            let name = self.pick(&integrators);
            self.line("integrator", format!("\"{name}\""));
            self.maybe(20, "newton_tolerance", |w| w.number(-10.0, -1.0));
            self.maybe(20, "newton_iterations", |w| w.count(12));
        } else {
            self.maybe(5, "beta", |w| w.number(-1.0, 0.5));
        }
        self.choice(15, "linear", &["direct", "pcg"]);
        self.maybe(50, "max_halvings", |w| w.random.below(3).to_string());
        self.flag(10, "conjac.adaptive");
        self.maybe(10, "conjac.nodes", |w| w.count(9));
        self.maybe(10, "conjac.corrections", |w| w.count(3));
        self.flag(10, "conjac.corotate");
        self.maybe(10, "rigidify.error", |w| w.number(-4.0, 0.0));
        self.maybe(10, "rigidify.window", |w| w.count(3));
        self.flag(10, "rigidify.early_cg");
        let variants = ["reuse", "isodof", "dense-sts", "unbuilt", "direct"];
        self.choice(10, "isodof.variant", &variants);
        self.maybe(10, "isodof.lag", |w| w.count(3));
        self.maybe(10, "early_cg.budget", |w| w.count(20));
        self.choice(
            8,
            "early_cg.product",
            &["automatic", "assembled", "matrix-free"],
        );
        self.maybe(8, "early_cg.sweeps", |w| w.count(3));
    }

    fn contact(&mut self) {
        self.text.push_str("[contact]\n");
        self.flag(20, "itself");
        self.maybe(10, "alarm", |w| w.number(-4.0, -1.0));
        self.maybe(40, "friction", |w| w.number(-2.0, 0.3));
        self.choice(10, "detection", &["proximity", "inside"]);
        if self.chance(25) {
            self.line("model", "\"penalty\"");
            self.maybe(30, "isotropy", |w| w.number(-2.0, 0.0));
            self.choice(30, "friction_law", &["lagged", "filter"]);
            self.maybe(30, "stiffness", |w| w.number(-1.0, 2.0));
            return;
        }
        self.maybe(10, "compliance", |w| w.number(-6.0, 0.0));
        self.maybe(10, "restitution", |w| w.number(-2.0, 0.0));
        self.choice(10, "cone", &["cone", "box"]);
        let solvers = ["gauss-seidel", "conjugate-gradients", "newton"];
        self.choice(20, "solver", &solvers);
        self.choice(10, "candidates", &["closing", "near"]);
        self.maybe(10, "iterations", |w| w.count(100));
    }

    fn obstacle(&mut self, index: usize) {
        let _ = writeln!(self.text, "[[obstacle]]\nname = \"o{index}\"");
        let shape = self.random.below(7);
        let near = |w: &mut Writer| w.vector(0.3);
        match shape {
            0 => {
                let (point, normal) = (near(self), self.vector(1.0));
                self.line(
                    "half_space",
                    format!("{{ point = {point}, normal = {normal} }}"),
                );
            }
            1 => {
                let (centre, radius) = (near(self), self.number(-2.0, 0.5));
                let hollow = self.chance(50);
                let value =
                    format!("{{ centre = {centre}, radius = {radius}, hollow = {hollow} }}");
                self.line("sphere", value);
            }
            2 | 3 => {
                let (a, b) = (near(self), near(self));
                let radius = self.number(-2.0, -0.5);
                let name = if shape == 2 { "capsule" } else { "cylinder" };
                self.line(
                    name,
                    format!("{{ from = {a}, to = {b}, radius = {radius} }}"),
                );
            }
            4 => {
                let (centre, axis) = (near(self), self.vector(1.0));
                let minor = self.number(-2.0, -1.0);
                let value =
                    format!("{{ centre = {centre}, axis = {axis}, major = 0.2, minor = {minor} }}");
                self.line("torus", value);
            }
            5 => {
                let (a, b) = (near(self), near(self));
                self.line(
                    "pipe",
                    format!("{{ from = {a}, to = {b}, inner = 0.1, outer = 0.13 }}"),
                );
            }
            _ => {
                let [a, b, c, d] = [0; 4].map(|_| self.signed(0.1));
                let value = format!(
                    "{{ origin = [-0.5, -0.5, -0.2], spacing = [1, 1], heights = [[{a}, {b}], [{c}, {d}]] }}"
                );
                self.line("height_field", value);
            }
        }
        self.maybe(20, "move.translate", |w| {
            let to = w.vector(0.2);
            format!("{{ keys = [[0, [0, 0, 0]], [0.02, {to}]] }}")
        });
        self.maybe(10, "friction", |w| w.number(-2.0, 0.0));
    }

    fn body(&mut self, index: usize) {
        let _ = writeln!(self.text, "[[body]]\nname = \"b{index}\"");
        let size = |w: &mut Writer| w.number(-1.3, -0.5);
        let plane = self.chance(12);
        let mesh = if plane {
            let [a, b] = [size(self), size(self)];
            let [m, n] = [self.count(3), self.count(3)];
            format!("rectangle = {{ size = [{a}, {b}], cells = [{m}, {n}] }}")
        } else {
            match self.random.below(8) {
                0..4 => {
                    let [a, b, c] = [size(self), size(self), size(self)];
                    let [l, m, n] = [self.count(3), self.count(2), self.count(2)];
                    format!("bar = {{ size = [{a}, {b}, {c}], cells = [{l}, {m}, {n}] }}")
                }
                4 => {
                    let (radius, divisions) = (size(self), self.count(1));
                    format!("ball = {{ radius = {radius}, divisions = {divisions} }}")
                }
                5 => "torus = { major = 0.2, minor = 0.05, divisions = 1, segments = 6 }".into(),
                6 => "tube = { inner = 0.05, outer = 0.1, length = 0.1, cells = [1, 5, 1] }".into(),
                _ => {
                    let (radius, layers) = (size(self), self.count(2));
                    format!(
                        "cylinder = {{ radius = {radius}, length = 0.2, divisions = 1, layers = {layers} }}"
                    )
                }
            }
        };
        self.line("mesh", format!("{{ {mesh} }}"));
        // plane bodies must stay in a plane; the others overlap often enough
        if plane {
            let [x, y] = [self.signed(0.3), self.signed(0.3)];
            self.line("place.translate", format!("[{x}, {y}, 0]"));
        } else {
            let z = 0.12 * index as f64;
            let [x, y] = [self.signed(0.1), self.signed(0.1)];
            self.line("place.translate", format!("[{x}, {y}, {z}]"));
            self.maybe(20, "place.rotate", |w| {
                let (axis, angle) = (w.vector(1.0), w.signed(3.0));
                format!("{{ axis = {axis}, angle = {angle} }}")
            });
            self.maybe(6, "place.scale", |w| {
                let factor = w.number(-4.0, 4.0);
                format!("[1, 1, {factor}]")
            });
        }
        self.maybe(30, "velocity", |w| w.vector(2.0));
        self.maybe(15, "spin", |w| w.vector(10.0));
        let kind = match self.random.below(100) {
            _ if plane => Kind::Plane,
            0..8 => Kind::Rigid,
            8..14 => Kind::Link,
            _ => Kind::Soft,
        };
        self.bodies.push(kind);
        match kind {
            Kind::Rigid => {
                let values = ["\"free\"", "\"fixed\"", "{ move.translate = [0, 0, 0.1] }"];
                let value = self.pick(&values);
                self.line("rigid", value);
            }
            Kind::Link => self.line("rigid", "\"link\""),
            _ => {}
        }
        self.material();
        if kind == Kind::Soft && self.chance(15) {
            self.text.push_str("[[body.region]]\n");
            let height = self.signed(0.2);
            self.line("where.above", format!("{{ z = {height} }}"));
            self.maybe(70, "young", |w| w.number(2.0, 9.0));
            self.maybe(30, "density", |w| w.number(1.0, 4.0));
        }
    }

    fn material(&mut self) {
        self.text.push_str("[body.material]\n");
        self.choice(80, "model", &MATERIALS);
        let young = self.number(2.0, 8.0);
        self.line("young", young);
        let poisson = (self.mischief())
            .unwrap_or_else(|| format!("{:.3}", 0.49 * 0.5 * (self.random.signed() + 1.0)));
        self.line("poisson", poisson);
        self.maybe(50, "density", |w| w.number(1.0, 4.0));
        self.maybe(30, "stiffness_damping", |w| w.number(-5.0, -1.0));
        self.maybe(20, "mass_damping", |w| w.number(-2.0, 1.0));
        self.maybe(10, "fibre", |w| {
            let (modulus, direction) = (w.number(2.0, 6.0), w.vector(1.0));
            let activation = w.signed(1.0);
            format!(
                "{{ modulus = {modulus}, direction.constant = {direction}, active = {{ modulus = 1e3, activation = {activation} }} }}"
            )
        });
    }

    fn select(&mut self) -> String {
        let sides = ["-x", "+x", "-y", "+y", "-z", "+z"];
        match self.random.below(6) {
            0..4 => format!("{{ side = \"{}\" }}", self.pick(&sides)),
            4 => {
                let point = self.vector(0.3);
                format!("{{ nearest = {point} }}")
            }
            _ => "\"all\"".into(),
        }
    }

    fn drive(&mut self, body: usize) {
        if self.chance(40) {
            return;
        }
        let _ = writeln!(self.text, "[[drive]]\nbody = \"b{body}\"");
        let select = self.select();
        self.line("select", select);
        match self.random.below(7) {
            0 | 1 => self.line("fix", "true"),
            2 => {
                let to = self.vector(0.1);
                let value = format!(
                    "{{ translate.keys = [[0, [0, 0, 0]], [0.05, {to}]], release = 0.004 }}"
                );
                self.line("move", value);
            }
            3 => {
                let total = self.vector(10.0);
                self.line("force", format!("{{ total = {total} }}"));
            }
            4 => {
                let (load, pressure) = (self.vector(100.0), self.signed(1e3));
                self.line(
                    "traction",
                    format!("{{ load = {load}, pressure = {pressure} }}"),
                );
            }
            5 => {
                let (stiffness, to) = (self.number(-1.0, 4.0), self.vector(0.2));
                self.line(
                    "spring",
                    format!("{{ stiffness = {stiffness}, translate = {to} }}"),
                );
            }
            _ => {
                let push = self.vector(50.0);
                self.line("accelerate", push);
            }
        }
    }

    /// All links hang on each other, in the order of their bodies.
    fn chain(&mut self) {
        let links: Vec<usize> = (0..self.bodies.len())
            .filter(|&b| self.bodies[b] == Kind::Link)
            .collect();
        if links.is_empty() {
            return;
        }
        self.text.push_str("[[chain]]\nname = \"c\"\n");
        for (place, body) in links.iter().enumerate() {
            let (axis, point) = (self.vector(1.0), self.vector(0.2));
            let _ = writeln!(
                self.text,
                "[[chain.link]]\nbody = \"b{body}\"\naxis = {axis}\npoint = {point}"
            );
            if place > 0 {
                let _ = writeln!(self.text, "parent = \"b{}\"", links[place - 1]);
            }
            self.maybe(30, "rate", |w| w.signed(5.0));
            self.maybe(30, "limits", |_| "[-0.5, 0.5]".into());
            self.maybe(30, "stiffness", |w| w.number(-2.0, 2.0));
            self.maybe(30, "torque", |w| w.signed(1.0));
        }
    }

    fn joints(&mut self) {
        if self.bodies.len() > 1 && self.chance(15) {
            self.text
                .push_str("[[attach]]\nbody = \"b1\"\nto = \"b0\"\ngap = 1\n");
            let select = self.select();
            self.line("select", select);
        }
        if self.chance(12) {
            let (a, b) = (self.vector(0.5), self.vector(0.5));
            let _ = writeln!(
                self.text,
                "[[distance]]\nfrom = {{ at = {a} }}\nto = {{ body = \"b0\", at = {b}, snap = true }}"
            );
            self.choice(60, "bound", &["equal", "at-most", "at-least"]);
            self.maybe(30, "compliance", |w| w.number(-6.0, -1.0));
        }
        if self.chance(8) {
            let (a, b) = (self.vector(0.5), self.vector(0.5));
            let _ = writeln!(
                self.text,
                "[[slide]]\nbody = \"b0\"\nselect.nearest = [0, 0, 0]\ncurve = [{a}, {b}]"
            );
        }
        if self.chance(8) {
            let [a, b] = [0; 2].map(|_| self.vector(0.5));
            let _ = writeln!(
                self.text,
                "[[cable]]\nthrough = [{{ at = {a} }}, {{ body = \"b0\", at = {b}, snap = true }}]"
            );
            let control = self.random.below(2);
            let value = self.number(-1.0, 1.0);
            self.line(["ratio", "tension"][control], value);
        }
        let free = self.bodies.iter().position(|&k| k == Kind::Rigid);
        if let Some(body) = free.filter(|_| self.chance(30)) {
            let (point, axis) = (self.vector(0.2), self.vector(1.0));
            let _ = writeln!(
                self.text,
                "[[hinge]]\nbody = \"b{body}\"\npoint = {point}\naxis = {axis}"
            );
        }
    }

    fn cut(&mut self) {
        let (point, normal) = (self.vector(0.05), self.vector(1.0));
        let _ = writeln!(
            self.text,
            "[[cut]]\nbody = \"b0\"\ntime = 0.002\npoint = {point}\nnormal = {normal}"
        );
    }
}
