//! Tests of what `dafny translate rs` wrote: `--convention dafny`.
//!
//! Inputs, clauses and expected values are those of our translation, which is part of the suite.
//! Only the call of the unit goes to Dafny's code: its arguments are converted to the types of the
//! crate `dafny-runtime`, and its results back. The module `official` of the suite has the
//! conversions, as implementations of a trait; [`converts`] collects what they have to cover.
//!
//! An object has a counterpart, to which its state is copied when it is converted. After the call,
//! the states of all counterparts are copied back, so that clauses, frames and expected states are
//! checked on our objects.

mod converts;
mod module;
mod names;
mod traits;

use std::cell::{Cell, RefCell};

use dafny_resolve::typed::{
    CallableId, CallableKind, LocalId, ModuleId, Type, TypeDeclKind, TypeId, TypeParamId,
};
use dtest_sorted::SortedSet;
use dtest_value::{Answer, Value};

use crate::rust::{
    self, GenericArgument, Generics, Ident, MacroName, Path, expr, ident, path, stmts, ty,
};
use crate::suite::case::Case;
use crate::translation::body::Body;
use crate::translation::code::Code;
use crate::translation::convention::{Translated, mentions};
use crate::translation::rep::Rep;

use super::Writer;
use super::test::macro_call;
use converts::{NoCounterpart, Search, Types};

/// The conversions that the tests need.
#[derive(Debug, Default)]
pub(super) struct Converted {
    types: RefCell<Types>,
    /// Whether tests check the output of Dafny's code.
    has_output: Cell<bool>,
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
        let formals = ground.formals(case.unit);
        let results = ground.results(case.unit);
        let mut search = Search::new(self);
        let instantiated = |l: &LocalId| program[*l].ty.subst(&body.scope.substitution);
        let receiver = c.owner.filter(|t| program.is_trait(*t) && !c.is_static);
        let receiver = receiver.map(|t| Type::named(t, self.owner_args(case).to_vec()));
        let mut types = (formals.iter().chain(&results))
            .map(instantiated)
            .chain(receiver);
        types
            .try_for_each(|ty| search.values(&ty))
            .and_then(|()| case.type_args.iter().try_for_each(|ty| search.values(ty)))
            .and_then(|()| c.owner.map_or(Ok(()), |t| self.owner(&mut search, t)))
            .and_then(|()| search.objects(case))
            .map_err(|NoCounterpart(reason)| refused(reason))?;
        let has_objects = search.types.has_objects();
        self.converted.types.borrow_mut().extend(search.types);

        let is_constructor = c.kind == CallableKind::Constructor;
        let mut converted = Vec::new();
        if is_constructor {
            converted.push(rust::Expr::from(ident("this")));
        } else if let Some(this) = body.this.clone().filter(|_| !c.is_static) {
            converted.push(self.official_receiver(case, &this));
        }
        for (&local, actual) in formals.iter().zip(actuals) {
            let ty = &program[local].ty;
            // A value of a `Copy` type is not borrowed by our convention.
            let argument = if ground.is_copy(ty) {
                expr!(&#actual)
            } else {
                actual
            };
            let to = official("to");
            let theirs = expr!(#to(#argument));
            converted.push(match self.is_by_value(ty) {
                true => theirs,
                false => expr!(&#theirs),
            });
        }
        let callee = self.official_path(body, case)?;
        let call = expr!(#callee(#..converted));
        if is_constructor {
            let class = c.owner.map(|t| body.scope.type_path(t));
            let args = self.owner_args(case);
            let class = class.ok_or_else(|| refused("a constructor without a class".into()))?;
            let args = body.scope.turbofish(args)?;
            let class = ty!(#class<#..args>);
            let created = official("created");
            let created = path!(#created::<#class>);
            let this = &ident("this");
            return Ok(expr!(#created(|#this| #call)));
        }
        let value = if results.is_empty() {
            call
        } else {
            let types = results
                .iter()
                .map(|&l| body.scope.rust_type(&program[l].ty));
            let ty = rust::Type::one_or_tuple(types.collect::<Translated<Vec<_>>>()?);
            let of = official("of");
            let of = path!(#of::<#ty>);
            expr!(#of(&#call))
        };
        // The states of objects are copied back after the call.
        let after = official("after");
        Ok(if has_objects {
            expr!(#after(#value))
        } else {
            value
        })
    }

    /// Writes the statements that read and check the output of Dafny's code: the first before the
    /// call.
    pub(super) fn official_output(
        &self,
        case: &Case,
        call: &rust::Expr,
        doc: &mut Vec<String>,
    ) -> Option<(rust::Stmt, rust::Stmt)> {
        self.options.official.as_ref()?;
        let (text, what) = self.output_text(case, doc)?;
        // The elements of sets, multisets and maps have any order, which changes from run to run.
        if text.contains('{') {
            doc.push("Output not checked: the order of its elements is any.".to_owned());
            return None;
        }
        self.converted.has_output.set(true);
        let printed = official("printed");
        let print = stmts!(let printed = #printed(|| #call););
        let check = macro_call(MacroName::ExpectEq, [expr!(printed), text.into()], &what);
        Some((print.into_iter().next()?, check))
    }

    /// Records the conversions of the type that declares a unit.
    fn owner(&self, search: &mut Search<'_, '_, '_>, owner: TypeId) -> Result<(), NoCounterpart> {
        match self.ground.program[owner].kind {
            TypeDeclKind::Datatype { .. } => search.datatype(owner),
            TypeDeclKind::Class => search.class(owner),
            // The type arguments are known where the trait's member is called.
            TypeDeclKind::Trait { .. } => Ok(()),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Iterator(_) => Err(NoCounterpart(
                "`--convention dafny` calls no members of newtypes".into(),
            )),
        }
    }

    /// Writes the receiver of a call.
    fn official_receiver(&self, case: &Case, this: &Code) -> rust::Expr {
        let (to, this) = (official("to"), this.borrowed());
        let owner = self.ground.program[case.unit].owner;
        let is_datatype = owner
            .is_some_and(|t| matches!(self.ground.program[t].kind, TypeDeclKind::Datatype { .. }));
        if is_datatype {
            expr!(&#to(#this))
        } else {
            expr!(#to(#this).as_ref())
        }
    }

    /// Whether Dafny passes arguments of a type by value: booleans and primitive integers are,
    /// except as type parameters.
    fn is_by_value(&self, ty: &Type) -> bool {
        matches!(self.ground.rep(ty), Rep::Bool | Rep::Native(_) | Rep::Bv(_))
    }

    /// Returns the type arguments of the type that declares a unit.
    fn owner_args<'c>(&self, case: &'c Case) -> &'c [Type] {
        let program = self.ground.program;
        let owner = program[case.unit].owner;
        let count = owner.map_or(0, |t| program[t].type_params.len());
        case.type_args.get(..count).unwrap_or_default()
    }

    /// Returns the reason why a unit has no counterpart that a test could call.
    fn without_counterpart(&self, case: &Case) -> Option<String> {
        let program = self.ground.program;
        let c = &program[case.unit];
        let is_trait = |t: TypeId| program.is_trait(t);
        let is_of_mock = |a: &Answer| {
            let Some(Some(Value::Ref(object))) = a.args.first() else {
                return false;
            };
            let object = case.heap.objects.get(object.0 as usize);
            let is_mock =
                matches!(object.map(|o| &o.ty), Some(Type::Named { decl, .. }) if is_trait(*decl));
            is_mock && program[a.callee].owner.is_some_and(is_trait)
        };
        if c.is_static && c.owner.is_some_and(is_trait) {
            return Some("Dafny's Rust has no path for a static member of a trait".into());
        }
        if !case.answers.iter().all(is_of_mock) {
            return Some("Dafny's translation calls its own external code, not stubs".into());
        }
        let is_name = |s: &str| s.chars().all(|c| c.is_alphanumeric() || "_#".contains(c));
        let path = self.official_names(case.unit);
        if !path.iter().all(|s| is_name(s)) {
            return Some(format!("`{}` is not a path in Rust", path.join("::")));
        }
        None
    }

    /// Returns the Rust modules of a Dafny module in Dafny's translation.
    fn official_modules(&self, module: ModuleId) -> Vec<String> {
        let code = self.options.official.as_ref();
        let has_suffixes = code.is_some_and(|c| c.has_suffixes);
        names::modules(self.ground.program, module, has_suffixes)
    }

    /// Returns the names of the path of a unit in Dafny's translation, below its root.
    fn official_names(&self, unit: CallableId) -> Vec<String> {
        let program = self.ground.program;
        // A member of a trait is called through the trait that declares it.
        let unit = program.first_declaration(unit);
        let c = &program[unit];
        let mut names = self.official_modules(c.module);
        names.push(
            c.owner
                .map_or("_default".to_owned(), |t| names::type_name(program, t)),
        );
        names.push(names::callable_name(program, unit));
        names
    }

    /// Returns the path of a unit in Dafny's translation, with the type arguments that Rust cannot
    /// infer.
    fn official_path(&self, body: &Body<'_, '_, '_>, case: &Case) -> Translated<Path> {
        let program = self.ground.program;
        let c = &program[case.unit];
        let modules = self.official_modules(program[program.first_declaration(case.unit)].module);
        self.converted.modules.borrow_mut().insert(modules);
        let names = self.official_names(case.unit);
        // Rust infers type arguments from the arguments of a call alone.
        let formals = self.ground.formals(case.unit);
        let is_seen = |p: &TypeParamId| formals.iter().any(|&f| mentions(&program[f].ty, *p));
        let written = |params: &[TypeParamId], args: &[Type]| -> Translated<Generics> {
            if params.iter().all(is_seen) {
                return Ok(Generics::None);
            }
            let theirs = &official("Theirs");
            let of = |arg: &Type| -> Translated<GenericArgument> {
                let ty = body.scope.rust_type(arg)?;
                Ok(ty!(#theirs<#ty>).into())
            };
            Ok(Generics::of(
                args.iter().map(of).collect::<Translated<_>>()?,
            ))
        };
        let is_of_type = c.is_static || c.kind == CallableKind::Constructor;
        let of_owner = match c.owner.filter(|_| is_of_type) {
            Some(owner) => written(&program[owner].type_params, self.owner_args(case))?,
            None => Generics::None,
        };
        let own = case.type_args.get(self.owner_args(case).len()..);
        let own = written(&c.type_params, own.unwrap_or_default())?;
        let (modules, last) = names.split_at(names.len().saturating_sub(2));
        let mut path = Path::of(["crate", "theirs"].map(Ident::new));
        for name in modules {
            path = path.then(Ident::new(name), Generics::None);
        }
        for (name, generics) in last.iter().zip([of_owner, own]) {
            path = path.then(Ident::new(name), generics);
        }
        Ok(path)
    }

    /// Records what tests of units that stay convert, if they do.
    pub(super) fn keep_conversions(&self, staying: &[CallableId]) {
        for &unit in staying.iter().filter(|_| self.options.official.is_some()) {
            let (formals, results) = (self.ground.formals(unit), self.ground.results(unit));
            let mut search = Search::new(self);
            let mut locals = formals.into_iter().chain(results);
            let owner = self.ground.program[unit].owner;
            let receiver = owner.filter(|t| self.ground.program.is_trait(*t));
            let receiver = receiver.map(|t| Type::named(t, Vec::new()));
            let converted = locals
                .try_for_each(|l| search.values(&self.ground.program[l].ty))
                .and_then(|()| receiver.iter().try_for_each(|ty| search.values(ty)))
                .and_then(|()| owner.map_or(Ok(()), |t| self.owner(&mut search, t)));
            if converted.is_ok() {
                self.converted.types.borrow_mut().extend(search.types);
                // They may check output.
                self.converted.has_output.set(true);
            }
        }
    }
}

/// Returns the path of an item of the module `official`.
fn official(name: &str) -> Path {
    Path::of(["crate", "official", name].map(Ident::new))
}
