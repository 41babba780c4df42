//! Translates the program's `Main` to the Rust expression that runs it.

use super::body::Body;
use super::code::Code;
use super::convention::{Scope, Translated};
use super::rep::Ground;
use crate::passes::print_expr;
use crate::rust::{expr, ident};
use dafny_resolve::typed::{CallableId, Type, TypeDeclKind};

/// The start of a translated program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    /// A Rust expression, with `subject` as the root of the translation.
    pub call: String,
    /// Whether the expression needs `dunit::prelude`.
    pub needs_prelude: bool,
}

/// Returns the call of `main`, with `subject` as the root of the translation. Type parameters of
/// the enclosing type are `int`; a receiver has the initial values; the arguments are those of the
/// process.
///
/// # Errors
/// The reason why there is no such call, if the enclosing type has no value to call it on.
pub(super) fn call(ground: &Ground<'_>, main: CallableId) -> Translated<EntryPoint> {
    let callable = &ground.program[main];
    let scope = Scope::new(ground, None, false);
    let mut body = Body::new(&scope);
    let arguments: Vec<_> = ground
        .formals(main)
        .into_iter()
        .filter(|&l| !ground.program[l].ghost)
        .map(|_| expr!(&dunit::harness::arguments()))
        .collect();
    // Type parameters of the owner are irrelevant for `Main`; any type will do.
    let owner = callable.owner.map(|t| {
        (
            t,
            ground.program[t]
                .type_params
                .iter()
                .map(|_| Type::Int)
                .collect::<Vec<_>>(),
        )
    });
    let mut arguments = arguments;
    arguments.extend(scope.passed_defaults(main, owner.as_ref().map_or(&[], |(_, args)| args))?);
    // An instance `Main` runs on a new object or on a default value.
    let code = match owner {
        Some((owner, args)) if !callable.is_static => {
            let receiver = if matches!(ground.program[owner].kind, TypeDeclKind::Class) {
                let (path, fish) = (scope.type_path(owner), body.scope.turbofish(&args)?);
                let allocate = ident(ground.names.allocate(owner));
                expr!(#path::<#..fish>::#allocate())
            } else {
                let value = scope.default_value(&Type::named(owner, args.clone()))?;
                value.ok_or_else(|| {
                    scope.unsupported(
                        callable.span,
                        "the type that declares `Main` has no initial value",
                    )
                })?
            };
            let ty = Type::named(owner, args.clone());
            body.apply_member(
                (main, &args, false),
                (&Code::owned(receiver, false), &ty),
                arguments,
                true,
            )?
        }
        Some((_, args)) => {
            let callee = body.callee(main, &args, true)?;
            expr!(#callee(#..arguments))
        }
        None => {
            let callee = body.callee(main, &[], true)?;
            expr!(#callee(#..arguments))
        }
    };
    Ok(EntryPoint {
        call: print_expr(&code),
        needs_prelude: !callable.is_static && callable.owner.is_some(),
    })
}
