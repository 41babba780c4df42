//! Newtypes and subset types over all kinds of bases, with members.

use super::types::Type;
use super::{Generator, Home};

/// The base of a newtype or subset type.
#[derive(Clone, Debug)]
pub(super) enum Base {
    Int,
    Real,
    Bv(u32),
    /// Any other type, with a condition on `$` and a value that satisfies it.
    Other {
        ty: Type,
        condition: Option<String>,
        witness: String,
    },
}

impl Base {
    /// The width of a bitvector base.
    pub(super) fn width(&self) -> u32 {
        if let Self::Bv(width) = self {
            *width
        } else {
            0
        }
    }

    pub(super) fn is_int(&self) -> bool {
        matches!(self, Self::Int)
    }
}

/// A newtype or subset type.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub(super) home: Home,
    pub(super) name: String,
    pub(super) newtype: bool,
    pub(super) base: Base,
    /// For an integer base, the smallest value, and the exclusive upper bound.
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Generator {
    pub(super) fn range(&mut self) {
        let name = self.type_name("R");
        let newtype = self.chance(65);
        let general = newtype && self.chance(20);
        let (base, low, high) = self.base(general);
        let keyword = if newtype { "newtype" } else { "type" };
        let native = if !base.is_int() || !newtype {
            ""
        } else if self.chance(15) {
            "{:nativeType false} "
        } else if low >= 0 && high <= 256 && self.chance(20) {
            "{:nativeType \"uint\"} "
        } else {
            ""
        };
        let definition = self.definition(&base, low, high);
        let head = format!("{keyword} {native}{name} = {definition}");
        let r = self.ranges.len();
        self.ranges.push(Range {
            home: self.home,
            name,
            newtype,
            base,
            low,
            high,
        });
        if !newtype || self.chance(65) {
            return self.line(head);
        }
        // Members see no variables but `this` and their own.
        let outer = std::mem::take(&mut self.scope);
        self.block(&head, |g| {
            g.declare("this", &Type::Range(r), false);
            for _ in 0..1 + g.below(2) {
                g.function(Some(Type::Range(r)));
            }
            if g.chance(40) {
                g.method(Some(Type::Range(r)));
            }
        });
        self.scope = outer;
    }

    /// Draws a base, with its range for an integer base. Ranges at the limits of native types are
    /// frequent. `general` excludes integers.
    fn base(&mut self, general: bool) -> (Base, i64, i64) {
        if self.chance(25) {
            (self.other_base(), 0, 0)
        } else if general {
            (
                if self.chance(50) {
                    Base::Real
                } else {
                    Base::Bv([8, 16, 20, 32][self.below(4)])
                },
                0,
                0,
            )
        } else {
            let (low, high) = [
                (0, 256),
                (-128, 128),
                (0, 65536),
                (-32768, 32768),
                (0, 1 << 32),
                (-(1 << 31), 1 << 31),
                (0, 10),
                (-5, 100),
                (1, 50),
                (-(1 << 53), 1 << 53),
                (0, i64::MAX),
                (20, 30),
                (-300, -100),
                (i64::MIN + 1, i64::MAX),
            ][self.below(14)];
            (Base::Int, low, high)
        }
    }

    /// Returns the definition of a type with this base.
    fn definition(&self, base: &Base, low: i64, high: i64) -> String {
        match base {
            Base::Real => "real".into(),
            Base::Bv(width) => format!("bv{width}"),
            Base::Int => {
                // A range without zero needs a witness.
                let witness = if (low..high).contains(&0) {
                    String::new()
                } else {
                    format!(" witness {low}")
                };
                format!("x: int | {low} <= x < {high}{witness}")
            }
            Base::Other {
                ty,
                condition: Some(condition),
                witness,
            } => {
                format!(
                    "x: {} | {} witness {witness}",
                    self.show(ty),
                    condition.replace('$', "x")
                )
            }
            Base::Other {
                ty,
                condition: None,
                ..
            } => self.show(ty),
        }
    }

    fn other_base(&mut self) -> Base {
        let outer = std::mem::take(&mut self.scope);
        // The witness is also written in other modules.
        let elem = [
            Type::Int,
            Type::Bool,
            Type::Real,
            Type::string(),
            Type::Bv(7),
        ][self.below(5)]
        .clone();
        let base = match self.below(9) {
            0 => Base::Other {
                ty: Type::Bool,
                condition: None,
                witness: "false".into(),
            },
            1 => Base::Other {
                ty: Type::Char,
                condition: Some("'a' <= $ <= 'z'".into()),
                witness: "'q'".into(),
            },
            2 => Base::Other {
                ty: Type::Char,
                condition: None,
                witness: "'D'".into(),
            },
            3 | 4 => {
                let witness = format!("[{}]", self.literal(&elem));
                Base::Other {
                    ty: Type::seq(elem),
                    condition: Some("0 < |$| <= 40".into()),
                    witness,
                }
            }
            5 => Base::Other {
                ty: Type::set(elem.clone()),
                condition: None,
                witness: format!("{{{}}}", self.literal(&elem)),
            },
            6 => {
                let witness = format!("map[3 := {}]", self.literal(&elem));
                let ty = Type::Map(Box::new(Type::Int), Box::new(elem));
                Base::Other {
                    ty,
                    condition: Some("3 in $".into()),
                    witness,
                }
            }
            7 => Base::Other {
                ty: Type::Real,
                condition: Some("0.0 <= $ <= 1.0".into()),
                witness: "0.5".into(),
            },
            _ => Base::Other {
                ty: Type::Bv(7),
                condition: Some("$ != 0".into()),
                witness: "1".into(),
            },
        };
        self.scope = outer;
        base
    }

    pub(super) fn other_literal(&mut self, range: &Range, ty: &Type) -> String {
        let Base::Other {
            ty: base, witness, ..
        } = &range.base
        else {
            return String::new();
        };
        let name = self.show(ty);
        self.with_let_of(base, witness, |_, v| format!("{v} as {name}"))
    }

    /// Draws `(var v: T := …; …)`.
    fn with_let_of(
        &mut self,
        ty: &Type,
        value: &str,
        body: impl FnOnce(&mut Self, &str) -> String,
    ) -> String {
        let name = self.value_name("v");
        let shown = self.show(ty);
        let body = body(self, &name);
        format!("(var {name}: {shown} := {value}; {body})")
    }

    /// Draws a value of the base that satisfies the condition, or an operation of the type itself.
    pub(super) fn other_value(&mut self, range: &Range, ty: &Type, depth: usize) -> String {
        let Base::Other {
            ty: base,
            condition,
            ..
        } = range.base.clone()
        else {
            return String::new();
        };
        if condition.is_none() && self.chance(40) {
            let op = if matches!(&base, Type::Bool) {
                self.one(&["&&", "||", "==>", "<==>"])
            } else if matches!(&base, Type::Set(_)) {
                self.one(&["+", "*", "-"])
            } else {
                ""
            };
            if !op.is_empty() {
                return format!("({} {op} {})", self.expr(ty, depth), self.expr(ty, depth));
            }
        }
        let (value, name) = (self.expr(&base, depth), self.show(ty));
        let other = self.other_literal(range, ty);
        self.with_let_of(&base, &value, |_, v| match &condition {
            Some(condition) => format!(
                "if {} then {v} as {name} else {other}",
                condition.replace('$', v)
            ),
            None => format!("{v} as {name}"),
        })
    }

    /// Draws a conversion from a value of a newtype or subset type to its base.
    pub(super) fn based(&mut self, ty: &Type, depth: usize) -> Option<String> {
        let is_over = |r: &usize| {
            let range = &self.ranges[*r];
            self.sees(range.home)
                && matches!(&range.base, Base::Other { ty: base, .. } if base == ty)
        };
        let found: Vec<usize> = (0..self.ranges.len()).filter(is_over).collect();
        let r = self.pick(&found)?;
        Some(format!(
            "({} as {})",
            self.expr(&Type::Range(r), depth),
            self.show(ty)
        ))
    }
}
