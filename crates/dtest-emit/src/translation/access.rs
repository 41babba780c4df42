//! Translates access to parts of values, and updates of them.

use super::body::Body;
use super::code::{self, Code, Own};
use super::convention::Translated;
use super::rep::Rep;
use crate::rust::{self, expr};
use dafny_resolve::typed::{BuiltinMember, Expr, ExprKind, Type};

impl Body<'_, '_, '_> {
    /// Translates a built-in member of a value.
    pub(super) fn builtin(
        &mut self,
        e: &Expr,
        member: BuiltinMember,
        object: &Expr,
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let object = self.expr(object)?.receiver();
        match member {
            BuiltinMember::Keys => owned(expr!(#object.keys())),
            BuiltinMember::Values => owned(expr!(#object.values())),
            BuiltinMember::Items => owned(expr!(#object.items())),
            BuiltinMember::Floor => owned(expr!(#object.floor())),
            // `len` of an array of several dimensions would be ambiguous, so these have
            // `length(n)`.
            BuiltinMember::ArrayLength(0) if !matches!(e_array_dims(self, e), Some(2..)) => {
                owned(expr!(#object.len()))
            }
            BuiltinMember::ArrayLength(n) => {
                let n = rust::Expr::number(n);
                owned(expr!(#object.length(#n)))
            }
            BuiltinMember::IsLimit => owned(expr!(#object.is_limit())),
            BuiltinMember::IsSucc => owned(expr!(#object.is_succ())),
            BuiltinMember::OrdinalOffset => owned(expr!(#object.offset())),
            BuiltinMember::IsNat => owned(expr!(#object.is_nat())),
            BuiltinMember::FunctionRequires => Err(self
                .scope
                .unsupported(e.span, "the precondition of a function value")),
            BuiltinMember::FunctionReads => Err(self
                .scope
                .unsupported(e.span, "the frame of a function value")),
            BuiltinMember::RotateLeft | BuiltinMember::RotateRight => Err(self
                .scope
                .unsupported(e.span, "a rotation as a function value")),
        }
    }

    /// Translates `object[indices]`.
    pub(super) fn indexed(
        &mut self,
        e: &Expr,
        object: &Expr,
        indices: &[Expr],
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let rep = self.rep(&object.ty);
        let object = self.expr(object)?;
        let o = object.receiver();
        if let (Rep::Seq(_) | Rep::Array(..), [index]) = (&rep, indices) {
            let i = self.index(index)?;
            return if matches!(rep, Rep::Seq(_)) {
                // An element of a sequence is a place within it; one of an array may change, so it
                // is copied.
                Ok(Code::within(expr!(#o[#i]), Own::Place, copy, &object))
            } else {
                owned(expr!(#o.get(#i)))
            };
        }
        let mut at = Vec::new();
        for i in indices {
            at.push(self.expr(i)?);
        }
        match (rep, at.as_slice()) {
            (Rep::Map(..), [k]) => {
                let k = k.borrowed();
                Ok(Code::within(expr!(#o[#k]), Own::Place, copy, &object))
            }
            (Rep::Multiset(_), [k]) => {
                let k = k.borrowed();
                owned(expr!(#o.count(#k)))
            }
            (Rep::Array(..), many) => {
                let at = many.iter().map(Code::operand);
                owned(expr!(#o.get((#..at))))
            }
            _ => Err(self.scope.unsupported(e.span, "an index into this type")),
        }
    }

    /// Translates `object[from..to]`.
    pub(super) fn slice(
        &mut self,
        e: &Expr,
        object: &Expr,
        from: Option<&Expr>,
        to: Option<&Expr>,
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let is_array = matches!(self.rep(&object.ty), Rep::Array(..));
        let object = self.expr(object)?;
        let o = object.receiver();
        let from = from.map(|e| self.index(e)).transpose()?;
        let to = to.map(|e| self.index(e)).transpose()?;
        match (from, to) {
            // `a[..]` of an array is a sequence; of a sequence, it is the sequence.
            (None, None) if is_array => owned(expr!(#o.to_seq())),
            (None, None) => Ok(object),
            (Some(a), None) => owned(expr!(#o.skip(#a))),
            (None, Some(b)) => owned(expr!(#o.take(#b))),
            (Some(a), Some(b)) => owned(expr!(#o.slice(#a, #b))),
        }
    }

    /// Translates `object[n: m: …]`.
    pub(super) fn slice_lengths(
        &mut self,
        e: &Expr,
        object: &Expr,
        lengths: &[Expr],
        rest: bool,
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let object = self.expr(object)?;
        let mut parts = Vec::new();
        for l in lengths {
            parts.push(self.value(l)?);
        }
        let (o, name, int) = (
            object.borrowed(),
            self.make_up("whole"),
            self.scope.runtime("int"),
        );
        // The last part has what the others leave, so the lengths are needed twice.
        owned(if rest {
            expr!({
                let #name = #o;
                let lengths = [#..parts];
                #name.slices(lengths.iter().cloned().chain([#name.len() - lengths.iter().fold(#int(0), |sum, n| sum + n)]))
            })
        } else {
            expr!(#o.slices([#..parts]))
        })
    }

    /// Translates `object[key := value]`.
    pub(super) fn update(
        &mut self,
        e: &Expr,
        object: &Expr,
        key: &Expr,
        value: &Expr,
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let is_seq = matches!(self.rep(&object.ty), Rep::Seq(_));
        let o = self.expr(object)?.receiver();
        let key = if is_seq {
            self.index(key)?
        } else {
            self.value(key)?
        };
        let value = self.value(value)?;
        owned(expr!(#o.update(#key, #value)))
    }

    /// Translates `object.0`.
    pub(super) fn tuple_field(
        &mut self,
        e: &Expr,
        object: &Expr,
        index: usize,
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);

        let ty = object.ty.clone();
        let object = self.expr(object)?;
        match self.scope.component(&ty, index) {
            Some(Some(i)) => {
                let o = object.receiver();
                // A component of a temporary can be moved out of it.
                let own = if object.own() == Own::Owned {
                    Own::Owned
                } else {
                    Own::Place
                };
                Ok(Code::within(expr!(#o.#i), own, copy, &object))
            }
            // A single compiled component is represented by itself, without a tuple.
            Some(None) => Ok(object),
            None => Err(self
                .scope
                .unsupported(e.span, "a ghost component of a tuple")),
        }
    }

    /// Translates `object.(0 := value)`.
    pub(super) fn tuple_update(
        &mut self,
        e: &Expr,
        object: &Expr,
        updates: &[(usize, Expr)],
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let Type::Tuple(components) = self.scope.ground.program.representation(&object.ty) else {
            return Err(self
                .scope
                .unsupported(e.span, "a tuple update of a value that is not a tuple"));
        };
        let ty = object.ty.clone();
        let source = self.value(object)?;
        let name = &self.make_up("tuple");
        let mut parts = Vec::new();
        for (i, (ghost, _)) in components.iter().enumerate() {
            if *ghost {
                continue;
            }
            parts.push(
                match (
                    updates.iter().find(|(j, _)| *j == i),
                    self.scope.component(&ty, i),
                ) {
                    (Some((_, v)), _) => self.value(v)?,
                    // Components that stay are read from the tuple, which is evaluated once.
                    (None, Some(Some(i))) => expr!(#name.#i),
                    (None, _) => expr!(#name),
                },
            );
        }
        let updated = code::tuple(parts);
        owned(expr!({ let #name = #source; #..updated }))
    }
}

/// Returns the number of dimensions of the array whose length `e` is.
fn e_array_dims(body: &Body<'_, '_, '_>, e: &Expr) -> Option<u32> {
    let ExprKind::Builtin { object, .. } = &e.kind else {
        return None;
    };
    if let Rep::Array(dims, _) = body.rep(&object.ty) {
        Some(dims)
    } else {
        None
    }
}
