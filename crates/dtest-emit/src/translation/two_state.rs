//! Translates two-state expressions: `old`, `fresh`, `unchanged`. In the suite, `before` has the
//! state before the call.

use super::body::Body;
use super::code::Code;
use super::convention::Translated;
use super::rep::Rep;
use super::walk::each_expr;
use crate::rust::{self, expr};
use dafny_resolve::typed::{Call, CallableId, CallableKind, Expr, FieldId, Frame};

/// The states that `old`, `fresh` and `unchanged` compare.
#[derive(Default)]
pub(crate) struct States {
    /// Whether the state before the call is needed, which the variable `before` holds. `None` where
    /// there is no such state.
    before: Option<bool>,
    /// Whether the expression is within `old`.
    in_old: bool,
    /// The two-state functions whose bodies are being translated in place of calls.
    unfolding: Vec<CallableId>,
}

impl States {
    /// Creates states of which the one before the call is available, but not yet needed.
    pub(crate) fn with_before() -> Self {
        Self {
            before: Some(false),
            ..Self::default()
        }
    }

    /// Whether translated code uses the variable `before`.
    pub(crate) fn is_before_needed(&self) -> bool {
        self.before == Some(true)
    }

    /// Records that code uses the variable `before`. Returns whether it is available.
    pub(crate) fn need_before(&mut self) -> bool {
        let needed = self.before.as_mut().map(|needed| *needed = true);
        needed.is_some()
    }
}

impl Body<'_, '_, '_> {
    /// Translates `old(e)`: in the suite, to the value saved before the call; if no heap is read,
    /// to the value itself.
    pub(super) fn old(&mut self, e: &Expr) -> Translated<Code> {
        // A value without references is the same in both states.
        let mut reads_heap = false;
        let ground = self.scope.ground;
        each_expr(e, &mut |e| {
            reads_heap |= ground.program.is_reference(&e.ty)
                || matches!(ground.rep(&e.ty), Rep::Opaque | Rep::Trait(..))
        });
        if !reads_heap {
            return self.expr(e);
        }
        if !self.states.need_before() {
            return Err(self.scope.unsupported(e.span, "`old` of the heap"));
        }
        let outer = std::mem::replace(&mut self.states.in_old, true);
        let value = self.value(e);
        self.states.in_old = outer;
        let (copy, value) = (self.copy(&e.ty), value?);
        Ok(Code::owned(expr!(before.old(|| #value)), copy))
    }

    /// Translates a call of a two-state function in the suite: as its body, because only a test has
    /// the state before the call. Returns `None` for other calls, and if the body is not known;
    /// recursion is not unfolded.
    pub(super) fn two_state_call(&mut self, call: &Call) -> Option<Translated<Code>> {
        let program = self.scope.ground.program;
        let is_two_state = program[call.callee].kind == CallableKind::TwostateFunction;
        if !is_two_state
            || self.states.before.is_none()
            || self.states.unfolding.contains(&call.callee)
        {
            return None;
        }
        let body = program.unfolded(call)?;
        self.states.unfolding.push(call.callee);
        let value = self.expr(&body);
        self.states.unfolding.pop();
        Some(value)
    }

    /// Translates `fresh(e)`: in the suite, to a test whether objects were allocated since the call
    /// began.
    pub(super) fn fresh(&mut self, e: &Expr) -> Translated<Code> {
        if !self.states.need_before() {
            return Err(self.scope.unsupported(e.span, "`fresh`"));
        }
        // Objects are known to the state before the call by their identity.
        let o = self.expr(e)?;
        let rep = self.rep(&e.ty);
        if rep.is_reference() {
            let o = o.receiver();
            Ok(Code::owned(expr!(before.is_fresh(#o.identity())), true))
        } else if self.holds_objects(&rep) {
            let o = o.borrowed();
            Ok(Code::owned(expr!(before.are_fresh(#o)), true))
        } else {
            Err(self.scope.unsupported(e.span, "`fresh` of this type"))
        }
    }

    /// Translates `allocated(e)`: everything that can be named is allocated now; in `old`,
    /// everything that is not fresh.
    pub(super) fn allocated(&mut self, e: &Expr) -> Translated<Code> {
        if !self.states.in_old {
            return Ok(Code::owned(expr!(true), true));
        }
        if self.rep(&e.ty).is_reference() {
            let o = self.expr(e)?.receiver();
            Ok(Code::owned(expr!(!before.is_fresh(#o.identity())), true))
        } else if self.scope.ground.program.holds_no_references(&e.ty) {
            Ok(Code::owned(expr!(true), true))
        } else {
            Err(self
                .scope
                .unsupported(e.span, "`allocated` of a collection in `old`"))
        }
    }

    /// Translates `unchanged(a)`: in the suite, to a comparison of the objects with their state
    /// before the call.
    pub(super) fn unchanged(&mut self, e: &Expr, frame: &[Frame]) -> Translated<Code> {
        let mut all = Vec::new();
        for part in frame {
            let objects = self.frame_objects(part)?.borrowed();
            if !self.states.need_before() {
                return Err(self.scope.unsupported(e.span, "`unchanged`"));
            }
            all.push(match part.field {
                None => expr!(before.unchanged(#objects)),
                Some(field) => {
                    let name = self.seen_field(part, field)?;
                    expr!(before.unchanged_field(#objects, #name))
                }
            });
        }
        Ok(Code::owned(rust::Expr::all(all), true))
    }

    /// Translates a part of a `modifies` clause for `expect_frame!`.
    pub(crate) fn frame_part(&mut self, part: &Frame) -> Translated<rust::Expr> {
        let objects = self.frame_objects(part)?.receiver();
        Ok(match part.field {
            None => objects,
            Some(field) => {
                let name = self.seen_field(part, field)?;
                expr!((#objects, #name))
            }
        })
    }

    /// Translates the objects of a frame.
    fn frame_objects(&mut self, part: &Frame) -> Translated<Code> {
        if part.star {
            return Err(self
                .scope
                .unsupported(part.span, "`modifies *` allows every change"));
        }
        let Some(object) = &part.object else {
            return self
                .this
                .clone()
                .ok_or_else(|| self.scope.unsupported(part.span, "`this` here"));
        };
        let rep = self.rep(&object.ty);
        if !self.holds_objects(&rep) {
            return Err(self.scope.unsupported(
                part.span,
                "a frame that is neither an object nor a collection of objects",
            ));
        }
        // An empty display does not determine its type.
        let code = self.expr(object)?;
        Ok(code)
    }

    /// Returns the name by which a frame finds a field, if the translation has it.
    fn seen_field(&self, part: &Frame, field: FieldId) -> Translated<String> {
        let decl = &self.scope.ground.program[field];
        if decl.ghost {
            return Err(self
                .scope
                .unsupported(part.span, format!("the ghost field `{}`", decl.name)));
        }
        Ok(decl.name.to_string())
    }

    /// Whether values are references or collections of them.
    fn holds_objects(&self, rep: &Rep) -> bool {
        match rep {
            Rep::Array(..) | Rep::Class(..) | Rep::Trait(..) | Rep::Object => true,
            Rep::Seq(e) | Rep::Set(e) | Rep::Multiset(e) => self.holds_objects(&self.rep(e)),
            Rep::Bool
            | Rep::Char
            | Rep::Int
            | Rep::Native(_)
            | Rep::Real
            | Rep::Bv(_)
            | Rep::Ordinal
            | Rep::Map(..)
            | Rep::Tuple(_)
            | Rep::Arrow(..)
            | Rep::Datatype(..)
            | Rep::Opaque
            | Rep::Param(_)
            | Rep::Error => false,
        }
    }
}
