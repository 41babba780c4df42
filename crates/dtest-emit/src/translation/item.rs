//! Translates functions, methods, constants and type aliases to items.

use super::body::Body;
use super::class;
use super::code::{Code, Own};
use super::convention::{Scope, Translated};
use super::docs;
use super::external;
use super::iterator;
use super::rep::primitive;
use super::stmt;
use super::traits;
use super::two_state::States;
use crate::rust::{
    self, FnItem, FnParam, Ident, Item, Stmts, function, ident, items, pat, stmts, ty,
};
use dafny_resolve::typed::{
    Block, Body as CallableBody, CallableId, CallableKind, FieldId, FieldKind, LocalId, Stmt,
    StmtKind, TypeDeclKind, TypeId,
};
use dtest_desugar::Syntheses as _;
use dtest_sorted::SortedSet;

/// Translates a function or method, without the enclosing `impl`.
pub(crate) fn callable(scope: &Scope<'_, '_>, id: CallableId) -> Translated<Vec<FnItem>> {
    let ground = scope.ground;
    let c = &ground.program[id];
    refuse_kind(scope, id)?;
    if let Some(TypeDeclKind::Iterator(parts)) = c.owner.map(|t| &ground.program[t].kind) {
        return iterator::member(scope, id, parts);
    }
    traits::check_bodies(scope, id)?;
    if traits::is_looked_up(ground.program, id) && matches!(c.body, CallableBody::None) {
        // The trait declares it, and its implementations have the bodies.
        return Ok(Vec::new());
    }
    let mut body = Body::new(scope);
    let (has_self, params) = parameters(&mut body, id)?;
    // Members of types without methods in Rust have the owner's type parameters too.
    let mut type_params = c.type_params.clone();
    if let Some(owner) = c
        .owner
        .filter(|&t| scope.is_apart(id) || !super::pieces::in_impl(ground, t))
    {
        type_params.splice(0..0, ground.program[owner].type_params.iter().copied());
    }
    let (name, generics) = (
        ident(&scope.function_name(id)),
        scope.generics(&type_params),
    );
    let mut result = scope.result_type(id)?;
    if c.kind == CallableKind::Constructor {
        let reference = scope.runtime("Ref");
        result = Some(ty!(#reference<Self>));
    }
    let outside = external::body(&mut body, id)?;
    // Tracked ghost state may be computed from its value at the start of the call.
    if !c.kind.is_function() {
        body.states = States::with_before();
    }
    let inner = match outside {
        Some(outside) => outside,
        None => own_body(&mut body, id)?,
    };
    let snapshot = scope.runtime("Snapshot");
    let before = if body.states.is_before_needed() {
        stmts!(let before = #snapshot::take();)
    } else {
        Stmts::new()
    };
    let spec = c
        .ghost
        .then_some("Specification only: executed by tests, not part of the program.");
    let contract = docs::contract(ground.sources, &c.spec);
    let doc = docs::item(
        scope,
        &[c.doc.as_deref(), contract.as_deref(), spec],
        c.span,
    );
    let mut function = function! {
        #[#..doc]
        pub fn #name<#..generics>(#..params) -> #result {
            #..before
            #..inner
        }
    };
    function.signature.has_self = has_self;
    Ok(vec![function])
}

/// Checks that a callable is of a kind that has a translation.
fn refuse_kind(scope: &Scope<'_, '_>, id: CallableId) -> Translated<()> {
    let c = &scope.ground.program[id];
    let kind = match c.kind {
        CallableKind::Function | CallableKind::Method | CallableKind::Constructor => return Ok(()),
        CallableKind::TwostateFunction => "a two-state function",
        CallableKind::LeastPredicate | CallableKind::GreatestPredicate => "an extreme predicate",
        CallableKind::Lemma => "a lemma",
    };
    Err(scope.unsupported(c.span, kind))
}

/// Declares the parameters of a callable. Returns whether it has `&self`, and the others.
fn parameters(body: &mut Body<'_, '_, '_>, id: CallableId) -> Translated<(bool, Vec<FnParam>)> {
    let (scope, ground) = (body.scope, body.scope.ground);
    let c = &ground.program[id];
    let (mut has_self, mut params) = (false, Vec::new());
    if !c.is_static
        && c.kind != CallableKind::Constructor
        && let Some(owner) = c.owner
    {
        let this = receiver(scope, body, owner)?;
        has_self = this.is_none();
        params.extend(this);
    }
    for local in ground.formals(id) {
        let ty = &ground.program[local].ty;
        let t = scope.parameter_type(ty)?;
        let own = if ground.is_copy(ty) {
            Own::Place
        } else {
            Own::Ref
        };
        params.push((body.declare(local, own).into(), t));
    }
    // The caller passes defaults last, after the program's own arguments.
    params.extend(body.default_parameters(id));
    Ok((has_self, params))
}

/// Translates the body of a callable that is not external.
fn own_body(body: &mut Body<'_, '_, '_>, id: CallableId) -> Translated<Stmts> {
    let ground = body.scope.ground;
    let c = &ground.program[id];
    let owner_class = c
        .owner
        .filter(|&t| matches!(ground.program[t].kind, TypeDeclKind::Class));
    match (&c.body, owner_class) {
        (CallableBody::None, _) => match ground.program.synthesis(id).and_then(Result::ok) {
            Some(synthesis) => super::synthesize::method(body, &synthesis),
            None => Err(body.scope.unsupported(c.span, "it has no body")),
        },
        (CallableBody::Block(block), Some(owner)) if c.kind == CallableKind::Constructor => {
            body.vars.count_assignments(block);
            class::constructor(body, owner, block)
        }
        (of, _) => match (body.as_loop(id)?, of) {
            (Some(looped), _) => Ok(looped),
            (None, CallableBody::Expr(e)) => body.tail(e),
            (None, CallableBody::ByMethod(_, block) | CallableBody::Block(block)) => {
                method(body, id, block)
            }
            (None, CallableBody::None) => Ok(Stmts::new()),
        },
    }
}

/// Returns the parameter for `this`; `None` if it is `&self`.
fn receiver(
    scope: &Scope<'_, '_>,
    body: &mut Body<'_, '_, '_>,
    owner: TypeId,
) -> Translated<Option<FnParam>> {
    let ground = scope.ground;
    if ground.has_methods(owner) && !scope.apart {
        body.this = Some(Code::reference(rust::Expr::name("self"), false));
        return Ok(None);
    }
    let ty = ground.program[owner]
        .type_params
        .iter()
        .map(|&p| dafny_resolve::typed::Type::Param(p))
        .collect();
    let ty = dafny_resolve::typed::Type::named(owner, ty);
    let (t, copy) = (scope.parameter_type(&ty)?, ground.is_copy(&ty));
    body.this = Some(if copy {
        Code::named("this", true)
    } else {
        Code::reference(rust::Expr::name("this"), false)
    });
    Ok(Some((pat!(this), t)))
}

/// Translates the body of a method, with its out-parameters as variables.
pub(super) fn method(
    body: &mut Body<'_, '_, '_>,
    id: CallableId,
    block: &Block,
) -> Translated<Stmts> {
    let ground = body.scope.ground;
    // A result that the first statement assigns is declared there.
    let outs: Vec<LocalId> = ground.results(id);
    body.vars.count_assignments(block);
    let mut declared = Vec::new();
    for &out in &outs {
        if body.sinks(out, &stmt::flat(&block.stmts), true) {
            body.vars.sink([out]);
            continue;
        }
        let one = body.uninitialised(out)?;
        declared.push((out, one));
    }
    body.end.outs.clone_from(&outs);
    let inner = body.block(block, true)?;
    let returns = ends_in_return(block);
    let end = if returns {
        None
    } else if body.end.looping.is_some() {
        // A loop is left by `return`.
        Some(body.return_result())
    } else {
        body.result().map(rust::Stmt::Value)
    };
    let mentioned: SortedSet<Ident> = inner
        .iter()
        .chain(&end)
        .flat_map(rust::stmt_mentions)
        .collect();
    let is_used = |out: &LocalId| {
        body.name_of(*out)
            .is_none_or(|name| mentioned.contains(&name))
    };
    let lets = declared
        .into_iter()
        .filter(|(out, _)| is_used(out))
        .map(|(_, declared)| declared);
    Ok(lets.chain(inner).chain(end).collect())
}

/// Whether the last compiled statement is a `return`, so that the block already has the result as
/// its value.
fn ends_in_return(block: &Block) -> bool {
    stmt::flat(&block.stmts)
        .last()
        .is_some_and(|s: &&Stmt| matches!(s.kind, StmtKind::Return))
}

/// Translates a constant to a function without parameters, or with `this`.
pub(super) fn constant(scope: &Scope<'_, '_>, id: FieldId) -> Translated<FnItem> {
    let ground = scope.ground;
    let field = &ground.program[id];
    let mut body = Body::new(scope);
    let owner = field.owner.filter(|_| !field.is_static);
    let this = owner
        .map(|owner| receiver(scope, &mut body, owner))
        .transpose()?;
    let has_self = this.as_ref().is_some_and(Option::is_none);
    let params = this.flatten();
    let mut type_params = Vec::new();
    if let Some(owner) = field.owner.filter(|&t| !super::pieces::in_impl(ground, t)) {
        type_params.clone_from(&ground.program[owner].type_params);
    }
    // The function of the Rust trait has the constant's own name.
    let is_looked_up = !field.is_static && field.owner.is_some_and(|t| ground.program.is_trait(t));
    let name = if is_looked_up {
        traits::body_name(ground.names.field(id))
    } else {
        ground.names.field(id).to_owned()
    };
    let (name, generics, t) = (
        ident(&name),
        scope.generics(&type_params),
        scope.rust_type(&field.ty)?,
    );
    let inner = match &field.kind {
        FieldKind::Const(Some(value)) => body.tail(value)?,
        // A constant without a value has the default of its type.
        FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => {
            let value = scope
                .default_value(&field.ty)?
                .ok_or_else(|| scope.unsupported(field.span, "it has no value"))?;
            stmts!(#value)
        }
    };
    let doc = docs::item(scope, &[field.doc.as_deref()], field.span);
    let mut function = function! {
        #[#..doc]
        pub fn #name<#..generics>(#..params) -> #t {
            #..inner
        }
    };
    function.signature.has_self = has_self;
    Ok(function)
}

/// Translates a newtype or subset type to an alias of its representation. One with type parameters
/// is expanded at its uses, because Rust rejects an alias that does not use all parameters.
pub(super) fn alias(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &decl.kind else {
        return Err(scope.unsupported(decl.span, "no alias"));
    };
    if !decl.type_params.is_empty() {
        return Ok(Vec::new());
    }
    let target = match c.native {
        Some(native) => ident(primitive(native)).into(),
        None => scope.rust_type(&c.base)?,
    };
    let (name, doc) = (
        ident(ground.names.type_name(ty)),
        docs::item(scope, &[decl.doc.as_deref()], decl.span),
    );
    Ok(items! {
        #[#..doc]
        pub type #name = #target;
    })
}
