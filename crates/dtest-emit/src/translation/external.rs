//! External callables: calls of linked Rust or of stubs.

use super::body::Body;
use super::class;
use super::convention::{Scope, Translated};
use crate::rust::{self, Path, Stmts, Use, Used, expr, ident, path, stmts};
use dafny_resolve::typed::{CallableId, CallableKind, TypeDeclKind, TypeId};
use dtest_desugar::{External, ExternalCode as _, Link, Linked};

/// Returns the body of an external callable; `None` for other callables.
pub(super) fn body(body: &mut Body<'_, '_, '_>, id: CallableId) -> Translated<Option<Stmts>> {
    let scope = body.scope;
    let program = scope.ground.program;
    let external = match program.external(id) {
        Some(external) if !scope.ground.program[id].ghost => external,
        Some(_) | None => return Ok(None),
    };
    let call = match &external {
        External::Linked(link) => return linked(body, id, link).map(|call| Some(stmts!(#call))),
        External::Stub => stub(body, id)?,
    };
    let c = &program[id];
    Ok(Some(
        match c.owner.filter(|_| c.kind == CallableKind::Constructor) {
            Some(owner) => class::given(body, owner, call)?,
            None => stmts!(#call),
        },
    ))
}

/// Writes the call of linked Rust, `path(this, a, b)`, with the parameters passed on.
fn linked(body: &Body<'_, '_, '_>, id: CallableId, link: &Link) -> Translated<rust::Expr> {
    let ground = body.scope.ground;
    let c = &ground.program[id];
    let path = rust::parse_path(&link.path).ok_or_else(|| {
        body.scope
            .unsupported(c.span, format!("`{}` is not a Rust path", link.path))
    })?;
    let name = ident(ground.names.callable(id));
    let owner = c.owner.map(|t| ident(ground.names.type_name(t)));
    // The link names the function itself, or the type or module that contains it.
    let callee = match (link.names, owner) {
        (Linked::Callable, _) => path,
        (Linked::Type, _) | (Linked::Module, None) => path!(#path::#name),
        (Linked::Module, Some(owner)) => path!(#path::#owner::#name),
    };
    let this = body
        .this
        .as_ref()
        .filter(|_| c.kind != CallableKind::Constructor)
        .map(|t| t.receiver());
    let args = this.into_iter().chain(
        ground
            .formals(id)
            .into_iter()
            .filter_map(|l| body.vars.get(l))
            .map(|code| code.receiver()),
    );
    Ok(expr!(#callee(#..args)))
}

/// Writes the call of a stub, `dunit::stub::answer("M.F", &[this, a, &b])`, with the arguments
/// by reference.
fn stub(body: &Body<'_, '_, '_>, id: CallableId) -> Translated<rust::Expr> {
    let ground = body.scope.ground;
    let c = &ground.program[id];
    let this = body
        .this
        .as_ref()
        .filter(|_| c.kind != CallableKind::Constructor)
        .map(|code| code.borrowed());
    let args = ground
        .formals(id)
        .into_iter()
        .filter_map(|l| body.vars.get(l))
        .map(|code| code.borrowed());
    let all = this.into_iter().chain(args);
    let name = ground.program.callable_path(id);
    Ok(expr!(dunit::stub::answer(#name, &[#..all])))
}

/// Returns the import of the linked Rust type for a class or abstract type, which has all members.
pub(super) fn linked_type(scope: &Scope<'_, '_>, ty: TypeId) -> Translated<Option<Use>> {
    let decl = &scope.ground.program[ty];
    let Some(link) = scope
        .ground
        .program
        .type_link(ty)
        .filter(|_| is_linked_type(scope, ty))
    else {
        return Ok(None);
    };
    let path = rust::parse_path(link).filter(Path::is_of_names);
    let path =
        path.ok_or_else(|| scope.unsupported(decl.span, format!("`{link}` is not a Rust path")))?;
    let name = ident(scope.ground.names.type_name(ty));
    let what = if name == path.last() {
        Used::Itself
    } else {
        Used::As(name)
    };
    Ok(Some(Use {
        is_public: true,
        path,
        what,
    }))
}

/// Whether the whole type is linked: a class all of whose compiled members are external, or an
/// abstract type.
pub(crate) fn is_linked_type(scope: &Scope<'_, '_>, ty: TypeId) -> bool {
    let program = scope.ground.program;
    let decl = &program[ty];
    program.type_link(ty).is_some()
        && match &decl.kind {
            TypeDeclKind::Abstract => true,
            TypeDeclKind::Class => {
                class::fields(scope, ty).is_empty()
                    && decl
                        .callables
                        .iter()
                        .all(|&c| program[c].ghost || program.is_linked(c))
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => false,
        }
}
