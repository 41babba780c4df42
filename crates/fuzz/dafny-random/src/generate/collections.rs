//! Sequences, sets, multisets and maps.

use super::Generator;
use super::types::Type;

impl Generator {
    /// Draws a display with up to three elements. An empty display gets an explicit type.
    pub(super) fn display(
        &mut self,
        ty: &Type,
        elem: &Type,
        depth: usize,
        open: &str,
        close: &str,
    ) -> String {
        let n = if self.can_be_had(elem) {
            [0, 1, 1, 2, 2, 3][self.below(6)]
        } else {
            0
        };
        if n == 0 {
            return self.ascribed(ty, &format!("{open}{close}"));
        }
        let all: Vec<String> = (0..n).map(|_| self.expr(elem, depth)).collect();
        format!("{open}{}{close}", all.join(", "))
    }

    /// Draws a map display. `word` is `map` or `imap`.
    pub(super) fn map_display(
        &mut self,
        word: &str,
        key: &Type,
        value: &Type,
        depth: usize,
    ) -> String {
        let n = if self.can_be_had(key) && self.can_be_had(value) {
            self.below(4)
        } else {
            0
        };
        if n == 0 {
            let (k, v) = (Box::new(key.clone()), Box::new(value.clone()));
            return self.ascribed(
                &if word == "map" {
                    Type::Map(k, v)
                } else {
                    Type::Imap(k, v)
                },
                &format!("{word}[]"),
            );
        }
        let all: Vec<String> = (0..n)
            .map(|_| format!("{} := {}", self.expr(key, depth), self.expr(value, depth)))
            .collect();
        format!("{word}[{}]", all.join(", "))
    }

    /// Draws an `iset`. Only finite ones are drawn, because only these can be compiled.
    pub(super) fn iset(&mut self, elem: &Type, depth: usize) -> String {
        let ty = Type::Iset(Box::new(elem.clone()));
        match self.below(7) {
            0 | 1 => self.display(&ty, elem, depth, "iset{", "}"),
            2 | 3 => {
                let op = self.one(&["+", "-", "*"]);
                format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
            4 => {
                let (part, map) = if self.chance(50) {
                    (
                        "Keys",
                        Type::Imap(Box::new(elem.clone()), Box::new(Type::Bool)),
                    )
                } else {
                    (
                        "Values",
                        Type::Imap(Box::new(Type::Int), Box::new(elem.clone())),
                    )
                };
                format!("{}.{part}", self.expr(&map, depth))
            }
            _ => {
                let comprehension = self.set_comprehension(elem, depth);
                comprehension.replacen("(set ", "(iset ", 1)
            }
        }
    }

    pub(super) fn imap(&mut self, key: &Type, value: &Type, depth: usize) -> String {
        let ty = Type::Imap(Box::new(key.clone()), Box::new(value.clone()));
        match self.below(8) {
            0 | 1 => self.map_display("imap", key, value, depth),
            2 => format!("({} + {})", self.expr(&ty, depth), self.expr(&ty, depth)),
            // The right operand is a `set` for `imap` as well.
            3 => format!(
                "({} - {})",
                self.expr(&ty, depth),
                self.expr(&Type::set(key.clone()), depth)
            ),
            4 | 5 => format!(
                "{}[{} := {}]",
                self.expr(&ty, depth),
                self.expr(key, depth),
                self.expr(value, depth)
            ),
            _ => self.map_comprehension("imap", key, value, depth),
        }
    }

    pub(super) fn sequence(&mut self, elem: &Type, depth: usize) -> String {
        let ty = Type::seq(elem.clone());
        match self.below(12) {
            0..=2 if *elem != Type::Char => self.display(&ty, elem, depth, "[", "]"),
            0..=2 => self.literal(&ty),
            3 | 4 => format!("({} + {})", self.expr(&ty, depth), self.expr(&ty, depth)),
            5 | 6 => self.slice(&ty, depth),
            7 => {
                let (s, i, x) = (
                    self.expr(&ty, depth),
                    self.expr(&Type::Nat, depth),
                    self.expr(elem, depth),
                );
                self.with_let(&ty, &s, |_, s| {
                    format!("if |{s}| > 0 then {s}[{i} % |{s}| := {x}] else {s}")
                })
            }
            8 | 9 => self.tabulated(elem, depth),
            10 => {
                // A slice by lengths is a sequence of sequences.
                let s = self.expr(&ty, depth);
                let part = self.below(2);
                self.with_let(&ty, &s, |_, s| {
                    format!("if |{s}| >= 3 then {s}[1:2][{part}] else {s}")
                })
            }
            _ => self.leaf(&ty),
        }
    }

    fn slice(&mut self, ty: &Type, depth: usize) -> String {
        let s = self.expr(ty, depth);
        match self.below(4) {
            0 => {
                let i = self.expr(&Type::Nat, depth);
                let from = self.chance(50);
                self.with_let(ty, &s, |_, s| {
                    let bound = format!("{i} % (|{s}| + 1)");
                    if from {
                        format!("{s}[{bound}..]")
                    } else {
                        format!("{s}[..{bound}]")
                    }
                })
            }
            1 => {
                let (low, more) = (self.below(3), self.below(3));
                let high = low + more;
                self.with_let(ty, &s, |_, s| {
                    format!("if |{s}| >= {high} then {s}[{low}..{high}] else {s}")
                })
            }
            2 => self.with_let(ty, &s, |_, s| {
                format!("if |{s}| > 0 then {s}[1..] else {s}")
            }),
            _ => format!("{s}[..]"),
        }
    }

    /// Draws `seq(n, i => …)`.
    fn tabulated(&mut self, elem: &Type, depth: usize) -> String {
        if !self.purely(|g| g.can_be_had(elem)) {
            return self.literal(&Type::seq(elem.clone()));
        }
        let n = self.below(5);
        let tabulated = self.scoped(|g| {
            let i = g.value_name("i");
            g.declare(&i, &Type::Nat, false);
            // The index may hide the only variable of the type.
            if !g.purely(|g| g.can_be_had(elem)) {
                return None;
            }
            let body = g.purely(|g| g.expr(elem, depth));
            let annotation = if g.chance(30) {
                format!("({i}: nat)")
            } else {
                i.clone()
            };
            Some(format!("seq({n}, {annotation} => {body})"))
        });
        tabulated.unwrap_or_else(|| self.literal(&Type::seq(elem.clone())))
    }

    pub(super) fn set(&mut self, elem: &Type, depth: usize) -> String {
        let ty = Type::set(elem.clone());
        match self.below(9) {
            0 | 1 => self.display(&ty, elem, depth, "{", "}"),
            2..=4 => {
                let op = self.one(&["+", "-", "*"]);
                format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
            5 => {
                let map = Type::Map(Box::new(elem.clone()), Box::new(Type::Bool));
                format!("{}.Keys", self.expr(&map, depth))
            }
            6 => {
                let map = Type::Map(Box::new(Type::Int), Box::new(elem.clone()));
                format!("{}.Values", self.expr(&map, depth))
            }
            _ => self.set_comprehension(elem, depth),
        }
    }

    fn set_comprehension(&mut self, elem: &Type, depth: usize) -> String {
        if self.chance(35) {
            let domain = if self.chance(50) {
                Type::seq(elem.clone())
            } else {
                Type::set(elem.clone())
            };
            let (s, x) = (self.expr(&domain, depth), self.value_name("x"));
            let condition = self.condition_on(&x, elem, depth);
            return format!("(set {x} | {x} in {s} && {condition})");
        }
        let (declared, range, bound) = self.binder(depth);
        let (condition, body) = self.scoped(|g| {
            bound.iter().for_each(|(n, t)| g.declare(n, t, false));
            (g.expr(&Type::Bool, depth.min(1)), g.expr(elem, depth))
        });
        let range = match range {
            Some(range) if self.chance(50) => format!("{range} && {condition}"),
            Some(range) => range,
            None => condition,
        };
        format!("(set {declared} | {range} :: {body})")
    }

    /// Draws a condition with `name` in scope.
    fn condition_on(&mut self, name: &str, ty: &Type, depth: usize) -> String {
        self.scoped(|g| {
            g.declare(name, ty, false);
            g.expr(&Type::Bool, depth)
        })
    }

    pub(super) fn multiset(&mut self, elem: &Type, depth: usize) -> String {
        let ty = Type::Multiset(Box::new(elem.clone()));
        match self.below(8) {
            0 | 1 => self.display(&ty, elem, depth, "multiset{", "}"),
            2..=4 => {
                let op = self.one(&["+", "-", "*"]);
                format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
            5 => format!("multiset({})", self.expr(&Type::seq(elem.clone()), depth)),
            6 => format!("multiset({})", self.expr(&Type::set(elem.clone()), depth)),
            _ => format!(
                "{}[{} := {}]",
                self.expr(&ty, depth),
                self.expr(elem, depth),
                self.below(4)
            ),
        }
    }

    pub(super) fn map(&mut self, key: &Type, value: &Type, depth: usize) -> String {
        let ty = Type::Map(Box::new(key.clone()), Box::new(value.clone()));
        match self.below(9) {
            0 | 1 => self.map_display("map", key, value, depth),
            2 => format!("({} + {})", self.expr(&ty, depth), self.expr(&ty, depth)),
            3 => format!(
                "({} - {})",
                self.expr(&ty, depth),
                self.expr(&Type::set(key.clone()), depth)
            ),
            4 | 5 => format!(
                "{}[{} := {}]",
                self.expr(&ty, depth),
                self.expr(key, depth),
                self.expr(value, depth)
            ),
            _ => self.map_comprehension("map", key, value, depth),
        }
    }

    fn map_comprehension(&mut self, word: &str, key: &Type, value: &Type, depth: usize) -> String {
        let (domain, x) = (
            self.expr(&Type::set(key.clone()), depth),
            self.value_name("k"),
        );
        let condition = if self.chance(40) {
            format!(" && {}", self.condition_on(&x, key, depth))
        } else {
            String::new()
        };
        let body = self.scoped(|g| {
            g.declare(&x, key, false);
            g.expr(value, depth)
        });
        if *key == Type::Int && self.chance(50) {
            let shift = self.one(&["+ 1", "- 2", "* 2"]);
            return format!("({word} {x} | {x} in {domain}{condition} :: ({x} {shift}) := {body})");
        }
        format!("({word} {x} | {x} in {domain}{condition} :: {body})")
    }

    /// Draws an element of a sequence.
    pub(super) fn element(&mut self, ty: &Type, depth: usize) -> String {
        let seq = Type::seq(ty.clone());
        let (s, i, other) = (
            self.expr(&seq, depth),
            self.expr(&Type::Int, depth),
            self.expr(ty, depth),
        );
        self.with_let(&seq, &s, |g, s| {
            if g.chance(50) {
                format!("if |{s}| > 0 then {s}[{i} % |{s}|] else {other}")
            } else {
                let k = g.below(3);
                format!("if {k} < |{s}| then {s}[{k}] else {other}")
            }
        })
    }

    /// Draws a value of a map.
    pub(super) fn looked_up(&mut self, ty: &Type, depth: usize) -> Option<String> {
        let key = self.key_type(0);
        let (k, v) = (Box::new(key.clone()), Box::new(ty.clone()));
        let map = if self.chance(20) {
            Type::Imap(k, v)
        } else {
            Type::Map(k, v)
        };
        let (m, k, other) = (
            self.expr(&map, depth),
            self.expr(&key, depth),
            self.expr(ty, depth),
        );
        Some(self.with_let(&map, &m, |g, m| {
            g.with_let(&key, &k, |_, k| {
                format!("if {k} in {m} then {m}[{k}] else {other}")
            })
        }))
    }

    pub(super) fn membership(&mut self, depth: usize) -> String {
        let elem = self.key_type(1);
        let domain = match self.below(6) {
            0 => Type::seq(elem.clone()),
            1 => Type::Multiset(Box::new(elem.clone())),
            2 => Type::Map(Box::new(elem.clone()), Box::new(Type::Int)),
            3 => Type::Iset(Box::new(elem.clone())),
            4 => Type::Imap(Box::new(elem.clone()), Box::new(Type::Int)),
            _ => Type::set(elem.clone()),
        };
        let op = self.one(&["in", "!in"]);
        let mut element = self.expr(&elem, depth);
        // As the domain of a bound variable, an infinite collection takes precedence over others,
        // and the expression cannot be compiled.
        if matches!(domain, Type::Iset(_) | Type::Imap(..)) && !element.starts_with('(') {
            element = format!("({element}, 0).0");
        }
        format!("({element} {op} {})", self.expr(&domain, depth))
    }

    /// Draws a subset, prefix or disjointness comparison.
    pub(super) fn collection_comparison(&mut self, depth: usize) -> String {
        let elem = self.key_type(0);
        let (ty, ops): (Type, &[&str]) = match self.below(4) {
            2 => (Type::Iset(Box::new(elem)), &["<", "<=", ">", ">=", "!!"]),
            0 => (Type::seq(elem), &["<", "<="]),
            1 => (
                Type::Multiset(Box::new(elem)),
                &["<", "<=", ">", ">=", "!!"],
            ),
            _ => (Type::set(elem), &["<", "<=", ">", ">=", "!!"]),
        };
        let op = self.one(ops);
        format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
    }
}
