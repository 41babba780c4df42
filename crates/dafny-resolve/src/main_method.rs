//! The entry point of a program (reference manual, "Executable programs").

use crate::typed::{Arena, Attributes, CallableId, CallableKind, Program, Type, TypeDeclKind};
use dafny_source::diagnostic::Diagnostic;

use super::passes::Findings;

/// Returns the entry point: the only method with `{:main}`, otherwise the only method named `Main`
/// with a permitted signature.
///
/// Several candidates are a warning, since they matter only when the program is run. None is chosen
/// then.
pub(super) fn find(program: &Program, diagnostics: &mut Findings) -> Option<CallableId> {
    let ids: Vec<CallableId> = program.ids();
    let concrete = |id: &CallableId| {
        program[*id].kind == CallableKind::Method
            && !program.is_in_abstract_module(program[*id].module)
    };
    let candidates: Vec<CallableId> = ids.into_iter().filter(concrete).collect();
    let marked: Vec<CallableId> = candidates
        .iter()
        .copied()
        .filter(|id| program[*id].attribute("main").is_some())
        .collect();
    if let Some(first) = marked.first() {
        for id in &marked {
            if let Err(reason) = permitted(program, *id) {
                let message = format!(
                    "this method marked {{:main}} is not permitted as a main method ({reason})"
                );
                diagnostics.push(Diagnostic::warning(
                    "resolve/main",
                    program[*id].span,
                    message,
                ));
                return None;
            }
        }
        return single(program, *first, &marked, diagnostics);
    }
    let named: Vec<CallableId> = candidates
        .into_iter()
        .filter(|id| &*program[*id].name == "Main" && permitted(program, *id).is_ok())
        .collect();
    single(program, *named.first()?, &named, diagnostics)
}

fn single(
    program: &Program,
    first: CallableId,
    all: &[CallableId],
    diagnostics: &mut Findings,
) -> Option<CallableId> {
    let Some(second) = all.get(1) else {
        return Some(first);
    };
    let d = Diagnostic::warning(
        "resolve/main",
        program[*second].span,
        "more than one method could be the program's main method, so none is chosen",
    );
    diagnostics.push(
        d.with_secondary(program[first].span, "another candidate")
            .with_help("mark one with {:main}"),
    );
    None
}

fn permitted(program: &Program, id: CallableId) -> Result<(), &'static str> {
    let method = &program[id];
    if method.ghost {
        return Err("the method is ghost");
    }
    if !method.type_params.is_empty() {
        return Err("the method has type parameters");
    }
    if let Some(owner) = method.owner {
        let decl = &program[owner];
        match &decl.kind {
            TypeDeclKind::Abstract => return Err("the enclosing type is an abstract type"),
            TypeDeclKind::Trait { .. } if !method.is_static => {
                return Err(
                    "the method is not static and the enclosing type does not support auto-initialization",
                );
            }
            TypeDeclKind::Class | TypeDeclKind::Iterator(_)
                if !method.is_static
                    && decl
                        .callables
                        .iter()
                        .any(|c| program[*c].kind == CallableKind::Constructor) =>
            {
                return Err("the method is not static and the enclosing class has constructors");
            }
            TypeDeclKind::Datatype { .. } | TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_)
                if !method.is_static && !decl.characteristics.auto_init =>
            {
                return Err(
                    "the method is not static and the enclosing type does not support auto-initialization",
                );
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => {}
        }
    }
    let compiled: Vec<_> = method
        .ins
        .iter()
        .filter(|f| !program[f.local].ghost)
        .collect();
    let arguments = Type::Seq(Box::new(Type::string()));
    match compiled.as_slice() {
        [] => {}
        [one] if program.strip_subset(&program[one.local].ty) == arguments => {}
        [_] => return Err("the method's non-ghost argument type should be a seq<string>"),
        _ => return Err("the method has two or more non-ghost parameters"),
    }
    if method.outs.iter().any(|f| !program[f.local].ghost) {
        return Err("the method has non-ghost out parameters");
    }
    // An explicit `{:main}` permits a contract.
    if method.attribute("main").is_some() {
        return Ok(());
    }
    if !method.spec.requires.is_empty() {
        return Err("the method has requires clauses");
    }
    if !method.spec.modifies.is_empty() {
        return Err("the method has modifies clauses");
    }
    Ok(())
}
