//! Numbers and characters: literals, arithmetic within the range of the type, and conversions.

use super::Generator;
use super::ranges::{Base, Range};
use super::types::Type;
use crate::profile::Profile;

impl Generator {
    /// Draws a literal of a numeric type.
    pub(super) fn number_literal(&mut self, ty: &Type) -> String {
        if matches!(ty, Type::Nat) {
            self.one(&["0", "1", "2", "3", "5", "10", "0x1F", "1_000"])
                .into()
        } else if matches!(ty, Type::Real) {
            self.one(&[
                "0.0", "1.0", "2.5", "-0.75", "3.125", "100.0", "-1.0", "0.1", "1000.0", "2.50",
            ])
            .into()
        } else if let Type::Bv(width) = ty {
            let limit = if *width >= 63 {
                i64::MAX
            } else {
                (1i64 << width) - 1
            };
            let n = self.small(0, limit);
            format!("({n} as bv{width})")
        } else if let Type::Range(r) = ty {
            let range = self.ranges[*r].clone();
            let name = self.show(ty);
            match range.base {
                Base::Int => format!("({} as {name})", self.small(range.low, range.high - 1)),
                Base::Real => format!("({} as {name})", self.one(&["0.5", "1.0", "0.0", "2.25"])),
                Base::Other { .. } => self.other_literal(&range, ty),
                Base::Bv(_) => format!(
                    "(({} as bv{}) as {name})",
                    self.below(2),
                    range.base.width()
                ),
            }
        } else {
            let odd = [
                "0x1F",
                "1_000",
                "100000000000000000000",
                "-9223372036854775808",
                "18446744073709551616",
                "-170141183460469231731",
            ];
            if self.chance(10) {
                self.one(&odd).into()
            } else {
                self.one(&["0", "1", "2", "3", "-1", "-2", "5", "-7", "10", "42"])
                    .into()
            }
        }
    }

    /// Draws a number in a range: one of the ends, or a small number.
    fn small(&mut self, low: i64, high: i64) -> i64 {
        let candidate = [0, 1, 2, 3, 7, 10, -1, -2, low, high, high - 1][self.below(11)];
        candidate.clamp(low, high)
    }

    /// Draws one level of arithmetic of the type.
    pub(super) fn number(&mut self, ty: &Type, depth: usize) -> String {
        if matches!(ty, Type::Nat) {
            self.natural(depth)
        } else if matches!(ty, Type::Real) {
            self.real(depth)
        } else if let Type::Bv(width) = ty {
            self.bitvector(*width, depth)
        } else if let Type::Range(r) = ty {
            self.ranged(*r, depth)
        } else {
            self.integer(depth)
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        match self.below(16) {
            0..=4 => {
                let op = self.one(&["+", "-", "+", "-", "*"]);
                format!(
                    "({} {op} {})",
                    self.expr(&Type::Int, depth),
                    self.expr(&Type::Int, if op == "*" { 0 } else { depth })
                )
            }
            5 => format!("(-{})", self.expr(&Type::Int, depth)),
            6 | 7 => {
                let op = self.one(&["/", "%"]);
                let divisor = self.one(&[
                    "2",
                    "3",
                    "-2",
                    "7",
                    "-5",
                    "10",
                    "-1",
                    "100000000000000000007",
                ]);
                format!("({} {op} {divisor})", self.expr(&Type::Int, depth))
            }
            8 => {
                let op = self.one(&["/", "%"]);
                let (a, b) = (self.expr(&Type::Int, depth), self.expr(&Type::Int, depth));
                self.with_let(&Type::Int, &b, |_, d| {
                    format!("if {d} != 0 then {a} {op} {d} else {a}")
                })
            }
            9 | 10 => self.converted(depth),
            11 => format!("{}.Floor", self.expr(&Type::Real, depth)),
            _ => self.expr(&Type::Nat, depth),
        }
    }

    /// Draws an integer converted from another type.
    fn converted(&mut self, depth: usize) -> String {
        let from = match self.below(5) {
            0 => Type::Char,
            1 => Type::Nat,
            2 => Type::Bv([4, 8, 16, 32, 64, 100][self.below(6)]),
            _ => {
                let is_int =
                    |r: &usize| self.ranges[*r].base.is_int() && self.sees(self.ranges[*r].home);
                let visible: Vec<usize> = (0..self.ranges.len()).filter(is_int).collect();
                self.pick(&visible).map_or(Type::Char, Type::Range)
            }
        };
        format!("({} as int)", self.expr(&from, depth))
    }

    fn natural(&mut self, depth: usize) -> String {
        match self.below(9) {
            0 | 1 => format!(
                "({} + {})",
                self.expr(&Type::Nat, depth),
                self.expr(&Type::Nat, depth)
            ),
            2 => format!(
                "({} * {})",
                self.expr(&Type::Nat, depth),
                self.expr(&Type::Nat, 0)
            ),
            3 => {
                let divisor = self.one(&["2", "3", "-4", "10", "-7"]);
                format!("({} % {divisor})", self.expr(&Type::Int, depth))
            }
            4 => {
                let e = self.expr(&Type::Int, depth);
                self.with_let(&Type::Int, &e, |_, v| {
                    format!("if {v} < 0 then -{v} else {v}")
                })
            }
            5 => {
                let e = self.expr(&Type::Int, depth);
                self.with_let(&Type::Int, &e, |_, v| {
                    format!("if {v} >= 0 then {v} as nat else 0")
                })
            }
            6 => {
                let elem = self.key_type(0);
                format!(
                    "{}[{}]",
                    self.expr(&Type::Multiset(Box::new(elem.clone())), depth),
                    self.expr(&elem, depth)
                )
            }
            _ => {
                let elem = self.key_type(1);
                let collection = match self.below(4) {
                    0 => Type::set(elem),
                    1 => Type::Multiset(Box::new(elem)),
                    2 => Type::Map(Box::new(elem), Box::new(Type::Int)),
                    _ => Type::seq(elem),
                };
                format!("|{}|", self.expr(&collection, depth))
            }
        }
    }

    fn real(&mut self, depth: usize) -> String {
        let real = Type::Real;
        match self.below(8) {
            0..=2 => {
                let op = self.one(&["+", "-", "*"]);
                format!(
                    "({} {op} {})",
                    self.expr(&real, depth),
                    self.expr(&real, if op == "*" { 0 } else { depth })
                )
            }
            3 => format!(
                "({} / {})",
                self.expr(&real, depth),
                self.one(&["2.0", "-3.0", "0.5", "7.0"])
            ),
            4 => {
                let (a, b) = (self.expr(&real, depth), self.expr(&real, depth));
                self.with_let(&real, &b, |_, d| {
                    format!("if {d} == 0.0 then {a} else {a} / {d}")
                })
            }
            5 => format!("(-{})", self.expr(&real, depth)),
            6 => {
                let is_real = |r: &usize| {
                    matches!(self.ranges[*r].base, Base::Real) && self.sees(self.ranges[*r].home)
                };
                let visible: Vec<usize> = (0..self.ranges.len()).filter(is_real).collect();
                let from = self.pick(&visible).map_or(Type::Nat, Type::Range);
                format!("({} as real)", self.expr(&from, depth))
            }
            _ => format!("({} as real)", self.expr(&Type::Int, depth)),
        }
    }

    fn bitvector(&mut self, width: u32, depth: usize) -> String {
        let ty = Type::Bv(width);
        match self.below(12) {
            0..=2 => {
                let op = self.one(&["+", "-", "*", "+", "-"]);
                format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
            3 | 4 => {
                let op = self.one(&["&", "|", "^"]);
                format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
            5 => format!("(!{})", self.expr(&ty, depth)),
            6 => {
                let op = self.one(&["/", "%"]);
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                self.with_let(&ty, &b, |_, d| {
                    format!("if {d} == 0 then {a} else {a} {op} {d}")
                })
            }
            7 => {
                let op = self.one(&["<<", ">>"]);
                let by = self.small(0, i64::from(width));
                format!("({} {op} {by})", self.expr(&ty, depth))
            }
            8 => {
                let op = self.one(&["<<", ">>"]);
                format!(
                    "({} {op} ({} % {}))",
                    self.expr(&ty, depth),
                    self.expr(&Type::Nat, depth),
                    width + 1
                )
            }
            9 => {
                let rotation = self.one(&["RotateLeft", "RotateRight"]);
                let by = if self.chance(50) {
                    self.small(0, i64::from(width)).to_string()
                } else {
                    format!("({} % {})", self.expr(&Type::Nat, depth), width + 1)
                };
                format!("{}.{rotation}({by})", self.expr(&ty, depth))
            }
            10 => {
                let narrower = [1, 3, 8, 16, 32, 64].map(|w: u32| w.min(width))[self.below(6)];
                format!("({} as bv{width})", self.expr(&Type::Bv(narrower), depth))
            }
            _ => format!(
                "(({} % {}) as bv{width})",
                self.expr(&Type::Int, depth),
                power_of_two(width)
            ),
        }
    }

    fn ranged(&mut self, r: usize, depth: usize) -> String {
        let (ty, range) = (Type::Range(r), self.ranges[r].clone());
        let name = self.show(&ty);
        match range.base {
            Base::Real => match self.below(3) {
                0 => format!("({} + {})", self.expr(&ty, depth), self.expr(&ty, depth)),
                1 => format!("({} * {})", self.expr(&ty, depth), self.expr(&ty, 0)),
                _ => format!("({} as {name})", self.expr(&Type::Real, depth)),
            },
            Base::Bv(width) => match self.below(3) {
                0 => format!("({} ^ {})", self.expr(&ty, depth), self.expr(&ty, depth)),
                1 => format!("({} + {})", self.expr(&ty, depth), self.expr(&ty, depth)),
                _ => format!("({} as {name})", self.expr(&Type::Bv(width), depth)),
            },
            Base::Other { .. } => self.other_value(&range, &ty, depth),
            Base::Int => self.ranged_integer(&ty, &range, &name, depth),
        }
    }

    fn ranged_integer(&mut self, ty: &Type, range: &Range, name: &str, depth: usize) -> String {
        let &Range { low, high, .. } = range;
        let span = i128::from(high) - i128::from(low);
        match self.below(6) {
            0 if span > 40 && high > 20 => {
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                // Keep sums and differences in range.
                let floor = if low < -18 { -9 } else { low.max(0) };
                self.with_let(ty, &a, |g, a| {
                    g.with_let(ty, &b, |g, b| {
                        let op = if low < -18 { g.one(&["+", "-"]) } else { "+" };
                        format!("if {floor} <= {a} < 10 && {floor} <= {b} < 10 then {a} {op} {b} else {a}")
                    })
                })
            }
            1 if low == 0 => {
                let op = self.one(&["/", "%"]);
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                self.with_let(ty, &b, |_, d| {
                    format!("if {d} != 0 then {a} {op} {d} else {a}")
                })
            }
            // The quotient by the smallest number may be out of range, so only remainders are
            // drawn. They are not negative.
            1 | 2 if low <= 0 && high > 5 => {
                format!("({} % {})", self.expr(ty, depth), 1 + self.below(5))
            }
            3 => {
                let e = self.expr(&Type::Int, depth);
                self.with_let(&Type::Int, &e, |g, v| {
                    let other = g.leaf(ty);
                    format!("if {low} <= {v} < {high} then {v} as {name} else {other}")
                })
            }
            _ => {
                let e = self.expr(&Type::Int, depth);
                if low == 0 {
                    format!("(({e} % {span}) as {name})")
                } else {
                    format!("((({e} % {span}) + {low}) as {name})")
                }
            }
        }
    }

    pub(super) fn character(&mut self, depth: usize) -> String {
        match self.below(4) {
            0 => format!("((97 + {} % 26) as char)", self.expr(&Type::Int, depth)),
            1 => format!("((({} % 60) + 40) as char)", self.expr(&Type::Nat, depth)),
            2 => {
                let e = self.expr(&Type::Char, depth);
                self.with_let(&Type::Char, &e, |_, c| {
                    format!("if 'a' <= {c} < 'z' then ({c} as int + 1) as char else {c}")
                })
            }
            _ => {
                let (s, other) = (self.expr(&Type::string(), depth), self.leaf(&Type::Char));
                self.with_let(&Type::string(), &s, |_, s| {
                    format!("if {s} != \"\" then {s}[|{s}| - 1] else {other}")
                })
            }
        }
    }

    pub(super) fn character_literal(&mut self) -> String {
        self.one(&[
            "'a'",
            "'b'",
            "'Z'",
            "'0'",
            "' '",
            "'\\n'",
            "'\\''",
            "'\"'",
            "'\\\\'",
            "'\\t'",
            "'{'",
            "'\\0'",
            if self.code_units {
                "'\\u00e9'"
            } else {
                "'\\U{e9}'"
            },
            if self.code_units {
                "'\\ud83d'"
            } else {
                "'\\U{1F600}'"
            },
        ])
        .into()
    }

    pub(super) fn string_literal(&mut self) -> String {
        self.one(&[
            "\"\"",
            "\"a\"",
            "\"ab\"",
            "\"hello\"",
            "\"{}\"",
            "\"a\\\"b\\n\"",
            if self.code_units {
                "\"\\ud83d\\ude00x\""
            } else {
                "\"\\U{1F600}x\""
            },
            if self.of_profile(Profile::Known) {
                "@\"a\"\"b\\\""
            } else {
                "@\"a\"\"b\""
            },
            "\"\\\\\"",
            "\"zz z\"",
            "\"abc\"",
        ])
        .into()
    }
}

/// Two to the power of `n`, in decimal.
fn power_of_two(n: u32) -> String {
    let mut digits = vec![1u8];
    for _ in 0..n {
        let mut carry = 0;
        for d in &mut digits {
            let twice = *d * 2 + carry;
            (*d, carry) = (twice % 10, twice / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|d| char::from(b'0' + d)).collect()
}
