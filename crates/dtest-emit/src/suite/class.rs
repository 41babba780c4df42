//! The test of the code that the translation derives from a class declaration: the printed form of
//! objects, the fields that frames compare, their view through traits, constants.

use super::functions::Keys;
use super::test::{macro_call, test_item};
use super::{UnitFile, Writer};
use crate::Unsupported;
use crate::rust::{Ident, MacroName, Stmts, expr, resolved};
use crate::suite::case::{ClassCase, Oracle, Suite, Written};
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::class;
use crate::translation::code::Code;
use crate::translation::convention::{Dependency, Scope};
use crate::translation::names::snake_case;
use dafny_resolve::typed::{FieldId, FieldKind, Type, TypeId};
use dtest_sorted::SortedMap;
use dtest_value::Value;

impl Writer<'_, '_> {
    /// Adds the test of a class, or the reason why there is none.
    pub(super) fn class(
        &self,
        case: &ClassCase,
        files: &mut SortedMap<TypeId, UnitFile>,
        suite: &mut Suite,
    ) {
        let file = files.entry(case.decl).or_default();
        let name = file.unique("object");
        let written = self.class_test(case, &name).map(|text| {
            file.tests.push(text);
            Written {
                test: name,
                oracle: Oracle::Values,
            }
        });
        suite.classes.push((case.decl, written));
    }

    fn class_test(&self, case: &ClassCase, name: &str) -> Result<resolved::Item, Unsupported> {
        let program = self.ground.program;
        let decl = &program[case.decl];
        let what = program.type_path(case.decl);
        let unsupported = |u: Unsupported| Unsupported {
            what: what.clone(),
            span: decl.span,
            ..u
        };
        // The class may be missing in the translation; its reason is the one of the test.
        if !self
            .translation
            .present
            .contains(&Dependency::Type(case.decl))
        {
            let found = self
                .translation
                .unsupported
                .iter()
                .find(|u| u.what == what)
                .cloned();
            return Err(found.unwrap_or_else(|| Unsupported {
                what: what.clone(),
                reason: "it is not in the translation".into(),
                span: decl.span,
            }));
        }
        let scope = Scope::in_suite(self.ground, false);
        let mut values = Values::new(&scope, &case.heap);
        values.keys = Keys::of_values(case.objects.iter().map(|(o, _)| o), &case.heap);
        let ty = Type::named(case.decl, case.type_args.clone());
        let mut parts = Vec::new();
        let mut body = Body::new(&scope);
        // All objects check the constants; only the first one checks the printed form and the
        // traits.
        for (i, (object, constants)) in case.objects.iter().enumerate() {
            let variable = body.make_up(&snake_case(&decl.name));
            if let Value::Ref(object) = object {
                values.name_object(*object, variable.clone());
            }
            // Only the statements that create the object count; its value is the variable.
            values.value(object, &ty).map_err(unsupported)?;
            parts.push(values.take_statements());
            let this = Code::variable(&variable, false);
            let mut checks = Stmts::new();
            if i == 0 {
                checks = self.printed(&scope, case.decl, &variable);
                checks.extend(self.seen_by_traits((&this, &ty), object, &case.heap, &mut values));
            }
            checks.extend(self.constants((Some(&this), &ty), constants, &mut values));
            parts.push(checks);
        }
        parts.push(self.constants((None, &ty), &case.constants, &mut values));
        Ok(test_item(name, &what, &case.doc, parts))
    }

    /// Checks the printed form of an object, the fields that frames compare, and the constants that
    /// reports show.
    fn printed(&self, scope: &Scope<'_, '_>, ty: TypeId, variable: &Ident) -> Stmts {
        let program = self.ground.program;
        let decl = &program[ty];
        let place = self.ground.sources.locate(decl.span);
        let shown = dtest_value::shown_name(program, ty);
        let mut checks = vec![macro_call(
            MacroName::ExpectEq,
            [expr!(to_dafny_string(&#variable)), shown.into()],
            &format!("{place}: {}, printed", decl.name),
        )];
        let (fields, constants): (Vec<FieldId>, Vec<FieldId>) = class::fields(scope, ty)
            .into_iter()
            .partition(|f| matches!(program[*f].kind, FieldKind::Mutable));
        // Messages of failing tests and frames depend on these names.
        for (members, names, what) in [
            (fields, expr!(field_names), "fields that can be assigned"),
            (constants, expr!(constant_names), "constants"),
        ] {
            let called: Vec<&str> = members.iter().map(|f| &*program[*f].name).collect();
            if !called.is_empty() {
                checks.push(macro_call(
                    MacroName::ExpectEq,
                    [expr!(#names(&#variable)), expr!([#..called])],
                    &format!("{place}: {}, {what}", decl.name),
                ));
            }
        }
        checks
    }
}
