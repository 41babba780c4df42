//! Literals: their types, and which expressions consist of literals only.

use crate::typed::{Expr, ExprKind, Literal, Type};
use dafny_source::Span;
use dafny_syntax::ast;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::expr::mk;
use super::infer::VarKind;
use super::{Resolver, infer};

impl Resolver<'_> {
    pub(super) fn literal(&mut self, l: &ast::Literal, hint: Option<&Type>, span: Span) -> Expr {
        let known =
            |r: &mut Self, kind: VarKind, fits: fn(&crate::typed::Program, &Type) -> bool| {
                // An expected type that the literal may have saves a variable.
                let hinted = hint.map(|h| r.base(h)).filter(|h| {
                    !r.st.inf.is_unbound(h) && *h != Type::Error && fits(&r.cx.program, h)
                });
                hinted.unwrap_or_else(|| r.st.inf.fresh(kind))
            };
        match l {
            ast::Literal::Bool(b) => mk(ExprKind::Literal(Literal::Bool(*b)), Type::Bool, span),
            ast::Literal::Int(n) => {
                self.spelled(span, n.to_string().len());
                let ty = known(self, VarKind::IntLike, infer::is_int_like);
                mk(ExprKind::Literal(Literal::Int(n.clone())), ty, span)
            }
            ast::Literal::Real { digits, exponent } => {
                let ty = known(self, VarKind::RealLike, infer::is_real_like);
                mk(
                    ExprKind::Literal(Literal::Real(decimal(digits, *exponent))),
                    ty,
                    span,
                )
            }
            ast::Literal::Char(c) => {
                if !self.cx.program.options.unicode_char && *c > 0xFFFF {
                    self.error("resolve/character", span, "with `--unicode-char:false` this character is two code units, not one `char`");
                }
                mk(ExprKind::Literal(Literal::Char(*c)), Type::Char, span)
            }
            ast::Literal::String { units, .. } => {
                let units = if self.cx.program.options.unicode_char {
                    units.clone()
                } else {
                    utf16(units)
                };
                self.spelled(span, units.len() + 2);
                mk(
                    ExprKind::Literal(Literal::String(units)),
                    Type::string(),
                    span,
                )
            }
            ast::Literal::Null => {
                let ty = self.st.inf.fresh(VarKind::Null);
                mk(ExprKind::Literal(Literal::Null), ty, span)
            }
        }
    }

    /// Notes that a literal is not written with as many characters as its value is printed.
    fn spelled(&mut self, span: Span, printed: usize) {
        if (span.end - span.start) as usize != printed {
            self.cx.program.other_spellings.insert(span);
        }
    }
}

fn decimal(digits: &BigInt, exponent: i64) -> BigRational {
    let power =
        |n: u64| num_traits::pow(BigInt::from(10), usize::try_from(n).unwrap_or(usize::MAX));
    if exponent >= 0 {
        BigRational::from_integer(digits * power(exponent.unsigned_abs()))
    } else {
        BigRational::new(digits.clone(), power(exponent.unsigned_abs()))
    }
}

/// Converts code points to UTF-16 code units.
fn utf16(points: &[u32]) -> Vec<u32> {
    let mut units = Vec::with_capacity(points.len());
    for &p in points {
        if p > 0xFFFF {
            let q = p - 0x1_0000;
            units.extend([0xD800 + (q >> 10), 0xDC00 + (q & 0x3FF)]);
        } else {
            units.push(p);
        }
    }
    units
}

/// Whether the expression is a literal, a display, a comparison or the like. The new type system
/// leaves its type open, and checks at the end whether the type that the context requires is
/// allowed.
pub(super) fn is_literal(e: &ast::Expr) -> bool {
    use ast::BinaryOp as B;
    use ast::ExprKind as K;
    matches!(
        &e.kind,
        K::Literal(_)
            | K::SeqDisplay(_)
            | K::SetDisplay { .. }
            | K::MultisetDisplay(_)
            | K::MultisetFrom(_)
            | K::MapDisplay { .. }
            | K::SeqConstruct { .. }
            | K::SetComp { .. }
            | K::MapComp { .. }
            | K::Quantifier { .. }
            | K::Chain { .. }
            | K::PrefixEq { .. }
            | K::DecreasesTo { .. }
            | K::Is(..)
            | K::Fresh { .. }
            | K::Unchanged { .. }
            | K::Assigned(_)
            | K::Allocated(_)
            | K::Cardinality(_)
            | K::Binary(
                B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge | B::In | B::NotIn | B::Disjoint,
                ..
            )
    )
}
