//! The conversions of values of traits: an object is converted with its own class, and then cast.
//!
//! A mock has no class in Dafny's code. Its counterpart is a struct that implements the trait of
//! Dafny's code by calls of the mock.

use std::fmt::Write as _;

use dafny_resolve::typed::{CallableId, FieldKind, Type, TypeId};

use crate::rust::{self, Bound, GenericArgument, Generics, ident};
use crate::suite::Writer;
use crate::translation::convention::{Scope, Translated};
use crate::translation::traits::{is_looked_up, lineage};

use super::converts::{NoCounterpart, refused};
use super::names;

/// A trait, or `object`, with the classes that implement it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trait {
    /// The type without type parameters.
    pub(super) ty: Type,
    /// The classes of its objects that have conversions.
    pub(super) classes: Vec<Type>,
}

impl Writer<'_, '_> {
    /// Returns the reason why the values of a trait have no counterpart.
    pub(super) fn refused_trait(&self, decl: TypeId, args: &[Type]) -> Result<(), NoCounterpart> {
        let program = self.ground.program;
        let path = program.type_path(decl);
        if !program.is_reference(&Type::named(decl, args.to_vec())) {
            return refused("values of traits that do not extend `object`");
        }
        if args.iter().any(has_params) {
            return Err(NoCounterpart(format!(
                "`{path}` has arguments that are type parameters"
            )));
        }
        for (owner, _) in lineage(program, decl, args) {
            let mut fields = program[owner].fields.iter().filter(|f| {
                let field = &program[**f];
                !field.ghost && !field.is_static && !matches!(field.kind, FieldKind::Const(Some(_)))
            });
            if let Some(f) = fields.next() {
                let field = &program[*f].name;
                return Err(NoCounterpart(format!(
                    "`{path}` has the field `{field}`, which Dafny's Rust has not"
                )));
            }
        }
        Ok(())
    }

    /// Returns the reason why a mock of a trait cannot be called by Dafny's code.
    pub(super) fn refused_mock(&self, decl: TypeId, args: &[Type]) -> Result<(), NoCounterpart> {
        let program = self.ground.program;
        for (owner, _) in lineage(program, decl, args) {
            for &member in self.compiled_members(owner).iter() {
                let is_own = program[member].overrides.is_empty();
                if !program[member].type_params.is_empty() || !is_own {
                    let path = program.callable_path(member);
                    return Err(NoCounterpart(format!(
                        "a mock whose member `{path}` is generic or overrides another"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns the compiled members of a trait that are dispatched by the receiver.
    fn compiled_members(&self, decl: TypeId) -> Vec<CallableId> {
        let program = self.ground.program;
        let all = program[decl].callables.iter().copied();
        all.filter(|&c| !program[c].ghost && is_looked_up(program, c))
            .collect()
    }

    /// Formats the conversion of a trait, or of `object`.
    pub(super) fn trait_conversion(&self, of: &Trait) -> Translated<String> {
        let scope = Scope::in_suite(self.ground, false);
        let ours = type_text(&scope.rust_type(&of.ty)?);
        let theirs = self.their_trait(&scope, &of.ty)?;
        let (mut to, mut from) = (String::new(), String::new());
        let mut classes = Vec::new();
        for class in &of.classes {
            classes.push((
                type_text(&scope.rust_type(class)?),
                self.their_class(&scope, class)?,
            ));
        }
        if let Type::Object { .. } = of.ty {
            classes.push(("Ref<dunit::PlainObject>".to_owned(), "Plain".to_owned()));
        }
        for (our_class, their_class) in classes {
            let _ = write!(
                to,
                "        if dunit::instance_of::<{our_class}, _>(self) {{\n            let own: {our_class} = dunit::downcast(self);\n            return dafny_runtime::UpcastObject::<{theirs}>::upcast(own.to().as_ref());\n        }}\n"
            );
            let _ = write!(
                from,
                "        if theirs.clone().is_instance_of::<{their_class}>() {{\n            let own = dafny_runtime::cast_object!(theirs.clone(), {their_class});\n            return dunit::upcast(&<{our_class}>::of(&own));\n        }}\n"
            );
        }
        let mut mock = String::new();
        if let Type::Named { decl, args, .. } = &of.ty
            && self.refused_mock(*decl, args).is_ok()
        {
            let letters = |c: &char| c.is_alphanumeric();
            let name: String = theirs
                .replace("theirs::", "")
                .chars()
                .filter(letters)
                .collect();
            // Without `dyn`.
            let name = format!("Mocked{}", name.trim_start_matches("dyn"));
            let _ = write!(
                to,
                "        let mock = counterpart(self.identity()).unwrap_or_else(|| {{\n            let mock = dafny_runtime::Object::new({name}(keep(self.clone())));\n            join((self.identity(), self.clone()), (address(&mock), mock.clone()), |_| {{}});\n            mock\n        }});\n        dafny_runtime::UpcastObject::<{theirs}>::upcast(mock.as_ref())\n"
            );
            mock = self.mock_text(&scope, (*decl, args), &name, &ours)?;
        } else {
            to.push_str("        panic!(\"an object without a conversion\")\n");
        }
        Ok(format!(
            "impl Official for {ours} {{\n    type Theirs = dafny_runtime::Object<{theirs}>;\n    fn to(&self) -> Self::Theirs {{\n        if self.is_null() {{\n            return dafny_runtime::Object(None);\n        }}\n{to}    }}\n    fn of(theirs: &Self::Theirs) -> Self {{\n        if theirs.is_null() {{\n            return Dyn::null();\n        }}\n        if let Some(known) = original::<Self>(address(theirs)) {{\n            return known;\n        }}\n{from}        panic!(\"an object without a conversion\")\n    }}\n}}\n{mock}"
        ))
    }

    /// Formats the struct that is the counterpart of mocks of a trait.
    fn mock_text(
        &self,
        scope: &Scope<'_, '_>,
        (decl, args): (TypeId, &[Type]),
        name: &str,
        ours: &str,
    ) -> Translated<String> {
        let (ground, program) = (self.ground, self.ground.program);
        let path = program.type_path(decl);
        let mut out = format!(
            "\n/// A mock of `{path}` for Dafny's code, by its number.\nstruct {name}(usize);\n\nimpl dafny_runtime::UpcastObject<dafny_runtime::DynAny> for {name} {{\n    dafny_runtime::UpcastObjectFn!(dafny_runtime::DynAny);\n}}\n"
        );
        for (owner, of) in lineage(program, decl, args) {
            let ty = Type::named(owner, of.clone());
            let theirs = self.their_trait(scope, &ty)?;
            let bare = theirs.strip_prefix("dyn ").unwrap_or(&theirs);
            let own = type_text(&scope.rust_type(&ty)?);
            let own = format!("<{} as {}>", within_dyn(ours, ""), within_dyn(&own, "dyn "));
            let mut within = Scope::in_suite(ground, false);
            within.substitution = program.substitution(owner, &of);
            let mut members = String::new();
            for member in self.compiled_members(owner) {
                // A body is that of Dafny's code.
                if matches!(program[member].body, dafny_resolve::typed::Body::None) {
                    members.push_str(&self.mock_member(&within, member, &own, ours)?);
                }
            }
            let _ = write!(
                out,
                "\nimpl dafny_runtime::UpcastObject<{theirs}> for {name} {{\n    dafny_runtime::UpcastObjectFn!({theirs});\n}}\n\nimpl {bare} for {name} {{\n{members}}}\n"
            );
        }
        Ok(out)
    }

    /// Formats a member of Dafny's trait that calls the mock.
    fn mock_member(
        &self,
        within: &Scope<'_, '_>,
        member: CallableId,
        own: &str,
        ours: &str,
    ) -> Translated<String> {
        let (ground, program) = (self.ground, self.ground.program);
        let (mut params, mut args) = (String::new(), String::new());
        for (n, local) in ground.formals(member).into_iter().enumerate() {
            let ty = &program[local].ty;
            let text = type_text(&within.rust_type(ty)?);
            let by_value = self.is_by_value(ty);
            let (amp, given) = if by_value { ("", "&") } else { ("&", "") };
            let _ = write!(params, ", a{n}: {amp}Theirs<{text}>");
            let amp = if ground.is_copy(ty) { "" } else { "&" };
            let _ = write!(args, ", {amp}<{text}>::of({given}a{n})");
        }
        let results = ground.results(member);
        let types = results.iter().map(|&l| within.rust_type(&program[l].ty));
        let result = rust::Type::one_or_tuple(types.collect::<Translated<Vec<_>>>()?);
        let result = type_text(&result);
        let name = names::callable_name(program, member);
        let called = ident(ground.names.callable(member));
        Ok(format!(
            "    fn {name}(&self{params}) -> Theirs<{result}> {{\n        called(|| {own}::{called}(&*kept::<{ours}>(self.0){args}).to())\n    }}\n"
        ))
    }

    /// Returns the type of a trait object in Dafny's code.
    fn their_trait(&self, scope: &Scope<'_, '_>, ty: &Type) -> Translated<String> {
        let Type::Named { decl, .. } = ty else {
            return Ok("dafny_runtime::DynAny".to_owned());
        };
        Ok(format!("dyn {}", self.their_type(scope, *decl, ty)?))
    }

    /// Returns the type of a class in Dafny's code.
    fn their_class(&self, scope: &Scope<'_, '_>, ty: &Type) -> Translated<String> {
        let Type::Named { decl, .. } = ty else {
            return Ok(String::new());
        };
        self.their_type(scope, *decl, ty)
    }

    fn their_type(&self, scope: &Scope<'_, '_>, decl: TypeId, ty: &Type) -> Translated<String> {
        let program = self.ground.program;
        let modules = self.official_modules(program[decl].module).join("::");
        let name = names::type_name(program, decl);
        let Type::Named { args, .. } = ty else {
            return Ok(format!("theirs::{modules}::{name}"));
        };
        let mut written = Vec::new();
        for arg in args {
            written.push(format!("Theirs<{}>", type_text(&scope.rust_type(arg)?)));
        }
        let args = match written.is_empty() {
            true => String::new(),
            false => format!("<{}>", written.join(", ")),
        };
        Ok(format!("theirs::{modules}::{name}{args}"))
    }
}

/// Returns the content of `Dyn<…>`, without a prefix.
fn within_dyn<'t>(text: &'t str, prefix: &str) -> &'t str {
    let inner = text.strip_prefix("Dyn<").and_then(|t| t.strip_suffix('>'));
    let inner = inner.unwrap_or(text);
    inner.strip_prefix(prefix).unwrap_or(inner)
}

/// Whether a type mentions type parameters.
fn has_params(ty: &Type) -> bool {
    ty.any(&mut |t| matches!(t, Type::Param(_)))
}

/// Formats a Rust type.
fn type_text(ty: &rust::Type) -> String {
    let list = |types: &[rust::Type]| -> String {
        types.iter().map(type_text).collect::<Vec<_>>().join(", ")
    };
    match ty {
        rust::Type::Path(path) => path_text(path),
        rust::Type::Reference { mutable, of, .. } => {
            let mutable = if *mutable { "mut " } else { "" };
            format!("&{mutable}{}", type_text(of))
        }
        rust::Type::Tuple(parts) if parts.len() == 1 => format!("({},)", list(parts)),
        rust::Type::Tuple(parts) => format!("({})", list(parts)),
        rust::Type::Array(of, length) => format!("[{}; {length}]", type_text(of)),
        rust::Type::Slice(of) => format!("[{}]", type_text(of)),
        rust::Type::Dyn(bounds) => {
            let bounds = bounds.iter().map(|b| match b {
                Bound::Trait(path) => path_text(path),
                Bound::Lifetime(name) => format!("'{name}"),
            });
            format!("dyn {}", bounds.collect::<Vec<_>>().join(" + "))
        }
        rust::Type::Infer => "_".to_owned(),
    }
}

fn path_text(path: &rust::Path) -> String {
    let segments = path.segments.iter().map(|s| match &s.generics {
        Generics::Arguments(args) if !args.is_empty() => {
            let args = args.iter().map(|a| match a {
                GenericArgument::Type(ty) => type_text(ty),
                GenericArgument::Lifetime(name) => format!("'{name}"),
                GenericArgument::Const(value) => value.clone(),
                GenericArgument::Associated(name, ty) => format!("{name} = {}", type_text(ty)),
            });
            format!("{}<{}>", s.name, args.collect::<Vec<_>>().join(", "))
        }
        Generics::None | Generics::Arguments(_) | Generics::Function(..) => s.name.clone(),
    });
    segments.collect::<Vec<_>>().join("::")
}
