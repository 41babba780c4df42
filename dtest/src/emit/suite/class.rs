//! The test of what the translation derives from the declaration of a class: what an object is printed as, the fields in
//! which frames see changes, the traits that a cast finds.

use std::collections::BTreeMap;

use quote::quote;

use super::test::{macro_call, test_item};
use super::{UnitFile, Writer};
use crate::emit::Unsupported;
use crate::emit::case::{ClassCase, Suite, Written};
use crate::emit::class;
use crate::emit::code::ident;
use crate::emit::convention::{Dependency, Scope};
use crate::emit::names::snake_case;
use crate::emit::value::Values;
use crate::typed::{FieldKind, Type, TypeId};
use crate::value::Value;

impl Writer<'_, '_> {
    /// Adds the test of a class, or why there is none.
    pub(super) fn class(&self, case: &ClassCase, files: &mut BTreeMap<TypeId, UnitFile>, suite: &mut Suite) {
        let file = files.entry(case.decl).or_default();
        let name = file.unique("object");
        let written = self.class_test(case, &name).map(|text| {
            file.tests.push(text);
            Written { test: name, valued: true }
        });
        suite.classes.push((case.decl, written));
    }

    fn class_test(&self, case: &ClassCase, name: &str) -> Result<syn::Item, Unsupported> {
        let program = self.ground.program;
        let decl = &program[case.decl];
        let what = program.type_path(case.decl);
        let unsupported = |u: Unsupported| Unsupported { what: what.clone(), span: decl.span, ..u };
        if !self.translation.present.contains(&Dependency::Type(case.decl)) {
            let found = self.translation.unsupported.iter().find(|u| u.what == what).cloned();
            return Err(found.unwrap_or_else(|| Unsupported {
                what: what.clone(),
                reason: "it is not in the translation".into(),
                span: decl.span,
            }));
        }
        let scope = Scope::new(self.ground, None, true);
        let mut values = Values::new(&scope, &case.heap);
        let variable = ident(&snake_case(&decl.name));
        if let Value::Ref(object) = &case.object {
            values.name_object(*object, variable.clone());
        }
        let ty = Type::named(case.decl, case.type_args.clone());
        values.value(&case.object, &ty).map_err(unsupported)?;
        let made = values.take_statements();
        let place = self.ground.sources.locate(decl.span);
        let shown = crate::value::shown_name(program, case.decl);
        let mut checks =
            macro_call("expect_eq", &[quote!(to_dafny_string(&#variable)), quote!(#shown)], &format!("{place}: {}, printed", decl.name));
        let fields = class::fields(&scope, case.decl);
        let names: Vec<&str> =
            fields.iter().filter(|f| matches!(program[**f].kind, FieldKind::Mutable)).map(|f| &*program[*f].name).collect();
        if !names.is_empty() {
            checks.extend(macro_call(
                "expect_eq",
                &[quote!(field_names(&#variable)), quote!([#(#names),*])],
                &format!("{place}: {}, fields that can be assigned", decl.name),
            ));
        }
        test_item(name, &what, &case.doc, &[made, checks]).map_err(unsupported)
    }
}
