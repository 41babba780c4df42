//! Translates iterators to classes whose body is an `async` function that `MoveNext` polls.

use super::body::Body;
use super::class;
use super::code::{Code, Own};
use super::convention::{Scope, Translated};
use super::docs::{self, docs};
use crate::rust::{FieldValue, FnItem, Ident, Item, Stmts, expr, function, ident, items};
use dafny_resolve::typed::{Block, CallableId, IteratorParts, TypeId};

/// Translates an iterator to a struct like that of a class with its fields, plus the body.
pub(super) fn iterator(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Vec<Item>> {
    let ground = scope.ground;
    let decl = &ground.program[ty];
    let name = ident(ground.names.type_name(ty));
    let (params, generics) = (
        scope.params(&decl.type_params),
        scope.generics(&decl.type_params),
    );
    let declared_params = scope.declared_params(&decl.type_params);
    let (declared, body, coroutine) = (
        class::declared_fields(scope, ty)?,
        body_field(scope, ty),
        scope.runtime("Coroutine"),
    );
    let (doc, object) = (
        docs::item(scope, &[decl.doc.as_deref()], decl.span),
        scope.runtime("Object"),
    );
    let shown = dtest_value::shown_name(ground.program, ty);
    Ok(items! {
        #[#..doc]
        pub struct #name<#..declared_params> {
            #..declared,
            #body: #coroutine,
        }

        impl<#..generics> #object for #name<#..params> {
            fn class_name(&self) -> &'static str {
                #shown
            }
        }
    })
}

/// Translates a callable of an iterator, without the enclosing `impl`.
pub(super) fn member(
    scope: &Scope<'_, '_>,
    id: CallableId,
    parts: &IteratorParts,
) -> Translated<Vec<FnItem>> {
    let callable = &scope.ground.program[id];
    // Members of an iterator: the constructor, `Valid()`, and `MoveNext()` with the body.
    let (Some(owner), Some(members)) = (callable.owner, parts.members) else {
        return Err(scope.unsupported(
            callable.span,
            "a member of an iterator that does not resolve",
        ));
    };
    if id == members.constructor {
        return Ok(vec![constructor(scope, id, owner, parts)?]);
    }
    let (name, reference, body) = (
        ident(scope.ground.names.callable(id)),
        &scope.runtime("Ref"),
        body_field(scope, owner),
    );
    if id == members.valid {
        let doc = docs(Some("Whether the body has not ended."));
        return Ok(vec![function! {
            #[#..doc]
            pub fn #name(this: &#reference<Self>) -> bool {
                !this.#body.has_ended()
            }
        }]);
    }
    let Some(block) = &parts.body else {
        return Err(scope.unsupported(callable.span, "it has no body"));
    };
    // The body is a coroutine, which `MoveNext()` resumes until the next `yield`.
    let (inner, doc) = (
        run(scope, block)?,
        docs(Some(
            "Continues to the next `yield`; returns false at the end.",
        )),
    );
    let next = function! {
        #[#..doc]
        pub fn #name(this: &#reference<Self>) -> bool {
            this.#body.resume(|| Self::run(this.clone()))
        }
    };
    let run = function! {
        /// The body.
        async fn run(this: #reference<Self>) {
            #..inner
        }
    };
    Ok(vec![next, run])
}

fn constructor(
    scope: &Scope<'_, '_>,
    id: CallableId,
    owner: TypeId,
    parts: &IteratorParts,
) -> Translated<FnItem> {
    let ground = scope.ground;
    let mut body = Body::new(scope);
    let (mut params, mut fields) = (Vec::new(), Vec::<FieldValue>::new());
    // `in` parameters become fields; `yield` parameters have a default or no value before the first
    // `yield`.
    for (formal, field) in ground.program[id].ins.iter().zip(&parts.ins) {
        let local = &ground.program[formal.local];
        if local.ghost {
            continue;
        }
        let (t, n) = (
            scope.parameter_type(&local.ty)?,
            ident(ground.names.field(*field)),
        );
        let name = body.declare(
            formal.local,
            if ground.is_copy(&local.ty) {
                Own::Place
            } else {
                Own::Ref
            },
        );
        params.push((name.into(), t));
        fields.extend(
            body.vars
                .get(formal.local)
                .map(|code| (n.to_string(), code.owned_value())),
        );
    }
    // `MoveNext` assigns them, so they are fields that can change.
    let cell = &scope.runtime("Field");
    for field in parts.yields.iter().filter(|f| !ground.program[**f].ghost) {
        let n = ident(ground.names.field(*field));
        let value = match scope.default_value(&ground.program[*field].ty)? {
            Some(value) => expr!(#cell::new(#value)),
            None => expr!(#cell::unassigned()),
        };
        fields.push((n.to_string(), value));
    }
    let (waiting, coroutine) = (body_field(scope, owner), scope.runtime("Coroutine"));
    fields.push((waiting.to_string(), expr!(#coroutine::new())));
    fields.extend(class::has_phantom(scope, owner).then(|| {
        let name = ident(ground.names.phantom(owner)).to_string();
        (name, expr!(std::marker::PhantomData))
    }));
    let (name, reference, path) = (
        ident(ground.names.callable(id)),
        scope.runtime("Ref"),
        scope.type_path(owner),
    );
    let doc = docs(Some("An iterator at the start of its body."));
    Ok(function! {
        #[#..doc]
        pub fn #name(#..params) -> #reference<Self> {
            #reference::new(#path { #..fields })
        }
    })
}

/// Translates the body, in which `this` is a variable that gives access to the fields.
fn run(scope: &Scope<'_, '_>, block: &Block) -> Translated<Stmts> {
    // The coroutine outlives the call of `MoveNext`, so it owns its reference to the object.
    let mut body = Body::new(scope);
    body.this = Some(Code::named("this", false));
    body.vars.count_assignments(block);
    body.block(block, false)
}

/// Returns the name of the field that holds the body.
fn body_field(scope: &Scope<'_, '_>, ty: TypeId) -> Ident {
    ident(scope.ground.names.coroutine(ty))
}
