//! The `modifies` clause of a unit, as a check in its tests.

use crate::rust::{self, Ident, MacroName, Stmts, expr};
use crate::suite::case::{Case, FrameKept};
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::convention::{Scope, Translated};
use dafny_resolve::typed::{CallableId, CallableKind, Frame, Program, Type};
use dtest_value::ObjectId;

use super::Writer;
use super::test::macro_call;

impl Writer<'_, '_> {
    /// Returns the check that objects of the inputs outside of the `modifies` clause do not change,
    /// or the reason why it is not executed. `None` for functions, and for units without such a
    /// clause whose inputs have no objects.
    pub(super) fn frame(
        &self,
        body: &mut Body<'_, '_, '_>,
        case: &Case,
        inputs: &Values<'_, '_, '_>,
        scope: &Scope<'_, '_>,
    ) -> Option<(Stmts, Option<String>)> {
        let c = &self.ground.program[case.unit];
        if !matches!(c.kind, CallableKind::Method | CallableKind::Constructor)
            || self.ground.program.driven_by(case.unit).is_some()
        {
            return None;
        }
        // Objects without a variable were created by the call, which may change them freely, and so
        // were those that stubs return as new.
        let created = case.created_by_stubs(self.ground.program);
        let known = || {
            inputs
                .objects()
                .filter(|(object, _)| !created.contains(object))
        };
        let mut objects: Vec<&Ident> = known().map(|(_, name)| name).collect();
        if c.spec.modifies.is_empty() && objects.is_empty() {
            return None;
        }
        let not_checked = |reason: &str| Some((Stmts::new(), Some(reason.to_owned())));
        if c.spec.modifies.iter().any(|f| f.star) {
            return not_checked("`modifies *` allows every change");
        }
        let mut modifies: Vec<&Frame> = c.spec.modifies.iter().collect();
        // Arrays belong to the run-time library, even in hand-written code. The state of objects of
        // linked types is unknown.
        let mut left_out = None;
        if !self.options.is_translation {
            let of_arrays = |part: &&Frame| match &part.object {
                Some(object) => referred(self.ground.program, &object.ty),
                None => Referred::Objects,
            };
            let is_array =
                |object: ObjectId| matches!(inputs.object_type(object), Some(Type::Array { .. }));
            let all = objects.len();
            objects = known()
                .filter(|(object, _)| is_array(*object))
                .map(|(_, name)| name)
                .collect();
            // A part that may denote arrays and objects cannot be checked for arrays alone.
            let is_unclear = modifies.iter().any(|m| of_arrays(m) == Referred::Both);
            if objects.len() < all || objects.is_empty() || is_unclear {
                left_out = Some("the fields of objects of linked Rust types are unknown");
            }
            // A part of the frame that names no array allows no change of one.
            modifies.retain(|part| of_arrays(part) == Referred::Arrays);
            if let Some(reason) = left_out.filter(|_| objects.is_empty() || is_unclear) {
                return not_checked(reason);
            }
        }
        // The interpreter could not decide it either, so an expectation might be wrong.
        if let FrameKept::Unknown(reason) = &case.frame {
            return not_checked(reason);
        }
        let parts: Translated<Vec<rust::Expr>> = modifies
            .into_iter()
            .map(|part| self.executed(part.span, scope, || body.frame_part(part)))
            .collect();
        match parts {
            // The clause can be executed, but there is nothing that it could protect.
            Ok(_) if objects.is_empty() => Some((Stmts::new(), None)),
            Ok(parts) => {
                body.states.need_before();
                let text = self.frame_text(case.unit);
                Some((
                    vec![macro_call(
                        MacroName::ExpectFrame,
                        [expr!(before), expr!([#..objects]), expr!([#..parts])],
                        &text,
                    )],
                    left_out.map(str::to_owned),
                ))
            }
            Err(u) => not_checked(&u.reason.to_string()),
        }
    }

    /// Returns the location of the frame, and its text.
    pub(super) fn frame_text(&self, unit: CallableId) -> String {
        let c = &self.ground.program[unit];
        let texts: Vec<String> = c
            .spec
            .modifies
            .iter()
            .map(|f| self.text_at(f.span))
            .collect();
        match c.spec.modifies.first() {
            Some(first) => format!(
                "{}: modifies {}",
                self.ground.sources.locate(first.span),
                texts.join(", ")
            ),
            None => format!(
                "{}: nothing is modified",
                self.ground.sources.locate(c.span)
            ),
        }
    }
}

/// The kind of locations that a part of a frame denotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Referred {
    Arrays,
    Objects,
    /// Arrays or objects.
    Both,
}

/// Returns the kind of locations that an expression of a frame denotes, by its type: objects,
/// collections of them, or functions that return either.
fn referred(program: &Program, ty: &Type) -> Referred {
    let ty = program.representation(ty);
    if let Type::Set { elem, .. } | Type::Seq(elem) | Type::Multiset(elem) = &ty {
        referred(program, elem)
    } else if let Type::Arrow { result, .. } = &ty {
        referred(program, result)
    } else if let Type::Array { .. } = &ty {
        Referred::Arrays
    } else if let Type::Named { .. } = &ty {
        // Classes and traits have no arrays among their values.
        Referred::Objects
    } else {
        Referred::Both
    }
}
