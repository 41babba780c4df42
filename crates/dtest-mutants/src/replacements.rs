//! The expressions that replace an expression: other operators, constants, variables, members,
//! quantifiers and orders of operands.
//!
//! [`others`] is the entry point.

use super::callees::{called, constructed};
use super::defaults::default_instead;
use super::exprs::{
    MAX_ALIKE, Names, Other, alike, is_comparison, is_of_failure, is_written, only, operand, text,
};
use super::members::{fields, named, namesake};
use super::operations::{first, operations};
use super::types::{are_alike, unconstrained};
use super::{MutationKind, Piece};
use dafny_resolve::typed::{CallableId, Literal, Type};
use dafny_source::{Name, Span};
use dtest_ir::{Expr, ExprKind, Op, Program, Quantified, Var, VarInfo};
use num_bigint::BigInt;
use num_traits::Signed;

/// The expressions that may replace an expression, with operator and text.
pub(super) fn others(program: &Program, names: &Names<'_>, e: &Expr) -> Vec<Other> {
    match &e.kind {
        // Literals that the lowering made have no text to replace.
        ExprKind::Literal(l) if is_spelled(program, l, e.span) => constants(program, l, &e.ty),
        ExprKind::Var(v) => variables(program, names, *v)
            .into_iter()
            .chain(negated(program, e))
            .collect(),
        ExprKind::Op(Op::Destruct(field), args) => {
            operations(program, &Op::Destruct(*field), args, e)
                .into_iter()
                .chain(namesake(program, names, *field, e))
                .collect()
        }
        // All comparisons of a chain have one direction.
        ExprKind::Op(op @ (Op::Eq | Op::Ne), args) if names.forms.is_link(e.span) => {
            let is_kept =
                |(kind, ..): &Other| !matches!(kind, ExprKind::Op(Op::Le(_) | Op::Lt(_), _));
            let all = operations(program, op, args, e);
            all.into_iter().filter(is_kept).collect()
        }
        ExprKind::Op(op, args) => operations(program, op, args, e),
        // The other connective, and each operand alone.
        ExprKind::And(a, b) => {
            let or = ExprKind::Or(a.clone(), b.clone());
            let or = (or, MutationKind::Connective, joined(a, " || ", b));
            [vec![or], operands(&[a, b])].concat()
        }
        ExprKind::Or(a, b) => {
            let and = ExprKind::And(a.clone(), b.clone());
            let and = (and, MutationKind::Connective, joined(a, " && ", b));
            [vec![and], operands(&[a, b])].concat()
        }
        // Only the consequent: the antecedent alone would be an unrelated condition.
        ExprKind::Implies(_, b) => operands(&[b]),
        // The operator mutants of a comparison include its negation.
        ExprKind::If(c, a, b)
            if !is_comparison(c)
                && !names.forms.is_in_pattern(c.span)
                && !is_of_failure(names, c) =>
        {
            vec![exchanged_branches(c, a, b)]
        }
        ExprKind::Quantifier { forall, vars, body } => {
            vec![other_quantifier(names, *forall, vars, body, e.span)]
        }
        ExprKind::Call {
            callee,
            type_args,
            args,
            label,
        } => other_calls(
            program,
            names,
            e,
            &CallParts {
                callee: *callee,
                type_args,
                args,
                label,
            },
        ),
        // Function values have no name to replace.
        ExprKind::Apply(f, args) => {
            let apply = |args| ExprKind::Apply(f.clone(), args);
            orders(args, (program, None), e.span, apply)
                .into_iter()
                .chain(negated(program, e))
                .chain(default_instead(program, e))
                .collect()
        }
        // Another index, or the first element.
        ExprKind::ReadElement(a, indices) => {
            let read = |indices| ExprKind::ReadElement(a.clone(), indices);
            let first = if let [index] = indices.as_slice() {
                first(a, index, |i| read(vec![i]))
            } else {
                None
            };
            orders(indices, (program, None), e.span, read)
                .into_iter()
                .chain(first)
                .chain(negated(program, e))
                .collect()
        }
        // Fields of the same type, and the negation of a Boolean field.
        ExprKind::ReadField(object, field) => {
            let read = |f| ExprKind::ReadField(object.clone(), f);
            let fields = fields(program, *field)
                .into_iter()
                .map(|f| (read(f), MutationKind::Field, named(program, (object, e), f)));
            fields
                .chain(namesake(program, names, *field, e))
                .chain(negated(program, e))
                .collect()
        }
        ExprKind::Literal(_)
        | ExprKind::Let(..)
        | ExprKind::If(..)
        | ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Const { .. }
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::Checked(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => Vec::new(),
    }
}

/// The conditional with exchanged branches, written with a negated condition.
fn exchanged_branches(c: &Expr, a: &Expr, b: &Expr) -> Other {
    let instead = vec![
        text("if !("),
        only(c),
        text(") then "),
        only(a),
        text(" else "),
        only(b),
    ];
    let [c, a, b] = [c, b, a].map(|e| Box::new(e.clone()));
    (ExprKind::If(c, a, b), MutationKind::Negation, instead)
}

/// The parts of a call ([`ExprKind::Call`]).
struct CallParts<'e> {
    /// The callee.
    callee: CallableId,
    /// The type arguments.
    type_args: &'e [Type],
    /// The arguments; the receiver first.
    args: &'e [Expr],
    /// The earlier state of a two-state function.
    label: &'e Option<Name>,
}

/// The replacements of a call: exchanged arguments, its negation, a default value, arguments of the
/// same type, other callees, and the construction of another value.
fn other_calls(program: &Program, names: &Names<'_>, e: &Expr, call: &CallParts<'_>) -> Vec<Other> {
    let args = call.args;
    let with = |callee, args, label| ExprKind::Call {
        callee,
        type_args: call.type_args.to_vec(),
        args,
        label,
    };
    let of_same_callee = |args| with(call.callee, args, call.label.clone());
    let orders = orders(args, (program, Some(call.callee)), e.span, of_same_callee);
    let simpler = args
        .iter()
        .filter(|a| are_alike(&program.typed, &a.ty, &e.ty) && is_written(a))
        .take(MAX_ALIKE)
        .map(|a| (a.kind.clone(), MutationKind::Operand, vec![only(a)]));
    // A call in an earlier state has no other callee.
    let others = if call.label.is_none() {
        names.callees.alike(program, call.callee)
    } else {
        Vec::new()
    };
    let others = others.into_iter().map(|callee| {
        let text = called(program, args, e.span, callee);
        (
            with(callee, args.to_vec(), None),
            MutationKind::Callee,
            text,
        )
    });
    let plain = constructed(program, names, (call.callee, args), e);
    orders
        .into_iter()
        .chain(negated(program, e))
        .chain(default_instead(program, e))
        .chain(simpler)
        .chain(others)
        .chain(plain)
        .collect()
}

/// The other quantifier under the same conditions: `exists x :: P(x) && Q(x)` for `forall x :: P(x)
/// ==> Q(x)`, or the reverse.
fn other_quantifier(
    names: &Names<'_>,
    forall: bool,
    vars: &Quantified,
    body: &Expr,
    whole: Span,
) -> Other {
    // Guards are conditions on the variables. Only the last operand is the quantified property.
    let (mut guards, mut last) = (Vec::new(), body);
    if forall {
        while let ExprKind::Implies(a, b) = &last.kind {
            guards.push(&**a);
            last = b;
        }
    } else {
        while let ExprKind::And(a, b) = &last.kind {
            guards.push(&**a);
            last = b;
        }
    }
    let (from, to, joint) = if forall {
        ("forall", "exists", " && ")
    } else {
        ("exists", "forall", " ==> ")
    };
    let head = Piece::Renamed {
        head: Span {
            start: whole.start,
            end: body.span.start,
        },
        from: from.to_owned(),
        to: to.to_owned(),
        is_last: false,
    };
    // The location may include parentheses.
    let end = Piece::Source(Span {
        start: body.span.end,
        end: whole.end,
    });
    let mut shown = vec![head];
    for guard in &guards {
        shown.extend([text("("), only(guard), text(")"), text(joint)]);
    }
    if guards.is_empty() {
        shown.push(only(last));
    } else {
        shown.extend([text("("), only(last), text(")")]);
    }
    shown.push(end);
    // The guards move to the connective that fits the other quantifier.
    let other = guards.into_iter().rev().fold(last.clone(), |all, guard| {
        let (guard, all) = (Box::new(guard.clone()), Box::new(all));
        let kind = if forall {
            ExprKind::And(guard, all)
        } else {
            ExprKind::Implies(guard, all)
        };
        Expr {
            kind,
            ty: Type::Bool,
            span: body.span,
        }
    });
    // A quantifier that the lowering makes has no variables within its text.
    let first = vars.vars.first().and_then(|v| names.vars.get(v.0 as usize));
    if first.is_none_or(|v| !whole.contains_span(v.span)) {
        shown.clear();
    }
    let kind = ExprKind::Quantifier {
        forall: !forall,
        vars: vars.clone(),
        body: Box::new(other),
    };
    (kind, MutationKind::Quantifier, shown)
}

/// Whether the source has a literal at its place. Others come from the lowering.
fn is_spelled(program: &Program, l: &Literal, span: Span) -> bool {
    if program.typed.other_spellings.contains(&span) {
        return true;
    }
    let length = match l {
        Literal::Bool(b) => b.to_string().len(),
        Literal::Int(n) => n.to_string().len(),
        Literal::Real(_) => return true,
        Literal::Char(_) => 3,
        Literal::String(s) => s.len() + 2,
        Literal::Null => return false,
    };
    (span.end - span.start) as usize == length
}

/// Neighbours of a constant. Only unbounded integers become negative, because a value outside of
/// its type would not be compiled.
pub(super) fn constants(program: &Program, l: &Literal, ty: &Type) -> Vec<Other> {
    let literal = |l, shown: String| {
        (
            ExprKind::Literal(l),
            MutationKind::Constant,
            vec![text(shown)],
        )
    };
    match l {
        Literal::Bool(b) => vec![literal(Literal::Bool(!b), (!b).to_string())],
        // Neighbours of the value and zero are the classical off-by-one errors.
        Literal::Int(n) => {
            let is_int = unconstrained(&program.typed, ty) == Type::Int;
            let next = is_int.then(|| n + 1);
            let last = (*ty == Type::Int || n.is_positive()).then(|| n - 1);
            let zero = (n.magnitude() > &1u32.into()).then(BigInt::default);
            next.into_iter()
                .chain(last)
                .chain(zero)
                .map(|n: BigInt| literal(Literal::Int(n.clone()), n.to_string()))
                .collect()
        }
        Literal::Real(r) => {
            let next = r + BigInt::from(1);
            let shown = dtest_value::real::print(&next);
            vec![literal(Literal::Real(next), shown)]
        }
        // Only printable characters that need no escape.
        Literal::Char(c) => match char::from_u32(c + 1)
            .filter(|c| c.is_ascii_graphic() && *c != '\'' && *c != '\\')
        {
            Some(next) => vec![literal(Literal::Char(c + 1), format!("'{next}'"))],
            None => Vec::new(),
        },
        Literal::String(s) if !s.is_empty() => {
            vec![literal(Literal::String(Vec::new()), "\"\"".into())]
        }
        Literal::String(_) | Literal::Null => Vec::new(),
    }
}

/// Other variables of the same type, in the order of their declaration.
pub(super) fn variables(program: &Program, names: &Names<'_>, v: Var) -> Vec<Other> {
    // Ghost variables and those of the lowering cannot be written.
    let info = |v: Var| {
        names
            .vars
            .get(v.0 as usize)
            .filter(|i| !i.ghost && !i.name.starts_with('$'))
    };
    let Some(own) = info(v) else {
        return Vec::new();
    };
    let is_other = |o: Var| o != v && !names.equal.contains(&(o, v));
    let mut alike: Vec<(Var, &VarInfo)> = names
        .known
        .iter()
        .filter(|o| is_other(**o))
        .filter_map(|o| info(*o).map(|i| (*o, i)))
        .filter(|(o, i)| are_alike(&program.typed, &i.ty, &own.ty) && is_named(names, *o, &i.name))
        .collect();
    // Variables of exactly this type first: they are the more likely mistakes.
    alike.sort_by_key(|(_, i)| i.ty != own.ty);
    alike
        .into_iter()
        .take(MAX_ALIKE)
        .map(|(o, i)| {
            (
                ExprKind::Var(o),
                MutationKind::Variable,
                vec![text(&*i.name)],
            )
        })
        .collect()
}

/// Whether a name means this variable. Another variable with the name may be in scope instead.
pub(super) fn is_named(names: &Names<'_>, v: Var, name: &str) -> bool {
    let is_shadow = |at: usize, i: &VarInfo| at != v.0 as usize && *i.name == *name;
    // Variables that the resolver declares for an iterator have the location of its name.
    let place = names.vars.get(v.0 as usize).map(|i| i.span);
    let is_made = |at: usize, i: &VarInfo| at != v.0 as usize && Some(i.span) == place;
    if name != "this" && names.vars.iter().enumerate().any(|(at, i)| is_made(at, i)) {
        return false;
    }
    let is_there = |at: usize| names.params.contains(&v) || names.known.contains(&Var(at as u32));
    // A parameter may be shadowed by any variable, a local one only by those in scope.
    !names
        .vars
        .iter()
        .enumerate()
        .any(|(at, i)| is_shadow(at, i) && is_there(at))
}

/// The text of `&&` or `||` with two operands. Dafny requires parentheses if they are mixed.
fn joined(a: &Expr, op: &str, b: &Expr) -> Vec<Piece> {
    let part = |e: &Expr| {
        // Operands that are connectives themselves need parentheses.
        let is_logical = matches!(
            e.kind,
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Implies(..)
        );
        if is_logical { operand(e) } else { only(e) }
    };
    vec![part(a), text(op), part(b)]
}

/// Each of several operands, as a replacement of the operation.
pub(super) fn operands(operands: &[&Expr]) -> Vec<Other> {
    operands
        .iter()
        .filter(|o| is_written(o))
        .map(|o| (o.kind.clone(), MutationKind::Operand, vec![only(o)]))
        .collect()
}

/// The negation of a condition.
pub(super) fn negated(program: &Program, e: &Expr) -> Option<Other> {
    let not = || {
        (
            ExprKind::Op(Op::Not, vec![e.clone()]),
            MutationKind::Negation,
            vec![text("!("), only(e), text(")")],
        )
    };
    (unconstrained(&program.typed, &e.ty) == Type::Bool).then(not)
}

/// The expression with two neighbouring arguments exchanged.
pub(super) fn orders(
    args: &[Expr],
    (program, callee): (&Program, Option<CallableId>),
    whole: Span,
    make: impl Fn(Vec<Expr>) -> ExprKind,
) -> Vec<Other> {
    let exchange = |(i, j): (usize, usize)| {
        let mut other = args.to_vec();
        other.swap(i, j);
        let shown = in_place(args, &other, whole);
        (make(other), MutationKind::Order, shown)
    };
    // A default value is located at the declaration of the parameter.
    let is_there = |i: usize| args.get(i).is_some_and(|a| whole.contains_span(a.span));
    alike(args, program, callee)
        .into_iter()
        .filter(|(i, j)| is_there(*i) && is_there(*j))
        .map(exchange)
        .collect()
}

/// The text of an expression with its arguments replaced by others.
fn in_place(args: &[Expr], others: &[Expr], whole: Span) -> Vec<Piece> {
    let (mut pieces, mut end) = (Vec::new(), whole.start);
    // Arguments are replaced from left to right, and the text between them stays.
    let written: Vec<(&Expr, &Expr)> = args
        .iter()
        .zip(others)
        // Default values are located at the declarations of the parameters.
        .filter(|(a, _)| is_written(a) && whole.contains_span(a.span))
        .collect();
    for (arg, other) in &written {
        if arg.span.start < end {
            // Named arguments are in another order than the parameters.
            return Vec::new();
        }
        pieces.extend([
            Piece::Source(Span {
                start: end,
                end: arg.span.start,
            }),
            only(other),
        ]);
        end = arg.span.end;
    }
    pieces.push(Piece::Source(Span {
        start: end,
        end: whole.end,
    }));
    pieces
}
