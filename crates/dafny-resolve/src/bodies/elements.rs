//! Elements of collections: displays, selections and slices.

use crate::typed::{Expr, ExprKind, Type};
use dafny_source::Span;
use dafny_syntax::ast;

use super::expr::{boxed, mk};
use super::{Pending, Resolver};

impl Resolver<'_> {
    /// Resolves the elements of a display. Returns them and their join.
    pub(super) fn elements(
        &mut self,
        elements: &[ast::Expr],
        hint: Option<&Type>,
    ) -> (Vec<Expr>, Type) {
        let hint = match hint.map(|h| self.representation(h)) {
            Some(Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. }) => Some(*e),
            _ => None,
        };
        let join = self.joined(hint.as_ref());
        let values = elements
            .iter()
            .map(|e| {
                let x = self.expr(e, hint.as_ref().or(Some(&join)));
                self.merge(&x, &join);
                x
            })
            .collect();
        (values, join)
    }

    pub(super) fn sliced(&mut self, object: &Expr, span: Span) -> Type {
        let other = self.representation(&object.ty);
        if let Type::Seq(e) = other {
            if let t @ Type::Named { .. } = self.base(&object.ty) {
                t
            } else {
                Type::Seq(e)
            }
        } else if let Type::Array { dims: 1, elem, .. } = other {
            Type::Seq(elem)
        } else if matches!(other, Type::Error) {
            Type::Error
        } else {
            let seq = Type::Seq(Box::new(self.fresh()));
            if self.st.inf.is_unbound(&other) && self.flow(&other, &seq) {
                return seq;
            }
            self.wrong_operand(
                span,
                format!(
                    "a slice requires a sequence or an array, found {}",
                    self.show(&object.ty)
                ),
            );
            Type::Error
        }
    }

    pub(super) fn index(&mut self, object: &ast::Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let object = self.expr(object, None);
        let mut ty = self.representation(&object.ty);
        if self.st.inf.is_unbound(&ty) {
            self.settle();
            ty = self.representation(&object.ty);
        }
        // Maps and multisets are indexed by keys, sequences and arrays by integers.
        let key = if let Type::Map { key, .. } = &ty {
            Some((**key).clone())
        } else if let Type::Multiset(e) = &ty {
            Some((**e).clone())
        } else {
            None
        };
        let indices: Vec<Expr> = match (&key, indices) {
            (Some(k), [i]) => {
                let i = self.expr(i, Some(k));
                self.comparable_types(&i.ty, k, i.span);
                vec![i]
            }
            _ if self.st.inf.is_unbound(&ty) => {
                indices.iter().map(|i| self.expr(i, None)).collect()
            }
            _ => indices.iter().map(|i| self.integer(i)).collect(),
        };
        let result = match (ty, indices.as_slice()) {
            (Type::Seq(e), [_]) => *e,
            (Type::Map { value, .. }, [_]) => *value,
            (Type::Multiset(_), [_]) => Type::Int,
            (Type::Array { dims, elem, .. }, _) if dims as usize == indices.len() => *elem,
            (Type::Error, _) => Type::Error,
            // The collection is unknown: check the index when it is known.
            (ty, [i]) if self.st.inf.is_unbound(&ty) => {
                let result = self.fresh();
                self.st.pending.push(Pending::Index {
                    collection: object.ty.clone(),
                    index: i.ty.clone(),
                    result: result.clone(),
                    span,
                });
                result
            }
            _ => {
                let message = format!(
                    "a value of type {} cannot be indexed with {} values",
                    self.show(&object.ty),
                    indices.len()
                );
                // The number of indices alone says that an array of many dimensions is required.
                if indices.len() == 1 {
                    self.wrong_operand(span, message);
                } else {
                    self.mismatch(span, message);
                }
                Type::Error
            }
        };
        mk(
            ExprKind::Index {
                object: boxed(object),
                indices,
            },
            result,
            span,
        )
    }
}
