//! Mutants of operations: other operators, one operand, and constants in place of an operation.
//!
//! Key function: [`operations`]. Where the lowering turns an operator around, the text keeps the
//! order of the source.

use super::exprs::{
    Other, empty, is_written, negated, only, operand, operands, orders, same, text,
};
use super::members::{construction, constructors, destructors, named, other_parts};
use super::types::{are_alike, unconstrained};
use super::{MutationKind, Piece};
use dafny_resolve::typed::{Literal, Type};
use dafny_source::Span;
use dtest_ir::build::is_literal;
use dtest_ir::{Coll, Expr, ExprKind, Num, Op, Program};
use num_bigint::BigInt;

/// The element at index 0 instead of that at `index`.
pub(super) fn first(
    collection: &Expr,
    index: &Expr,
    read: impl Fn(Expr) -> ExprKind,
) -> Option<Other> {
    let is_near = |e: &Expr| matches!(e.kind, ExprKind::Literal(_));
    // Index 0 and other literals have neighbours as mutants already.
    if !is_written(collection) || !is_written(index) || is_near(index) {
        return None;
    }
    let zero = Expr {
        kind: ExprKind::Literal(Literal::Int(BigInt::default())),
        ty: index.ty.clone(),
        span: index.span,
    };
    Some((
        read(zero),
        MutationKind::Constant,
        vec![only(collection), text("[0]")],
    ))
}

/// Whether two operators have the same precedence.
pub(super) fn binds_alike(op: &Op, other: &Op) -> bool {
    // Operators of the same class bind equally, so that operands need no new parentheses.
    let classes: [fn(&Op) -> bool; 4] = [
        |op| {
            matches!(
                op,
                Op::Eq | Op::Ne | Op::Lt(_) | Op::Le(_) | Op::Subset(_) | Op::SubsetEq(_)
            )
        },
        |op| {
            matches!(
                op,
                Op::Add(_) | Op::Sub(_) | Op::Union(_) | Op::Difference(_)
            )
        },
        |op| matches!(op, Op::Mul(_) | Op::Div(_) | Op::Mod(_) | Op::Intersect(_)),
        |op| matches!(op, Op::Shl | Op::Shr),
    ];
    classes.iter().any(|is_in| is_in(op) && is_in(other))
}

/// The mutants of an operation.
pub(super) fn operations(program: &Program, op: &Op, args: &[Expr], e: &Expr) -> Vec<Other> {
    let typed = &program.typed;
    let with = |op: Op| ExprKind::Op(op, args.to_vec());
    let mut found: Vec<Other> = Vec::new();
    if let [a, b] = args {
        // The lowering turns `a > b` into `b < a`, but the text has the original order.
        let turned = b.span.start < a.span.start;
        let is_number = unconstrained(typed, &a.ty) == Type::Int;
        for (other, exchanged) in other_operators(op)
            .into_iter()
            .map(|other| (other, false))
            .chain(relations(op).filter(|_| is_number))
        {
            // `a >= b` is represented as `b <= a`.
            if exchanged {
                let shown = symbol(&other, true)
                    .map_or_else(Vec::new, |s| vec![only(a), text(format!(" {s} ")), only(b)]);
                let args = vec![b.clone(), a.clone()];
                found.push((ExprKind::Op(other, args), MutationKind::Operator, shown));
                continue;
            }
            let (first, last) = if turned { (b, a) } else { (a, b) };
            let shown = match symbol(&other, turned) {
                Some(symbol) if binds_alike(op, &other) => {
                    vec![only(first), text(format!(" {symbol} ")), only(last)]
                }
                Some(symbol) => vec![operand(first), text(format!(" {symbol} ")), operand(last)],
                None => Vec::new(),
            };
            found.push((with(other), MutationKind::Operator, shown));
        }
        // The exchange of equal operands changes nothing.
        if is_ordered(op) && are_alike(typed, &a.ty, &b.ty) && !same(a, b) {
            let shown = symbol(op, false).map_or_else(Vec::new, |s| {
                vec![operand(b), text(format!(" {s} ")), operand(a)]
            });
            found.push((
                ExprKind::Op(op.clone(), vec![b.clone(), a.clone()]),
                MutationKind::Order,
                shown,
            ));
        }
    }
    // Further mutants that depend on the kind of the operation.
    match (op, args) {
        (Op::Not | Op::Neg(_) | Op::BitNot, [a]) => {
            found.push((a.kind.clone(), MutationKind::Operator, vec![only(a)]))
        }
        (Op::Select(Coll::Seq), [s, index]) => {
            found.extend(
                first(s, index, |i| ExprKind::Op(op.clone(), vec![s.clone(), i]))
                    .into_iter()
                    .chain(negated(program, e)),
            );
        }
        (Op::TupleField(at), [tuple]) if is_written(tuple) => {
            found.extend(other_parts(program, *at, tuple, &e.ty))
        }
        (Op::Display(_), [_, ..]) => found.push((
            ExprKind::Op(op.clone(), Vec::new()),
            MutationKind::Constant,
            empty(program, &e.ty).map(text).into_iter().collect(),
        )),
        (Op::Union(_), [a, b]) => found.extend(operands(&[a, b])),
        (Op::Difference(_), [a, _]) => found.extend(operands(&[a])),
        // Removing the literal is the same as replacing it by zero.
        (Op::Add(_) | Op::Sub(_), [a, b]) if is_literal(a) || is_literal(b) => {}
        // One operand instead of the operation.
        (Op::Add(_) | Op::Sub(_) | Op::Mul(_) | Op::Div(_) | Op::Mod(_), [a, b])
        | (Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr | Op::Intersect(_), [a, b]) => {
            let alike: Vec<&Expr> = [a, b]
                .into_iter()
                .filter(|o| are_alike(typed, &o.ty, &e.ty) && !is_literal(o))
                .collect();
            found.extend(operands(&alike));
        }
        (Op::Update(_), [a, ..]) => found.extend(operands(&[a])),
        // A slice that starts later or ends earlier by one.
        (Op::Slice | Op::ArraySlice, [s, low, high]) => {
            let offset = |e: &Expr, op: fn(Num) -> Op| {
                let one = Expr {
                    kind: ExprKind::Literal(Literal::Int(BigInt::from(1))),
                    ty: Type::Int,
                    span: Span::default(),
                };
                Expr {
                    kind: ExprKind::Op(op(Num::Int), vec![e.clone(), one]),
                    ty: e.ty.clone(),
                    span: e.span,
                }
            };
            let slice =
                |low: Expr, high: Expr| ExprKind::Op(op.clone(), vec![s.clone(), low, high]);
            let next = slice(offset(low, Op::Add), high.clone());
            let shorter = slice(low.clone(), offset(high, Op::Sub));
            let length = if *op == Op::ArraySlice {
                vec![only(s), text(".Length")]
            } else {
                vec![text("|"), only(s), text("|")]
            };
            // A missing bound is that of the sequence.
            let end = |e: &Expr, missing: Vec<Piece>| {
                let is_there = is_written(e) && e.span.start >= s.span.end;
                if is_there { vec![operand(e)] } else { missing }
            };
            let (from, to) = (end(low, Vec::new()), end(high, Vec::new()));
            let shown = |from: Vec<Piece>, to: Vec<Piece>| {
                let parts = [vec![only(s), text("[")], from, vec![text("..")], to];
                let mut all = parts.concat();
                all.push(text("]"));
                all
            };
            let later = if from.is_empty() {
                vec![text("1")]
            } else {
                [from.clone(), vec![text(" + 1")]].concat()
            };
            let size = length.clone();
            let earlier = [end(high, length), vec![text(" - 1")]].concat();
            // Slices without a text of their own cannot be shown.
            if is_written(s) && s.span != e.span {
                found.push((next, MutationKind::Constant, shown(later, to.clone())));
                found.push((
                    shorter,
                    MutationKind::Constant,
                    shown(from.clone(), earlier),
                ));
                // One bound is removed. Small literals have neighbours with the same effect.
                let is_near = |e: &Expr| matches!(&e.kind, ExprKind::Literal(Literal::Int(n)) if n.magnitude() <= &1u32.into());
                let zero = |e: &Expr| Expr {
                    kind: ExprKind::Literal(Literal::Int(BigInt::default())),
                    ..e.clone()
                };
                let unbounded = |low: Expr, high: Expr, shown: Vec<Piece>| {
                    (slice(low, high), MutationKind::Operand, shown)
                };
                // The same number of elements at the other end.
                let length = || Expr {
                    kind: ExprKind::Op(
                        if *op == Op::ArraySlice {
                            Op::ArrayLength(0)
                        } else {
                            Op::Cardinality(Coll::Seq)
                        },
                        vec![s.clone()],
                    ),
                    ty: Type::Int,
                    span: high.span,
                };
                let from_end = |e: &Expr| Expr {
                    kind: ExprKind::Op(Op::Sub(Num::Int), vec![length(), e.clone()]),
                    ty: Type::Int,
                    span: e.span,
                };
                let size = |e: &Expr| [size.clone(), vec![text(" - "), operand(e)]].concat();
                let other_end = if to.is_empty() && !from.is_empty() {
                    let kind = slice(zero(low), from_end(low));
                    Some((kind, shown(Vec::new(), size(low))))
                } else if from.is_empty() && !to.is_empty() {
                    let kind = slice(from_end(high), length());
                    Some((kind, shown(size(high), Vec::new())))
                } else {
                    None
                };
                found.extend(other_end.map(|(kind, text)| (kind, MutationKind::Order, text)));
                if !from.is_empty() && !is_near(low) {
                    let shown = shown(Vec::new(), to.clone());
                    found.push(unbounded(zero(low), high.clone(), shown));
                }
                if !to.is_empty() {
                    found.push(unbounded(low.clone(), length(), shown(from, Vec::new())));
                }
            }
        }
        (Op::Construct(ctor), _) => {
            let ctors = constructors(program, *ctor);
            found.extend(ctors.into_iter().map(|c| {
                (
                    with(Op::Construct(c)),
                    MutationKind::Constructor,
                    construction(program, (*ctor, c), args, e.span),
                )
            }));
            found.extend(orders(args, (program, None), e.span, |args| {
                ExprKind::Op(op.clone(), args)
            }));
        }
        (Op::Tuple, _) => found.extend(orders(args, (program, None), e.span, |args| {
            ExprKind::Op(op.clone(), args)
        })),
        (Op::Destruct(field), [object]) => {
            let fields = destructors(program, *field);
            found.extend(fields.into_iter().map(|f| {
                (
                    with(Op::Destruct(f)),
                    MutationKind::Field,
                    named(program, (object, e), f),
                )
            }));
            found.extend(negated(program, e));
        }
        (Op::CtorTest(_) | Op::In(_) | Op::Disjoint(_), _) => found.extend(negated(program, e)),
        (_, _) => {}
    }
    found
}

/// Whether exchanging the operands changes the result, and no other operator has the same effect.
pub(super) fn is_ordered(op: &Op) -> bool {
    matches!(
        op,
        Op::Sub(_)
            | Op::Div(_)
            | Op::Mod(_)
            | Op::Union(Coll::Seq | Coll::Map)
            | Op::Difference(Coll::Set | Coll::Multiset)
    )
}

/// The operators that replace an operator.
pub(super) fn other_operators(op: &Op) -> Vec<Op> {
    // The replacements are close to the original operator, so that the mutants are plausible.
    match op {
        Op::Add(n @ (Num::Char | Num::Ordinal)) => vec![Op::Sub(*n)],
        Op::Sub(n @ (Num::Char | Num::Ordinal)) => vec![Op::Add(*n)],
        Op::Add(n) => vec![Op::Sub(*n), Op::Mul(*n)],
        Op::Sub(n) => vec![Op::Add(*n), Op::Div(*n)],
        Op::Mul(n) => vec![Op::Add(*n), Op::Div(*n)],
        // Reals have no remainder.
        Op::Div(n @ Num::Real) => vec![Op::Mul(*n), Op::Sub(*n)],
        Op::Div(n) => vec![Op::Mod(*n), Op::Mul(*n)],
        Op::Mod(n) => vec![Op::Div(*n), Op::Add(*n)],
        Op::Lt(n) => vec![Op::Le(*n), Op::Eq],
        Op::Le(n) => vec![Op::Lt(*n), Op::Eq],
        Op::Eq => vec![Op::Ne],
        Op::Ne => vec![Op::Eq],
        Op::BitAnd => vec![Op::BitOr, Op::BitXor],
        Op::BitOr => vec![Op::BitAnd, Op::BitXor],
        Op::BitXor => vec![Op::BitAnd, Op::BitOr],
        Op::Shl => vec![Op::Shr],
        Op::Shr => vec![Op::Shl],
        Op::RotateLeft => vec![Op::RotateRight],
        Op::RotateRight => vec![Op::RotateLeft],
        Op::Union(c @ (Coll::Set | Coll::Multiset)) => vec![Op::Intersect(*c), Op::Difference(*c)],
        Op::Intersect(c) => vec![Op::Union(*c), Op::Difference(*c)],
        Op::Difference(c @ (Coll::Set | Coll::Multiset)) => vec![Op::Union(*c), Op::Intersect(*c)],
        Op::Subset(c) => vec![Op::SubsetEq(*c)],
        Op::SubsetEq(c) => vec![Op::Subset(*c), Op::Eq],
        Op::Union(Coll::Seq | Coll::Map)
        | Op::Difference(Coll::Seq | Coll::Map)
        | Op::Not
        | Op::Neg(_)
        | Op::BitNot
        | Op::Floor
        | Op::OrdinalIsLimit
        | Op::OrdinalIsSucc
        | Op::OrdinalOffset
        | Op::OrdinalIsNat
        | Op::Display(_)
        | Op::Cardinality(_)
        | Op::In(_)
        | Op::Disjoint(_)
        | Op::Select(_)
        | Op::Update(_)
        | Op::Slice
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::MultisetOf(_)
        | Op::Keys
        | Op::Values
        | Op::Items
        | Op::SeqInit
        | Op::Tuple
        | Op::TupleField(_)
        | Op::Construct(_)
        | Op::CtorTest(_)
        | Op::Destruct(_)
        | Op::PrefixEq
        | Op::Below
        | Op::FunctionRequires
        | Op::FunctionReads => Vec::new(),
    }
}

/// For an equation or inequation of numbers: the comparisons that agree with it in two of the three
/// cases less, equal and greater, and whether the operands are exchanged. With the negation, and a
/// constant in a decision, they subsume all other relational operators (Kaminski, Ammann and
/// Offutt, *Improving logic-based testing*, 2013, section 3).
pub(super) fn relations(op: &Op) -> impl Iterator<Item = (Op, bool)> {
    let other: Option<fn(Num) -> Op> = if matches!(op, Op::Eq) {
        Some(Op::Le)
    } else if matches!(op, Op::Ne) {
        Some(Op::Lt)
    } else {
        None
    };
    other
        .into_iter()
        .flat_map(|op| [(op(Num::Int), false), (op(Num::Int), true)])
}

/// The symbol of a binary operator, reversed if the operands are exchanged in the text.
pub(super) fn symbol(op: &Op, turned: bool) -> Option<&'static str> {
    Some(match (op, turned) {
        (Op::Add(_) | Op::Union(_), _) => "+",
        (Op::Sub(_) | Op::Difference(_), _) => "-",
        (Op::Mul(_) | Op::Intersect(_), _) => "*",
        (Op::Div(_), _) => "/",
        (Op::Mod(_), _) => "%",
        (Op::Lt(_) | Op::Subset(_), false) => "<",
        (Op::Lt(_) | Op::Subset(_), true) => ">",
        (Op::Le(_) | Op::SubsetEq(_), false) => "<=",
        (Op::Le(_) | Op::SubsetEq(_), true) => ">=",
        (Op::Eq, _) => "==",
        (Op::Ne, _) => "!=",
        (Op::BitAnd, _) => "&",
        (Op::BitOr, _) => "|",
        (Op::BitXor, _) => "^",
        (Op::Shl, _) => "<<",
        (Op::Shr, _) => ">>",
        (_, _) => return None,
    })
}
