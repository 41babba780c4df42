//! Mutants of members: other fields, destructors, tuple parts and constructors.

use super::exprs::{MAX_ALIKE, Names, Other, is_named, is_written, only, text};
use super::types::are_alike;
use super::{MutationKind, Piece};
use dafny_resolve::typed::{CtorId, FieldId, FieldKind, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::{Expr, ExprKind, Op, Program};

/// Other compiled fields with the same owner and type.
pub(super) fn fields(program: &Program, field: FieldId) -> Vec<FieldId> {
    let (typed, own) = (&program.typed, &program.typed[field]);
    // Global constants have no siblings.
    let Some(owner) = own.owner else {
        return Vec::new();
    };
    let is_alike = |f: &FieldId| {
        let other = &typed[*f];
        let is_stored = matches!(other.kind, FieldKind::Mutable | FieldKind::Const(None));
        *f != field
            && is_stored
            && !other.ghost
            && !other.is_static
            && are_alike(typed, &other.ty, &own.ty)
    };
    typed[owner]
        .fields
        .iter()
        .copied()
        .filter(is_alike)
        .take(MAX_ALIKE)
        .collect()
}

/// The variable with the name of a field that is read: `price` for `order.price`.
pub(super) fn namesake(
    program: &Program,
    names: &Names<'_>,
    field: FieldId,
    e: &Expr,
) -> Option<Other> {
    let own = &program.typed[field];
    names.known.iter().copied().find_map(|v| {
        let info = names.vars.get(v.0 as usize)?;
        let is_alike = info.name == own.name
            && !info.ghost
            && are_alike(&program.typed, &info.ty, &e.ty)
            && is_named(names, v, &info.name);
        is_alike.then(|| {
            (
                ExprKind::Var(v),
                MutationKind::Variable,
                vec![text(&*info.name)],
            )
        })
    })
}

/// Other destructors with the same type, of the constructors that have this one.
pub(super) fn destructors(program: &Program, field: FieldId) -> Vec<FieldId> {
    let (typed, own) = (&program.typed, &program.typed[field]);
    let FieldKind::Destructor(ctors) = &own.kind else {
        return Vec::new();
    };
    let Some(fields) = ctors.first().map(|c| &typed[*c].fields) else {
        return Vec::new();
    };
    // Only fields that exist in all of these constructors can be read.
    let is_alike = |f: &FieldId| {
        let in_all = ctors.iter().all(|c| typed[*c].fields.contains(f));
        *f != field && in_all && !typed[*f].ghost && are_alike(typed, &typed[*f].ty, &own.ty)
    };
    fields
        .iter()
        .copied()
        .filter(is_alike)
        .take(MAX_ALIKE)
        .collect()
}

/// Other components of a tuple with the given type.
pub(super) fn other_parts(program: &Program, at: usize, tuple: &Expr, ty: &Type) -> Vec<Other> {
    let Type::Tuple(parts) = &tuple.ty else {
        return Vec::new();
    };
    let alike = (0..)
        .zip(parts)
        .filter(|(i, (ghost, part))| *i != at && !ghost && are_alike(&program.typed, part, ty));
    let read = |i: usize| {
        (
            ExprKind::Op(Op::TupleField(i), vec![tuple.clone()]),
            MutationKind::Field,
            vec![only(tuple), text(format!(".{i}"))],
        )
    };
    alike.map(|(i, _)| read(i)).take(MAX_ALIKE).collect()
}

/// The text of another constructor with the same arguments; what qualifies the name stays.
pub(super) fn construction(
    program: &Program,
    (from, to): (CtorId, CtorId),
    args: &[Expr],
    whole: Span,
) -> Vec<Piece> {
    // Default values are located at the declarations of the parameters.
    let first = args
        .iter()
        .filter(|a| is_written(a) && whole.contains_span(a.span))
        .map(|a| a.span.start)
        .min();
    let head = Span {
        start: whole.start,
        end: first.unwrap_or(whole.end),
    };
    let renamed = Piece::Renamed {
        head,
        from: program.typed[from].name.to_string(),
        to: program.typed[to].name.to_string(),
        is_last: true,
    };
    let rest = Span {
        start: head.end,
        end: whole.end,
    };
    vec![renamed, Piece::Source(rest)]
}

/// Other constructors with the same parameter types.
pub(super) fn constructors(program: &Program, ctor: CtorId) -> Vec<CtorId> {
    let (typed, own) = (&program.typed, &program.typed[ctor]);
    let TypeDeclKind::Datatype { ctors, .. } = &typed[own.datatype].kind else {
        return Vec::new();
    };
    let types = |c: CtorId| {
        typed[c]
            .fields
            .iter()
            .map(|f| (&typed[*f].ty, typed[*f].ghost))
            .collect::<Vec<_>>()
    };
    let is_alike = |c: &CtorId| {
        let (own, others) = (types(ctor), types(*c));
        let are_fields_alike = own.len() == others.len()
            && own
                .iter()
                .zip(&others)
                .all(|((a, ghost), (b, other))| ghost == other && are_alike(typed, a, b));
        *c != ctor && !typed[*c].ghost && are_fields_alike
    };
    ctors
        .iter()
        .copied()
        .filter(is_alike)
        .take(MAX_ALIKE)
        .collect()
}

/// The text of reading another field of an object.
pub(super) fn named(
    program: &Program,
    (object, read): (&Expr, &Expr),
    field: FieldId,
) -> Vec<Piece> {
    let name = text(&*program.typed[field].name);
    match object.span == read.span {
        true => vec![text("this."), name],
        false if is_written(object) => vec![only(object), text("."), name],
        false => vec![name],
    }
}

/// The text of a constructor with arguments. Empty if some of them are not written.
pub(super) fn applied(name: &str, args: &[Expr], whole: Span) -> Vec<Piece> {
    if args.is_empty() {
        return vec![text(name)];
    }
    if !args
        .iter()
        .all(|a| is_written(a) && whole.contains_span(a.span))
    {
        return Vec::new();
    }
    let mut pieces = vec![text(format!("{name}("))];
    for (i, arg) in args.iter().enumerate() {
        pieces.extend((i > 0).then(|| text(", ")).into_iter().chain([only(arg)]));
    }
    pieces.push(text(")"));
    pieces
}
