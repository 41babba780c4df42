//! The test of the code that the translation derives from a datatype declaration: discriminators,
//! destructors, printed forms, constants.

use super::functions::Keys;
use super::looks::{destructed, reads};
use super::test::{is_plain, macro_call, test_item};
use super::{UnitFile, Writer};
use crate::Unsupported;
use crate::rust::{Expr, Ident, MacroName, Stmts, expr, ident, resolved, stmts, without_raw};
use crate::suite::case::{DatatypeCase, MadeValue, Oracle, Suite, Written};
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::code::Code;
use crate::translation::convention::{Dependency, Scope};
use crate::translation::names::snake_case;
use dafny_resolve::typed::{CtorId, TypeId};
use dtest_sorted::SortedMap;
use dtest_value::{DatatypeValue, Value};

/// Maximum length of a printed form that a test compares, in characters.
const MAX_FORM: usize = 400;

impl Writer<'_, '_> {
    /// Adds the test of a datatype, or the reason why there is none.
    pub(super) fn datatype(
        &self,
        case: &DatatypeCase,
        files: &mut SortedMap<TypeId, UnitFile>,
        suite: &mut Suite,
    ) {
        let file = files.entry(case.decl).or_default();
        let name = file.unique("constructors");
        let written = self.datatype_test(case, &name).map(|text| {
            file.tests.push(text);
            Written {
                test: name,
                oracle: Oracle::Values,
            }
        });
        suite.datatypes.push((case.decl, written));
    }

    fn datatype_test(
        &self,
        case: &DatatypeCase,
        name: &str,
    ) -> Result<resolved::Item, Unsupported> {
        let program = self.ground.program;
        let decl = &program[case.decl];
        let what = program.type_path(case.decl);
        // The datatype may be missing in the translation; its reason is the one of the test.
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
                what,
                reason: "it is not in the translation".into(),
                span: decl.span,
            }));
        }
        let scope = Scope::in_suite(self.ground, false);
        let mut body = Body::new(&scope);
        let mut values = Values::new(&scope, &case.heap);
        values.keys = Keys::of_values(case.values.iter().map(|v| &v.value), &case.heap);
        let mut doc = case.doc.clone();
        let mut parts = Vec::new();
        let ty = dafny_resolve::typed::Type::named(case.decl, case.type_args.clone());
        // One value for each constructor. A value that cannot be written does not prevent the
        // others.
        for MadeValue {
            value,
            printed,
            constants,
        } in &case.values
        {
            let Value::Datatype(made) = value else {
                continue;
            };
            let name = &body.make_up(&snake_case(&program[made.ctor].name));
            match values.value(value, &ty) {
                Ok(value) => {
                    let objects = values.take_statements();
                    let checks = self.checks(case, made, name, printed, &mut values);
                    let this = Code::variable(name, false);
                    let constants = self.constants((Some(&this), &ty), constants, &mut values);
                    parts.push(stmts!(#..objects let #name = #value; #..checks #..constants));
                }
                Err(u) => doc.push(format!(
                    "Not covered: `{}` ({}).",
                    program[made.ctor].name, u.reason
                )),
            }
        }
        if parts.is_empty() {
            let reason = "none of its values can be written".into();
            return Err(Unsupported {
                what,
                reason,
                span: decl.span,
            });
        }
        parts.push(self.constants((None, &ty), &case.constants, &mut values));
        Ok(test_item(name, &what, &doc, parts))
    }

    /// Writes the checks of a value that a constructor creates.
    fn checks(
        &self,
        case: &DatatypeCase,
        made: &DatatypeValue,
        name: &Ident,
        printed: &str,
        values: &mut Values<'_, '_, '_>,
    ) -> Stmts {
        let (program, names) = (self.ground.program, &self.ground.names);
        let ctors = self.ground.datatype_ctors(case.decl);
        let ctor = &program[made.ctor];
        let place = self.ground.sources.locate(ctor.span);
        let tester = |c: CtorId| ident(names.tester(c));
        let own = tester(made.ctor);
        // Each discriminator is checked on its own constructor and on the previous one.
        let next = ctors
            .iter()
            .position(|&c| c == made.ctor)
            .and_then(|i| ctors.iter().cycle().nth(i + 1));
        let condition = match next.filter(|&&c| c != made.ctor).map(|&c| tester(c)) {
            Some(other) => expr!(#name.#own() && !#name.#other()),
            None => expr!(#name.#own()),
        };
        let mut checks = vec![macro_call(
            MacroName::Expect,
            [condition],
            &format!("{place}: {}", ctor.name),
        )];
        let substitution = program.substitution(case.decl, &case.type_args);
        for (&f, value) in ctor.fields.iter().zip(&made.args) {
            let field = &program[f];
            if field.ghost {
                continue;
            }
            let text = format!("{place}: {}.{}", ctor.name, field.name);
            let ty = field.ty.subst(&substitution);
            let (got, of) = destructed(values.scope, &name.into(), f);
            // A lazy field can be read with and without evaluating it.
            let mut ways = vec![(got, of)];
            if self.ground.is_lazy(f) && self.options.is_translation {
                let lazy = ident(names.lazy(f));
                ways.push((expr!(**#name.#lazy()), expr!(#name.#lazy())));
            }
            for (got, of) in ways {
                checks.extend(reads((&got, &of), (value, &ty), &text, values));
            }
        }
        // For a codatatype, only the constructor is printed.
        // Objects and functions within the value have a printed form that differs from run to run.
        let is_short = printed.chars().nth(MAX_FORM).is_none();
        if is_short
            && (program.is_codatatype(case.decl)
                || made
                    .args
                    .iter()
                    .all(|v| is_plain(v) || matches!(v, Value::Null)))
        {
            let shown = format!("{{{}:?}}", without_raw(&name.to_string()));
            checks.push(macro_call(
                MacroName::ExpectEq,
                [Expr::format(&shown), printed.into()],
                &format!("{place}: {}, printed", ctor.name),
            ));
        }
        checks
    }
}
