//! Translates traits to Rust traits, with their implementations.
//!
//! A trait `Shape` becomes a Rust trait over [`dunit::Dynamic`] with a function for each
//! dynamically dispatched member: `fn area(&self) -> Int`, and `fn size(&self) -> &Field<Int>` for
//! a field. A value of the trait is a `Dyn<dyn Shape>`. Types that extend it (`Ref<Circle>` for a
//! class, the enum of a datatype, the wrapper of a newtype) implement it by delegating to their own
//! members, or to the trait's bodies: `default_area` in `impl dyn Shape`, with `this: &Dyn<dyn
//! Shape>`. Static members are in the same `impl`. A member that overrides one of a parent is
//! dispatched through the parent's trait.
//!
//! Upcasts, downcasts and `is` are functions of the run-time library, which asks the value for all
//! its types ([`super::object`]); implicit casts were made explicit by
//! [`dtest_desugar::casts`]. A generic member with several bodies is dispatched with the
//! values of its own type parameters erased ([`super::erase`]).

use super::class;
use super::code::{Code, Own};
use super::convention::{Dependency, Scope, Translated};
use super::docs::{self, docs};
use super::rep::Ground;
use crate::rust::{
    self, Attribute, Bound, Expr, FnItem, Generics, Ident, Item, Member, Path, Signature, expr,
    ident, items, path, signature, stmts, ty, without_raw,
};
use dafny_resolve::typed::{
    Body, CallableId, CallableKind, FieldId, FieldKind, LocalId, Program, Type, TypeDeclKind,
    TypeId, TypeParamId,
};
use dtest_desugar::ExternalCode as _;
use dtest_sorted::SortedSet;

/// A function of the Rust trait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// A mutable field: returns a reference to it.
    Field(FieldId),
    /// A constant: returns its value.
    Const(FieldId),
    /// A function or method.
    Callable(CallableId),
}

/// Whether calls of the member are dispatched by the receiver.
pub(crate) fn is_looked_up(program: &Program, id: CallableId) -> bool {
    let c = &program[id];
    !c.is_static
        && c.owner.is_some_and(|t| program.is_trait(t))
        && matches!(c.kind, CallableKind::Function | CallableKind::Method)
        && (c.type_params.is_empty() || !has_one_body(program, program.first_declaration(id)))
}

/// Returns the name of the body of a dynamically dispatched member in a trait; the function of the
/// Rust trait has the member's own name.
pub(super) fn body_name(name: &str) -> String {
    format!("default_{}", without_raw(name))
}

/// Returns the functions of the Rust trait, in source order.
fn entries(program: &Program, ty: TypeId) -> Vec<Entry> {
    let decl = &program[ty];
    let fields = decl
        .fields
        .iter()
        .copied()
        .filter(|&f| !program[f].is_static && !program[f].ghost);
    let fields = fields.map(|f| match program[f].kind {
        FieldKind::Mutable | FieldKind::Destructor(_) => Entry::Field(f),
        FieldKind::Const(_) => Entry::Const(f),
    });
    let callables = decl
        .callables
        .iter()
        .copied()
        // A member that overrides one of a parent is dispatched through the parent's trait.
        .filter(|&c| is_looked_up(program, c) && program[c].overrides.is_empty());
    fields.chain(callables.map(Entry::Callable)).collect()
}

impl Scope<'_, '_> {
    /// Returns `dyn Shape<T>`.
    pub(crate) fn dyn_trait(&self, decl: TypeId, args: &[Type]) -> Translated<rust::Type> {
        let args = args
            .iter()
            .map(|t| self.rust_type(t))
            .collect::<Translated<Vec<_>>>()?;
        let path = self.type_path(decl);
        Ok(ty!(dyn #path<#..args>))
    }

    /// Returns the type with its own parameters as arguments.
    fn own_type(&self, ty: TypeId) -> Type {
        Type::named(
            ty,
            self.ground.program[ty]
                .type_params
                .iter()
                .map(|&p| Type::Param(p))
                .collect(),
        )
    }
}

impl Ground<'_> {
    /// Returns the wrapper that represents a newtype's values as values of a trait.
    pub(super) fn wrapper(&self, ty: TypeId) -> Ident {
        let mut name = format!("{}Object", self.names.type_name(ty));
        while self.names.declares(self.program[ty].module, &name) {
            name.push('_');
        }
        ident(&name)
    }
}

/// Translates a trait to a Rust trait; `present` has the translated members. With an empty set,
/// only the needs of the type itself are translated.
pub(super) fn declaration(
    scope: &Scope<'_, '_>,
    ty: TypeId,
    present: &SortedSet<Dependency>,
) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let (name, params, dynamic) = (
        ident(ground.names.type_name(ty)),
        scope.declared_params(&decl.type_params),
        scope.runtime("Dynamic"),
    );
    // All traits extend `Dynamic`, for casts and identity.
    let mut bounds = vec![Bound::Trait(dynamic)];
    for parent in &decl.parents {
        if let Type::Named { decl, args, .. } = parent {
            let args = args
                .iter()
                .map(|t| scope.rust_type(t))
                .collect::<Translated<Vec<_>>>()?;
            bounds.push(Bound::Trait(scope.applied_path(*decl, args)));
        }
    }
    let mut members = Vec::new();
    for entry in entries(ground.program, ty) {
        // A member without a translation is missing in all implementations, too.
        if is_present(ground.program, entry, present) {
            let mut head = entry_head(scope, entry)?;
            head.head.attrs = entry_doc(scope, entry);
            members.push(Member::Declared(head));
        }
    }
    let doc = docs::item(scope, &[decl.doc.as_deref()], decl.span);
    Ok(items! {
        #[#..doc]
        pub trait #name<#..params>: #..bounds {
            #..members
        }
    })
}

/// Whether a function is part of the Rust trait: it and all its bodies are translated.
fn is_present(program: &Program, entry: Entry, present: &SortedSet<Dependency>) -> bool {
    match entry {
        Entry::Field(_) => true,
        Entry::Const(f) => {
            matches!(program[f].kind, FieldKind::Const(None))
                || present.contains(&Dependency::Const(f))
        }
        Entry::Callable(c) => present.contains(&Dependency::Callable(c)),
    }
}

fn entry_doc(scope: &Scope<'_, '_>, entry: Entry) -> Vec<Attribute> {
    let program = scope.ground.program;
    docs(match entry {
        Entry::Field(f) | Entry::Const(f) => program[f].doc.as_deref(),
        Entry::Callable(c) => program[c].doc.as_deref(),
    })
}

/// Returns the signature of a function: `fn area(&self, by: &Int) -> Int`.
fn entry_head(scope: &Scope<'_, '_>, entry: Entry) -> Translated<Signature> {
    let ground = scope.ground;
    match entry {
        Entry::Field(f) => {
            let (n, t, cell) = (
                ident(ground.names.field(f)),
                scope.rust_type(&ground.program[f].ty)?,
                scope.runtime("Field"),
            );
            Ok(signature!(fn #n(&self) -> &#cell<#t>))
        }
        Entry::Const(f) => {
            let (n, t) = (
                ident(ground.names.field(f)),
                scope.rust_type(&ground.program[f].ty)?,
            );
            Ok(signature!(fn #n(&self) -> #t))
        }
        Entry::Callable(c) => {
            // The type parameters of a member are erased: Rust's trait objects have no generic
            // methods.
            let within = Scope {
                substitution: scope.substitution.clone(),
                erased: ground.program[c].type_params.clone(),
                ..Scope::new(ground, scope.module.clone(), scope.spec)
            };
            let head = callable_head(&within, c);
            scope
                .dependencies
                .borrow_mut()
                .extend(within.dependencies.into_inner());
            head
        }
    }
}

fn callable_head(scope: &Scope<'_, '_>, c: CallableId) -> Translated<Signature> {
    let ground = scope.ground;
    let (n, mut params) = (ident(ground.names.callable(c)), Vec::new());
    for (i, local) in ground.formals(c).into_iter().enumerate() {
        let (name, t) = (
            argument(i),
            scope.parameter_type(&ground.program[local].ty)?,
        );
        params.push((name.into(), t));
    }
    let result = scope.result_type(c)?;
    Ok(signature!(fn #n(&self, #..params) -> #result))
}

fn argument(i: usize) -> Ident {
    ident(&format!("a{i}"))
}

/// Checks the needs of a trait itself: its parents and the types of its fields.
pub(super) fn check(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<()> {
    declaration(scope, ty, &SortedSet::new()).map(|_| ())
}

/// Checks the needs of dynamically dispatched members: the bodies of all types that extend the
/// trait.
pub(super) fn check_bodies(scope: &Scope<'_, '_>, id: CallableId) -> Translated<()> {
    let program = scope.ground.program;
    let Some(owner) = program[id].owner else {
        return Ok(());
    };
    if !is_looked_up(program, id) {
        return Ok(());
    }
    // The trait's member is declared at its first declaration.
    let first = program.first_declaration(id);
    if program[first]
        .type_params
        .iter()
        .any(|&p| !program[p].bounds.is_empty())
    {
        return Err(scope.unsupported(
            program[first].span,
            "a member of a trait with bounded type parameters and several bodies",
        ));
    }
    entry_head(scope, Entry::Callable(first))?;
    if first != id {
        scope.needs(Dependency::Callable(first));
        return Ok(());
    }
    // All implementing classes must have a body, since any of them may be called. Those of external
    // code are linked or stubbed.
    for ty in program.implementers(owner) {
        let body = program.implementation(ty, id);
        if matches!(program[body].body, Body::None) && program.external(body).is_none() {
            return Err(scope.unsupported(
                program[body].span,
                format!("`{}` has no body for it", program[ty].name),
            ));
        }
        scope.needs(Dependency::Callable(body));
    }
    Ok(())
}

/// Whether a generic member has one body for all receivers, so that it needs no dispatch.
fn has_one_body(program: &Program, id: CallableId) -> bool {
    let Some(owner) = program[id].owner else {
        return true;
    };
    !matches!(program[id].body, Body::None)
        && program
            .implementers(owner)
            .iter()
            .all(|&t| program.implementation(t, id) == id)
}

/// Returns the types that a value can be converted to, for `offer!`.
pub(super) fn seen_as(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<rust::Type>> {
    scope
        .ground
        .program
        .ancestors(ty)
        .iter()
        .map(|(t, args)| scope.dyn_trait(*t, args))
        .collect()
}

/// Returns the implementations of the traits that a class, datatype or newtype extends.
pub(super) fn implementations(
    scope: &Scope<'_, '_>,
    ty: TypeId,
    present: &SortedSet<Dependency>,
) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let program = ground.program;
    if program.is_trait(ty) || program[ty].parents.is_empty() {
        return Ok(Vec::new());
    }
    let (own, generics) = (
        &self_type(scope, ty)?,
        &scope.generics(&program[ty].type_params),
    );
    // A class implements `Object` with its struct; other types need an identity of their own.
    let mut out = own_dynamic(scope, ty)?;
    // One implementation block for each trait above the type, directly or indirectly.
    for (t, args) in program.ancestors(ty) {
        let within = Scope {
            substitution: program.substitution(t, &args),
            ..Scope::new(ground, scope.module.clone(), scope.spec)
        };
        let mut members = Vec::new();
        for entry in entries(program, t) {
            if is_present(program, entry, present) {
                let (signature, body) = (
                    entry_head(&within, entry)?,
                    entry_body(scope, ty, t, entry)?,
                );
                members.push(FnItem::new(signature, stmts!(#body)));
            }
        }
        let args = args
            .iter()
            .map(|a| scope.rust_type(a))
            .collect::<Translated<Vec<_>>>()?;
        let path = scope.applied(t, args);
        out.extend(items! {
            impl<#..generics> #path for #own {
                #..members
            }
        });
    }
    Ok(out)
}

/// Returns the implementations of a trait and its parents for a mock: an `impl` for each, whose
/// members without a body become builder methods. `answered` has members with bodies that get a
/// stub nevertheless.
pub(crate) fn mocked(
    scope: &Scope<'_, '_>,
    name: &Ident,
    (ty, args): (TypeId, &[Type]),
    answered: &SortedSet<CallableId>,
    present: &SortedSet<Dependency>,
) -> Translated<Vec<Item>> {
    let (ground, program) = (scope.ground, scope.ground.program);
    let upcast = &scope.runtime("upcast");
    let lineage = lineage(program, ty, args);
    let mut found = Vec::new();
    for (t, args) in &lineage {
        let within = Scope {
            substitution: program.substitution(*t, args),
            ..Scope::new(ground, scope.module.clone(), scope.spec)
        };
        let mut members = Vec::new();
        // A member without a body is answered by the mock; a member with one keeps it.
        for entry in entries(program, *t)
            .into_iter()
            .filter(|e| is_present(program, *e, present))
        {
            let signature = entry_head(&within, entry)?;
            let (owner, called, generics, args) = match entry {
                Entry::Field(_) => (None, String::new(), Generics::None, Vec::new()),
                Entry::Const(f) => {
                    let has_value = !matches!(program[f].kind, FieldKind::Const(None));
                    (
                        has_value.then_some(*t),
                        body_name(ground.names.field(f)),
                        Generics::None,
                        Vec::new(),
                    )
                }
                Entry::Callable(first) => {
                    let body = program.implementation(ty, first);
                    // A stub replaces even a body, if the test describes one for it.
                    let has_body =
                        !matches!(program[body].body, Body::None) && !answered.contains(&first);
                    let generics = erased_fish(scope, &program[first].type_params);
                    let owner = program[body].owner.filter(|_| has_body);
                    (
                        owner,
                        body_name(ground.names.callable(body)),
                        generics,
                        passed_on(ground, first, body),
                    )
                }
            };
            // The mock implements the trait itself, so the inherited body is called with the mock
            // as receiver.
            members.push(match owner {
                None => Member::Declared(signature),
                Some(owner) => {
                    let of = lineage
                        .iter()
                        .find(|(t, _)| *t == owner)
                        .map(|(_, args)| args.clone())
                        .unwrap_or_default();
                    let path = scope.dyn_trait(owner, &of)?;
                    let function = Path::of_type(path.clone(), 0).then(ident(&called), generics);
                    Member::Fn(FnItem::new(
                        signature,
                        stmts!(#function(&#upcast::<#path, _>(self), #..args)),
                    ))
                }
            });
        }
        let args = args
            .iter()
            .map(|a| scope.rust_type(a))
            .collect::<Translated<Vec<_>>>()?;
        let path = scope.applied(*t, args);
        found.extend(items! {
            impl #path for #name {
                #..members
            }
        });
    }
    Ok(found)
}

/// Returns the type that implements the traits of a declared type.
fn self_type(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<rust::Type> {
    match scope.ground.program[ty].kind {
        TypeDeclKind::Newtype(_) => {
            let params = scope.ground.program[ty]
                .type_params
                .iter()
                .map(|&p| scope.rust_type(&Type::Param(p)));
            let (wrapper, params) = (
                scope.ground.wrapper(ty),
                params.collect::<Translated<Vec<_>>>()?,
            );
            let path = Path::from(wrapper);
            Ok(path!(#path::<#..params>).into())
        }
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => scope.rust_type(&scope.own_type(ty)),
    }
}

/// Returns the implementation by which a datatype or newtype offers its values in their types; a
/// class has it with its struct.
fn own_dynamic(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Item>> {
    let decl = &scope.ground.program[ty];
    let (own, generics, seen) = (
        &self_type(scope, ty)?,
        &scope.generics(&decl.type_params),
        seen_as(scope, ty)?,
    );
    let (dynamic, cast, any) = (
        scope.runtime("Dynamic"),
        scope.runtime("Cast"),
        scope.runtime("AnyObject"),
    );
    // A datatype is itself an object of the trait; a newtype, whose Rust type may be a primitive,
    // needs a wrapper.
    let dynamic = items! {
        impl<#..generics> #dynamic for #own {
            fn offer(&self, cast: &mut #cast<'_>) {
                cast.offer_own(self);
                dunit::offer!(cast, self, #..seen);
            }
            fn compare(&self, other: &#any) -> std::cmp::Ordering {
                dunit::dynamic::compare(self, other)
            }
        }
    };
    match decl.kind {
        TypeDeclKind::Datatype { .. } => Ok(dynamic),
        TypeDeclKind::Newtype(_) => {
            let (value, print) = (
                scope.rust_type(&scope.own_type(ty))?,
                scope.runtime("DafnyPrint"),
            );
            let doc = docs(Some(&format!(
                "A value of `{}` where it is seen as a trait.",
                decl.name
            )));
            let (name, declared_params) = (
                scope.ground.wrapper(ty),
                scope.declared_params(&decl.type_params),
            );
            Ok(items! {
                #[#..doc]
                #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
                pub struct #name<#..declared_params>(pub #value);

                impl<#..generics> #print for #own {
                    fn fmt_dafny(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        #print::fmt_dafny(&self.0, f)
                    }
                }

                #..dynamic
            })
        }
        TypeDeclKind::Class
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => Ok(Vec::new()),
    }
}

/// Returns the body of a trait's function in the implementation for a type.
fn entry_body(scope: &Scope<'_, '_>, ty: TypeId, owner: TypeId, entry: Entry) -> Translated<Expr> {
    let ground = scope.ground;
    let program = ground.program;
    let is_class = matches!(program[ty].kind, TypeDeclKind::Class);
    match entry {
        Entry::Field(f) => {
            let n = ident(ground.names.field(f));
            Ok(expr!(&self.#n))
        }
        Entry::Const(f) if matches!(program[f].kind, FieldKind::Const(None)) => {
            let (n, t) = (
                ident(ground.names.field(f)),
                class::field_type(ground, ty, f),
            );
            if is_class {
                let read = Code::within(
                    expr!(self.#n),
                    Own::Place,
                    ground.is_copy(&t),
                    &Code::reference(rust::Expr::name("self"), false),
                );
                return Ok(read.owned_value());
            }
            // Only an object stores a constant without a value; a datatype or newtype has its
            // default.
            let message = format!("the constant `{}` has no value", program[f].name);
            Ok(scope
                .default_value(&t)?
                .unwrap_or_else(|| expr!(panic!(#message))))
        }
        Entry::Const(f) => {
            let (path, this, n) = (
                trait_path(scope, ty, owner)?,
                upcast_self(scope, ty, owner)?,
                ident(&body_name(ground.names.field(f))),
            );
            Ok(expr!(<#path>::#n(&#this)))
        }
        Entry::Callable(first) => {
            let body = program.implementation(ty, first);
            let args = passed_on(ground, first, body);
            let n = ground.names.callable(body);
            let generics = erased_fish(scope, &program[first].type_params);
            match program[body].owner {
                Some(t) if t == ty && matches!(program[ty].kind, TypeDeclKind::Newtype(_)) => {
                    let (path, copy) = (
                        scope.free_function(body),
                        ground.is_copy(&scope.own_type(ty)),
                    );
                    let (this, function) = (
                        if copy { expr!(self.0) } else { expr!(&self.0) },
                        path.with(generics),
                    );
                    Ok(expr!(#function(#this, #..args)))
                }
                // The base type of a newtype has the member.
                Some(t) if matches!(program[t].kind, TypeDeclKind::Newtype(_)) => {
                    let own = scope.own_type(ty);
                    let made_of = Type::named(t, program.member_args(&own, t).unwrap_or_default());
                    let value = Code::within(
                        expr!(self.0),
                        Own::Place,
                        ground.is_copy(&own),
                        &Code::reference(rust::Expr::name("self"), false),
                    );
                    let value = scope.number(value, &own, &made_of, program[body].span)?;
                    let this = if ground.is_copy(&made_of) {
                        value.owned_value()
                    } else {
                        value.borrowed()
                    };
                    let function = scope.free_function(body).with(generics);
                    Ok(expr!(#function(#this, #..args)))
                }
                Some(t) if t == ty => {
                    let function = scope.type_path(ty).then(ident(n), generics);
                    Ok(expr!(#function(self, #..args)))
                }
                Some(t) => {
                    let (path, this) = (trait_path(scope, ty, t)?, upcast_self(scope, ty, t)?);
                    let function = Path::of_type(path, 0).then(ident(&body_name(n)), generics);
                    Ok(expr!(#function(&#this, #..args)))
                }
                None => Err(scope.unsupported(program[body].span, "a member without an owner")),
            }
        }
    }
}

/// Passes the arguments of a trait's function to a body. The trait passes values of unknown types
/// by reference, which the body may take by value.
fn passed_on(ground: &Ground<'_>, first: CallableId, body: CallableId) -> Vec<Expr> {
    let copy = |l: &LocalId| ground.is_copy(&ground.program[*l].ty);
    let formals = ground
        .formals(first)
        .into_iter()
        .zip(ground.formals(body))
        .enumerate();
    formals
        .map(|(i, (a, b))| {
            let name = argument(i);
            // The trait passes a parameter of a type parameter's type by reference, and the body,
            // which knows the type, takes it by value.
            if !copy(&a) && copy(&b) {
                expr!(*#name)
            } else {
                name.into()
            }
        })
        .collect()
}

/// Returns `<Erased<0>>`; empty for a member without type parameters.
fn erased_fish(scope: &Scope<'_, '_>, params: &[TypeParamId]) -> Generics {
    let erased = &scope.runtime("Erased");
    Generics::of((0..params.len()).map(|i| ty!(#erased<#i>).into()).collect())
}

/// Returns `dyn Shape<T>` with the arguments with which `ty` extends it.
fn trait_path(scope: &Scope<'_, '_>, ty: TypeId, owner: TypeId) -> Translated<rust::Type> {
    let found = scope
        .ground
        .program
        .ancestors(ty)
        .into_iter()
        .find(|(t, _)| *t == owner);
    scope.dyn_trait(owner, &found.map(|(_, args)| args).unwrap_or_default())
}

fn upcast_self(scope: &Scope<'_, '_>, ty: TypeId, owner: TypeId) -> Translated<Expr> {
    let (path, upcast) = (trait_path(scope, ty, owner)?, scope.runtime("upcast"));
    Ok(expr!(#upcast::<#path, _>(self)))
}

/// Returns a trait with its arguments, and the traits that it extends.
pub(crate) fn lineage(program: &Program, decl: TypeId, args: &[Type]) -> Vec<(TypeId, Vec<Type>)> {
    let substitution = program.substitution(decl, args);
    let parents = program
        .ancestors(decl)
        .into_iter()
        .map(|(t, args)| (t, args.iter().map(|a| a.subst(&substitution)).collect()));
    std::iter::once((decl, args.to_vec()))
        .chain(parents)
        .collect()
}
