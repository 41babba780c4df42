//! The `modifies` clause of a unit as a check of its tests.

use crate::rust::{self, Ident, MacroName, Stmts, expr};
use crate::suite::case::{Case, FrameKept};
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::convention::{Scope, Translated};
use dafny_resolve::typed::CallableId;
use dafny_resolve::typed::CallableKind;

use super::Writer;
use super::test::macro_call;

impl Writer<'_, '_> {
    /// The check that no object of the inputs is changed that the `modifies` clause of the unit does not name, or why there
    /// is none. `None` for units without such a clause that are given no objects, and for functions.
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
        let objects: Vec<&Ident> = inputs.objects().map(|(_, name)| name).collect();
        if c.spec.modifies.is_empty() && objects.is_empty() {
            return None;
        }
        let not_checked = |reason: &str| Some((Stmts::new(), Some(reason.to_owned())));
        if c.spec.modifies.iter().any(|f| f.star) {
            return not_checked("`modifies *` allows every change");
        }
        if !self.options.is_translation {
            return not_checked("the fields of objects of linked Rust types are unknown");
        }
        if let FrameKept::Unknown(reason) = &case.frame {
            return not_checked(reason);
        }
        let parts: Translated<Vec<rust::Expr>> = c
            .spec
            .modifies
            .iter()
            .map(|part| self.executed(part.span, scope, || body.frame_part(part)))
            .collect();
        match parts {
            Ok(_) if objects.is_empty() => Some((Stmts::new(), None)),
            Ok(parts) => {
                body.before = Some(true);
                let text = self.frame_text(case.unit);
                Some((
                    vec![macro_call(
                        MacroName::ExpectFrame,
                        [expr!(before), expr!([#..objects]), expr!([#..parts])],
                        &text,
                    )],
                    None,
                ))
            }
            Err(u) => not_checked(&u.reason.to_string()),
        }
    }

    /// Where the frame stands, and its text.
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
