//! Tests of what `dafny translate rs` wrote: `--convention dafny`.
//!
//! Inputs, clauses and expected values are those of our translation, which is part of the suite.
//! Only the call of the unit goes to Dafny's code: its arguments are converted to the types of the
//! crate `dafny-runtime`, and its results back. The module `official` of the suite has the
//! conversions, as implementations of a trait; [`Converted`] collects what they have to cover.

mod names;

use std::cell::RefCell;
use std::fmt::Write as _;

use dafny_resolve::typed::{
    Attribute, CallableId, CallableKind, CtorId, FieldId, LocalId, Type, TypeDeclKind, TypeId,
};
use dtest_sorted::SortedSet;

use crate::rust::{self, Ident, Path, expr, ident, path};
use crate::suite::case::Case;
use crate::translation::body::Body;
use crate::translation::convention::{Translated, mentions};
use crate::translation::rep::Rep;

use super::Writer;

/// The conversions of values of the run-time library.
const CONVERSIONS: &str = include_str!("convert.rs.in");
/// Maximum number of components of a tuple that has a conversion.
const MAX_COMPONENTS: usize = 6;
/// Maximum width of a bitvector that has a primitive type in Dafny's translation.
const MAX_WIDTH: u32 = 128;

/// The conversions that the tests need.
#[derive(Debug, Default)]
pub(super) struct Converted {
    datatypes: RefCell<SortedSet<TypeId>>,
    widths: RefCell<SortedSet<u32>>,
    /// The Rust modules of the called code, below its root.
    pub(super) modules: RefCell<SortedSet<Vec<String>>>,
}

impl Writer<'_, '_> {
    /// Writes the call of a unit in Dafny's translation.
    pub(super) fn official_call(
        &self,
        body: &mut Body<'_, '_, '_>,
        case: &Case,
        actuals: Vec<rust::Expr>,
    ) -> Translated<rust::Expr> {
        let (ground, program) = (self.ground, self.ground.program);
        let c = &program[case.unit];
        let refused = |reason: String| body.scope.unsupported(c.span, reason);
        if let Some(reason) = self.without_counterpart(case) {
            return Err(refused(reason));
        }
        let instantiated = |local: LocalId| {
            let ty: &Type = &program[local].ty;
            ty.subst(&body.scope.substitution)
        };
        let formals = ground.formals(case.unit);
        let results = ground.results(case.unit);
        let receiver = c.owner.filter(|_| !c.is_static).into_iter();
        let known = self.converted.datatypes.borrow().clone();
        let mut types = formals.iter().chain(&results).map(|l| instantiated(*l));
        let converted = types.try_for_each(|ty| self.converts(&ty)).and_then(|()| {
            receiver
                .into_iter()
                .try_for_each(|t| self.converts_datatype(t))
        });
        if let Err(reason) = converted {
            // Datatypes that a refused one refers to may depend on it.
            self.converted.datatypes.replace(known);
            return Err(refused(reason));
        }
        let official = |name: &str| Path::of(["crate", "official", name].map(Ident::new));
        let mut converted = Vec::new();
        if let Some(this) = body.this.clone().filter(|_| !c.is_static) {
            let (to, this) = (official("to"), this.borrowed());
            converted.push(expr!(&#to(#this)));
        }
        for (&local, actual) in formals.iter().zip(actuals) {
            let ty = &program[local].ty;
            let to = official("to");
            // A value of a `Copy` type is not borrowed by our convention.
            let argument = if ground.is_copy(ty) {
                expr!(&#actual)
            } else {
                actual
            };
            let theirs = expr!(#to(#argument));
            // Dafny passes booleans and primitive integers by value, except as type parameters.
            let by_value = matches!(ground.rep(ty), Rep::Bool | Rep::Native(_) | Rep::Bv(_));
            converted.push(if by_value { theirs } else { expr!(&#theirs) });
        }
        let callee = self.official_path(case);
        let call = expr!(#callee(#..converted));
        if results.is_empty() {
            return Ok(call);
        }
        let types = results
            .iter()
            .map(|&l| body.scope.rust_type(&program[l].ty));
        let ty = rust::Type::one_or_tuple(types.collect::<Translated<Vec<_>>>()?);
        let of = official("of");
        let of = path!(#of::<#ty>);
        Ok(expr!(#of(&#call)))
    }

    /// Returns the reason why a unit has no counterpart that a test could call.
    fn without_counterpart(&self, case: &Case) -> Option<String> {
        let program = self.ground.program;
        let c = &program[case.unit];
        if !case.answers.is_empty() {
            return Some("Dafny's translation calls its own external code, not stubs".into());
        }
        if c.kind == CallableKind::Constructor || !case.heap.objects.is_empty() {
            return Some("`--convention dafny` converts values, not objects".into());
        }
        let is_extern = |attributes: &[Attribute]| attributes.iter().any(|a| &*a.name == "extern");
        let mut at = Some(c.module);
        while let Some(module) = at {
            if is_extern(&program[module].attributes) {
                return Some("its module has another name by `{:extern}`".into());
            }
            at = program[module].parent;
        }
        if is_extern(&c.attributes) {
            return Some("it has another name by `{:extern}`".into());
        }
        let is_datatype = |t: TypeId| matches!(program[t].kind, TypeDeclKind::Datatype { .. });
        if c.owner.is_some_and(|t| !is_datatype(t)) {
            return Some(
                "`--convention dafny` calls functions and methods of modules and datatypes".into(),
            );
        }
        // Rust infers type arguments from the arguments of a call alone.
        let formals = self.ground.formals(case.unit);
        let is_seen = |p| formals.iter().any(|&f| mentions(&program[f].ty, p));
        let own = c.type_params.iter();
        let of_owner = c
            .owner
            .filter(|_| c.is_static)
            .map(|t| &program[t].type_params);
        let mut all = own.chain(of_owner.into_iter().flatten());
        all.find(|p| !is_seen(**p)).map(|p| {
            format!(
                "its type parameter `{}` is in no parameter",
                program[*p].name
            )
        })
    }

    /// Returns the path of a unit in Dafny's translation.
    fn official_path(&self, case: &Case) -> Path {
        let program = self.ground.program;
        let c = &program[case.unit];
        let modules = names::modules(program, c.module);
        let owner = c
            .owner
            .map_or("_default".to_owned(), |t| names::escaped(&program[t].name));
        let segments = ["crate", "theirs"].map(str::to_owned);
        self.converted.modules.borrow_mut().insert(modules.clone());
        let all = segments
            .into_iter()
            .chain(modules)
            .chain([owner, names::escaped(&c.name)]);
        Path::of(all.map(|s| Ident::new(&s)))
    }

    /// Records what tests of units that stay convert, if they do.
    pub(super) fn keep_conversions(&self, staying: &[CallableId]) {
        for &unit in staying.iter().filter(|_| self.options.official.is_some()) {
            let (formals, results) = (self.ground.formals(unit), self.ground.results(unit));
            let known = self.converted.datatypes.borrow().clone();
            let mut locals = formals.into_iter().chain(results);
            let converted = locals.try_for_each(|l| self.converts(&self.ground.program[l].ty));
            if converted.is_err() {
                self.converted.datatypes.replace(known);
            }
        }
    }

    /// Checks that values of a type have conversions, and records those that are generated.
    fn converts(&self, ty: &Type) -> Result<(), String> {
        let program = self.ground.program;
        let refused = |what: &str| Err(format!("`--convention dafny` does not convert {what}"));
        match self.ground.rep(ty) {
            Rep::Bool | Rep::Char | Rep::Int | Rep::Native(_) => Ok(()),
            // Code with reals does not compile with the published library.
            Rep::Real => refused("reals, for which `dafny-runtime` 0.3 has no type"),
            Rep::Bv(n) if n <= MAX_WIDTH => {
                self.converted.widths.borrow_mut().insert(n);
                Ok(())
            }
            Rep::Bv(_) => refused("bitvectors of more than 128 bits"),
            Rep::Ordinal => refused("ordinals"),
            Rep::Set(_) | Rep::Map(..)
                if matches!(
                    program.representation(ty),
                    Type::Set { finite: false, .. } | Type::Map { finite: false, .. }
                ) =>
            {
                refused("infinite sets and maps")
            }
            Rep::Seq(e) | Rep::Set(e) | Rep::Multiset(e) => self.converts(&e),
            Rep::Map(k, v) => self.converts(&k).and_then(|()| self.converts(&v)),
            Rep::Tuple(parts) if parts.len() > MAX_COMPONENTS || parts.is_empty() => {
                refused("tuples without components, or with more than six")
            }
            Rep::Tuple(parts) => parts.iter().try_for_each(|t| self.converts(t)),
            Rep::Datatype(decl, args) => {
                args.iter().try_for_each(|t| self.converts(t))?;
                self.converts_datatype(decl)
            }
            // Within a datatype; the arguments are checked where it is used.
            Rep::Param(_) => Ok(()),
            Rep::Arrow(..) => refused("functions"),
            Rep::Array(..) | Rep::Class(..) | Rep::Object => refused("objects and arrays"),
            Rep::Trait(..) => refused("values of traits"),
            Rep::Opaque | Rep::Error => refused("values of abstract types"),
        }
    }

    fn converts_datatype(&self, decl: TypeId) -> Result<(), String> {
        let program = self.ground.program;
        if self.converted.datatypes.borrow().contains(&decl) {
            return Ok(());
        }
        if program.is_codatatype(decl) {
            return Err("`--convention dafny` does not convert values of codatatypes".into());
        }
        if !self.ground.phantoms(decl).is_empty() {
            return Err(format!(
                "a type parameter of `{}` is in no field",
                program.type_path(decl)
            ));
        }
        // It is known before its fields are checked, which may refer to it.
        self.converted.datatypes.borrow_mut().insert(decl);
        let mut fields = self.fields(decl).into_iter();
        fields.try_for_each(|f| self.converts(&program[f].ty))
    }

    /// Returns the compiled fields of a datatype.
    fn fields(&self, decl: TypeId) -> Vec<FieldId> {
        let program = self.ground.program;
        let ctors = self.ctors(decl).into_iter();
        let fields = ctors.flat_map(|c| program[c].fields.iter().copied());
        fields.filter(|f| !program[*f].ghost).collect()
    }

    /// Returns the compiled constructors of a datatype.
    fn ctors(&self, decl: TypeId) -> Vec<CtorId> {
        let program = self.ground.program;
        match &program[decl].kind {
            TypeDeclKind::Datatype { ctors, .. } => ctors
                .iter()
                .copied()
                .filter(|c| !program[*c].ghost)
                .collect(),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Iterator(_)
            | TypeDeclKind::Trait { .. } => Vec::new(),
        }
    }
}

impl Writer<'_, '_> {
    /// Formats the module `official`: the conversions of what the tests convert. It is empty if
    /// Dafny's translation is not under test.
    pub(super) fn official(&self) -> String {
        if self.options.official.is_none() {
            return String::new();
        }
        // Conversions of datatypes name both translations.
        let imports = if self.converted.datatypes.borrow().is_empty() {
            ""
        } else {
            "use crate::{subject, theirs};\n\n"
        };
        let mut out = format!(
            "{}\n//! Conversions between the values of this suite and those of the crate `dafny-runtime`.\n\n#![allow(dead_code, unreachable_patterns, unused_macros, clippy::all)]\n\nuse dafny_runtime::{{DafnyType, DafnyTypeEq}};\nuse dunit::prelude::*;\n\n{imports}{CONVERSIONS}",
            self.options.header
        );
        let widths = self.converted.widths.borrow();
        if !widths.is_empty() {
            let all: Vec<String> = widths
                .iter()
                .map(|n| format!("{n}: u{}", primitive(*n)))
                .collect();
            let _ = write!(out, "\nvectors!({});\n", all.join(", "));
        }
        for &decl in self.converted.datatypes.borrow().iter() {
            out.push('\n');
            out.push_str(&self.datatype_conversion(decl));
        }
        out
    }

    /// Formats the conversion of a datatype.
    fn datatype_conversion(&self, decl: TypeId) -> String {
        let program = self.ground.program;
        let declared = &program[decl];
        let modules = self.ground.rust_module(declared.module, declared.span);
        let modules: String = modules.iter().map(|m| format!("{}::", ident(m))).collect();
        let ours = format!(
            "subject::{modules}{}",
            ident(self.ground.names.type_name(decl))
        );
        let modules = names::modules(program, declared.module).join("::");
        let theirs = format!("theirs::{modules}::{}", names::escaped(&declared.name));
        let count = declared.type_params.len();
        let list = |of: &dyn Fn(usize) -> String| -> String {
            let all: Vec<String> = (0..count).map(of).collect();
            if all.is_empty() {
                String::new()
            } else {
                format!("<{}>", all.join(", "))
            }
        };
        let generics = list(&|n| format!("T{n}: Official + Ord + Clone + 'static"));
        let (own, of_theirs) = (
            list(&|n| format!("T{n}")),
            list(&|n| format!("T{n}::Theirs")),
        );
        let bounds: String = (0..count)
            .map(|n| format!("    T{n}::Theirs: DafnyTypeEq,\n"))
            .collect();
        let bounds = if bounds.is_empty() {
            String::new()
        } else {
            format!("\nwhere\n{bounds}")
        };
        let (mut to, mut of) = (String::new(), String::new());
        for ctor in self.ctors(decl) {
            let ctor_decl = &program[ctor];
            let (mut our_fields, mut their_fields) = (Vec::new(), Vec::new());
            let mut unnamed = 0..;
            for (&f, is_named) in ctor_decl.fields.iter().zip(&ctor_decl.named) {
                // Dafny numbers the fields without a name, ghost ones included.
                let theirs = match is_named {
                    true => names::escaped(&program[f].name),
                    false => format!("_h{}", unnamed.next().unwrap_or_default()),
                };
                if !program[f].ghost {
                    our_fields.push(ident(self.ground.names.field(f)).to_string());
                    their_fields.push(theirs);
                }
            }
            let pattern = |fields: &[String]| {
                let bound = fields.iter().enumerate().map(|(i, f)| format!("{f}: v{i}"));
                bound.collect::<Vec<_>>().join(", ")
            };
            let built = |fields: &[String], convert: &dyn Fn(usize) -> String| {
                let built = fields
                    .iter()
                    .enumerate()
                    .map(|(i, f)| format!("{f}: {}", convert(i)));
                built.collect::<Vec<_>>().join(", ")
            };
            let our = format!("{ours}::{}", ident(self.ground.names.ctor(ctor)));
            let their = format!("{theirs}::{}", names::escaped(&ctor_decl.name));
            let _ = writeln!(
                to,
                "            {our} {{ {} }} => {their} {{ {} }},",
                pattern(&our_fields),
                built(&their_fields, &|i| format!("v{i}.to()"))
            );
            let _ = writeln!(
                of,
                "            {their} {{ {} }} => {our} {{ {} }},",
                pattern(&their_fields),
                built(&our_fields, &|i| format!("Official::of(v{i})"))
            );
        }
        let _ = writeln!(
            of,
            "            _ => panic!(\"a value without a constructor of this program\"),"
        );
        format!(
            "impl{generics} Official for {ours}{own}{bounds}{{\n    type Theirs = dafny_runtime::Rc<{theirs}{of_theirs}>;\n    fn to(&self) -> Self::Theirs {{\n        dafny_runtime::Rc::new(match self {{\n{to}        }})\n    }}\n    fn of(theirs: &Self::Theirs) -> Self {{\n        match &**theirs {{\n{of}        }}\n    }}\n}}\n"
        )
    }
}

/// Returns the width of the primitive type for bitvectors of a width.
fn primitive(width: u32) -> u32 {
    [8, 16, 32, 64]
        .into_iter()
        .find(|n| width <= *n)
        .unwrap_or(MAX_WIDTH)
}
