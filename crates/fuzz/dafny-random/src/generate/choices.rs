//! Nondeterministic choices: overlapping guards, calls that choose, arrays without initial values,
//! and chosen constants.

use super::Generator;

impl Generator {
    /// Declares methods and a constant with nondeterministic choices.
    pub(super) fn choosing_declarations(&mut self) {
        for text in [
            "const Chosen: int := var y: int :| 0 <= y < 5; y",
            "method AnyBelow(n: nat) returns (y: int) ensures 0 <= y < n + 3 { y :| 0 <= y < n + 3; }",
            "method AnyNumber() returns (y: int) { y := *; }",
            "method Flipped() returns (b: bool) { if * { b := true; } else { b := false; } }",
            "method Pair() returns (a: int, b: int) { a := AnyBelow(1); b := AnyBelow(1); }",
            "method Either(x: int) returns (r: int) { if { case x > 0 => r := 1; case x > 3 => r := 2; case true => r := 3; } }",
            "class Cell { var f: int  const g: int := var y: int :| 3 <= y < 6; y  constructor () {} }",
        ] {
            self.line(text);
        }
    }

    /// Draws a statement with a nondeterministic choice, and code that depends on it.
    pub(super) fn choosing(&mut self, depth: usize) {
        let (a, b, i, j) = (
            self.value_name("a"),
            self.value_name("b"),
            self.below(3),
            self.below(3),
        );
        match self.below(9) {
            0 => {
                let (first, second) = (
                    self.expr(&super::Type::Bool, 2),
                    self.expr(&super::Type::Bool, 1),
                );
                self.line("if {");
                for guard in [first.as_str(), second.as_str(), "true"] {
                    self.case(guard, depth);
                }
                self.line("}");
            }
            1 => {
                self.line(format!(
                    "var {a} := AnyBelow({i}); var {b} := AnyBelow({j});"
                ));
                self.probes(&[&a, &b], depth);
            }
            2 => {
                self.line(format!("var {a} := AnyNumber(); var {b} := AnyNumber();"));
                self.probes(&[&a, &b], depth);
            }
            3 => {
                self.line(format!("var {a}, {b} := Pair();"));
                self.probes(&[&a, &b], depth);
            }
            4 => {
                self.line(format!("var {a} := new int[3];"));
                self.probes(&[&format!("{a}[{i}]"), &format!("{a}[{j}]")], depth);
            }
            5 => self.probes(&["Chosen", "Chosen"], depth),
            6 => {
                self.line(format!("var {a} := new Cell(); var {b} := new Cell();"));
                if self.chance(50) {
                    let guard = self.one(&["*", "Chosen == 2"]);
                    self.line(format!("if {guard} {{ {a}.f := 2; }}"));
                }
                self.probes(
                    &[&format!("{a}.f"), &format!("{b}.f"), &format!("{a}.g")],
                    depth,
                );
            }
            7 => {
                self.line(format!("var {a} := Flipped(); var {b} := Flipped();"));
                self.block(&format!("if {a} != {b}"), |g| g.statements(1, depth));
            }
            _ => {
                self.line(format!("var {a} := 0; var {b} := Either({i});"));
                self.line("while");
                self.line(format!("  decreases 4 - {a}"));
                self.line("{");
                self.line(format!("  case {a} < 4 => {a} := {a} + 1;"));
                self.line(format!("  case {a} < 3 => {a} := {a} + 2; {b} := {b} + 1;"));
                self.line("}");
                self.probes(&[&a, &b], depth);
            }
        }
    }

    fn case(&mut self, guard: &str, depth: usize) {
        self.line(format!("case {guard} =>"));
        self.indent += 1;
        self.scoped(|g| g.statements(1, depth));
        self.indent -= 1;
    }

    /// Draws blocks guarded by comparisons of chosen values: some are reached with every choice,
    /// some with one, some with none.
    fn probes(&mut self, chosen: &[&str], depth: usize) {
        for _ in 0..1 + self.below(2) {
            let (x, y) = (
                chosen[self.below(chosen.len())],
                chosen[self.below(chosen.len())],
            );
            let n = self.below(9) as i64 - 2;
            let cond = match self.below(4) {
                0 => format!("{x} == {n}"),
                1 => format!("{x} < {n}"),
                2 => format!("{x} != {y}"),
                _ => format!("{x} == {y} + {n}"),
            };
            self.block(&format!("if {cond}"), |g| g.statements(1, depth));
        }
    }
}
