//! Mutation operators for expressions.
//!
//! [`rewrites`] visits the compiled parts of an expression and applies the operators of [`others`]
//! to each. The hard part is the text: the lowering makes expressions that have no text of their
//! own, or the text of another expression, and these must not be mutated or need a receiver that is
//! not written.

use super::callees::{Callees, called, constructed};
use super::members::{fields, named, namesake};
use super::operations::{first, operations};
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::Signed;

use super::copies::Equal;
use super::forms::Forms;
use super::types::{are_alike, unconstrained};
use super::{Mutation, MutationKind, Piece, ranges};
use dafny_resolve::typed::{CallableId, CallableKind, Literal, Type};
use dafny_source::Span;
use dtest_ir::build::is_literal;
use dtest_ir::{Coll, Expr, ExprKind, Num, Op, Program, Quantified, Var, VarInfo};
use dtest_sorted::SortedSet;

/// Maximum number of variables, fields or constructors that replace one.
pub(super) const MAX_ALIKE: usize = 2;

/// The context of an expression: the variables that have a value there, and those that are known to
/// be equal.
pub(super) struct Names<'p> {
    /// The callables that the code and its callees call. Others are never tested together with it.
    pub(super) callees: Rc<Callees>,
    /// Patterns and chains of the source.
    pub(super) forms: Rc<Forms>,
    pub(super) vars: &'p [VarInfo],
    /// Parameters, whose names other variables may shadow.
    pub(super) params: &'p [Var],
    pub(super) known: SortedSet<Var>,
    pub(super) equal: Equal,
}

impl Names<'_> {
    /// The context with further bound variables.
    fn with(&self, vars: &[Var]) -> Self {
        Self {
            callees: self.callees.clone(),
            forms: self.forms.clone(),
            vars: self.vars,
            params: self.params,
            known: self.known.iter().chain(vars).copied().collect(),
            equal: self.equal.clone(),
        }
    }
}

/// The path to a part by child indices, the expression that replaces it, and the description.
pub(super) type Rewrite = (Vec<usize>, Expr, Mutation);

/// The mutants of an expression and its parts, in the order of the source.
pub(super) fn rewrites(program: &Program, names: &Names<'_>, e: &Expr) -> Vec<Rewrite> {
    // Variables bound within the expression have no value outside of their binders.
    let bound = bound_within(e);
    let known = names.known.difference(&bound).copied().collect();
    let outside = Names {
        known,
        ..names.with(&[])
    };
    let mut found = Vec::new();
    // Expressions of which nothing around them says the type.
    let mut untyped: Vec<Span> = Vec::new();
    let mut work = vec![(Vec::new(), e, Rc::new(outside))];
    while let Some((path, e, names)) = work.pop() {
        untyped.extend(without_type(e));
        let implied = implied(&names, e);
        let is_implicit = is_implicit(&names, e);
        // A failing call of `:-` and expressions without a text of their own are skipped with their
        // parts.
        if is_of_failure(&names, e) {
            continue;
        }
        if let Some(object) = updated(&names, e).filter(|o| is_written(o)) {
            let mutation = Mutation::new(e.span, MutationKind::Operand, vec![only(object)]);
            found.push((path.clone(), object.clone(), mutation));
        }
        // The parts of an update that are written have locations of their own.
        if names.forms.updated(e.span).is_some() {
            let is_new =
                |child: &Expr| child.span != e.span || names.forms.updated(child.span).is_some();
            let children = compiled_children(program, e).into_iter().rev();
            work.extend(children.filter(|(_, c)| is_new(c)).map(|(i, child)| {
                let below = path.iter().copied().chain([i]).collect();
                (below, child, names.clone())
            }));
            continue;
        }
        if implied.is_none() && !is_implicit && (is_made(e) || !is_own_text(&names, e)) {
            continue;
        }
        // Each replacement keeps the location of the original.
        for (instead, kind, text) in others(program, &names, e) {
            let text = if is_implicit {
                member_of(text, e)
            } else {
                text
            };
            let mutation = Mutation::new(e.span, kind, text);
            let mutation = if untyped.contains(&e.span) {
                mutation.without_empty_display()
            } else {
                mutation
            };
            found.push((
                path.clone(),
                Expr {
                    ty: type_of(program, &names, e, &instead),
                    kind: instead,
                    span: e.span,
                },
                mutation,
            ));
        }
        let below = |way: Vec<usize>| path.iter().copied().chain(way).collect();
        for (i, part) in passed_on(program, e) {
            // Arguments that are default values are located at their declarations.
            let default = absent(program, &names, part).filter(|_| e.span.contains_span(part.span));
            // In the argument of a call, it would change the recursion.
            let is_store = matches!(
                e.kind,
                ExprKind::Op(Op::Update(_) | Op::Construct(_) | Op::Tuple, _)
            );
            let reset = reset(part).filter(|_| is_store);
            for (kind, how, text) in default.into_iter().chain(reset) {
                let instead = Expr {
                    ty: unconstrained(&program.typed, &part.ty),
                    kind,
                    span: part.span,
                };
                found.push((below(vec![i]), instead, Mutation::new(part.span, how, text)));
            }
        }
        // For a member without a written receiver, `this` is replaced and then written.
        if let Some(this) = implied {
            // The receiver is the only part of such an expression with an independent value.
            for (instead, kind, object) in others(program, &names, this) {
                let instead = Expr {
                    kind: instead,
                    ty: this.ty.clone(),
                    span: e.span,
                };
                let mutation =
                    Mutation::new(e.span, kind, [object, vec![text("."), only(e)]].concat());
                found.push((below(vec![0]), instead, mutation));
            }
            continue;
        }
        // Ranges of bound variables have mutants of their own, because the loops depend on them.
        if let Some((parts, vars)) = ranges::parts(e) {
            let names = Rc::new(names.with(vars));
            let rewrites = ranges::rewrites(program, &names, &parts);
            found.extend(
                rewrites
                    .into_iter()
                    .map(|(way, instead, mutation)| (below(way), instead, mutation)),
            );
            work.extend(
                parts
                    .others
                    .into_iter()
                    .rev()
                    .map(|(way, part)| (below(way), part, names.clone())),
            );
            continue;
        }
        // The body of a `let` sees its variable, the value does not.
        let bound = if let ExprKind::Let(v, ..) = &e.kind {
            Some(*v)
        } else {
            None
        };
        let inside = |i: usize| {
            bound
                .filter(|_| i == 1)
                .map_or_else(|| names.clone(), |v| Rc::new(names.with(&[v])))
        };
        // A missing bound of a slice is not written.
        let is_slice = matches!(e.kind, ExprKind::Op(Op::Slice | Op::ArraySlice, _));
        let children = compiled_children(program, e)
            .into_iter()
            .filter(|(_, child)| !is_slice || child.span != e.span)
            .collect::<Vec<_>>();
        work.extend(
            children
                .into_iter()
                .rev()
                .map(|(i, child)| (below(vec![i]), child, inside(i))),
        );
    }
    found
}

/// The type of an expression that replaces `e`. Nothing but its own declaration guarantees the
/// constraint of a subset type: proofs about mutants must not assume that a replacement satisfies
/// that of `e`.
pub(super) fn type_of(program: &Program, names: &Names<'_>, e: &Expr, instead: &ExprKind) -> Type {
    let own = if let ExprKind::Var(v) = instead {
        names.vars.get(v.0 as usize).map(|i| i.ty.clone())
    } else {
        None
    };
    own.unwrap_or_else(|| unconstrained(&program.typed, &e.ty))
}

/// The operands that an operation only takes apart, or compares with an empty collection. An empty
/// collection in their place would have no type.
pub(super) fn without_type(e: &Expr) -> Vec<Span> {
    let is_empty =
        |e: &Expr| matches!(&e.kind, ExprKind::Op(Op::Display(_), args) if args.is_empty());
    let ExprKind::Op(op, args) = &e.kind else {
        return Vec::new();
    };
    let is_compared = matches!(op, Op::Eq | Op::Ne) && args.iter().any(is_empty);
    let takes_apart = matches!(
        op,
        Op::Cardinality(_)
            | Op::Select(_)
            | Op::Slice
            | Op::Keys
            | Op::Values
            | Op::Items
            | Op::MultisetOf(_)
    );
    let untyped = if is_compared {
        args.len()
    } else {
        usize::from(takes_apart)
    };
    args.iter().take(untyped).map(|a| a.span).collect()
}

/// The variables that an expression binds, at any depth.
pub(super) fn bound_within(e: &Expr) -> SortedSet<Var> {
    let mut found = SortedSet::new();
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        found.extend(e.bound());
        work.extend(e.children());
    }
    found
}

/// `this`, if the expression reads a member of it without writing `this`.
pub(super) fn implied<'e>(names: &Names<'_>, e: &'e Expr) -> Option<&'e Expr> {
    let object = if let ExprKind::ReadField(object, _) = &e.kind {
        &**object
    } else if let ExprKind::Op(Op::Destruct(_), args) = &e.kind {
        args.first()?
    } else {
        return None;
    };
    let ExprKind::Var(var) = object.kind else {
        return None;
    };
    let is_this = names
        .vars
        .get(var.0 as usize)
        .is_some_and(|i| &*i.name == "this");
    (is_this && object.span == e.span).then_some(object)
}

/// Whether the expression is an implicit `this` before a member.
pub(super) fn is_implicit(names: &Names<'_>, e: &Expr) -> bool {
    let ExprKind::Var(v) = e.kind else {
        return false;
    };
    let info = names.vars.get(v.0 as usize);
    info.is_some_and(|i| &*i.name == "this") && !is_spelled_in(&e.span, "this".len())
}

/// The text of a member of another object, for a receiver that is not written.
pub(super) fn member_of(object: Vec<Piece>, member: &Expr) -> Vec<Piece> {
    [object, vec![text("."), only(member)]].concat()
}

/// Whether a variable has the text of its own name. Others are made by the lowering, or occur only
/// in their declaration, such as the element of `set x: T | P(x)`.
pub(super) fn is_own_text(names: &Names<'_>, e: &Expr) -> bool {
    let ExprKind::Var(v) = e.kind else {
        return true;
    };
    names.vars.get(v.0 as usize).is_none_or(|info| {
        info.name.starts_with('$')
            || is_spelled_in(&e.span, info.name.len()) && !info.span.contains_span(e.span)
    })
}

/// Whether a text has this length, possibly with parentheses.
pub(super) fn is_spelled_in(span: &Span, length: usize) -> bool {
    let own = (span.end - span.start) as usize;
    own == length || own == length + 2
}

/// Whether an operation has no text of its own, because the lowering made it.
pub(super) fn is_made(e: &Expr) -> bool {
    let is_operation = matches!(
        e.kind,
        ExprKind::Op(..) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Implies(..)
    );
    // The missing bounds of a slice have its location.
    let written = if matches!(e.kind, ExprKind::Op(Op::Slice | Op::ArraySlice, _)) {
        1
    } else {
        usize::MAX
    };
    is_operation && e.children().iter().take(written).any(|c| c.span == e.span)
}

/// Whether it is the implicit call of a `:-`.
pub(super) fn is_of_failure(names: &Names<'_>, e: &Expr) -> bool {
    // `:-` is lowered to calls that have the location of the whole statement.
    let ExprKind::Call { args, .. } = &e.kind else {
        return false;
    };
    // Other calls with an argument at the location of the call have an implicit receiver.
    args.first()
        .is_some_and(|a| a.span == e.span && !is_implicit(names, a))
}

/// The compiled children of an expression, with their child indices. Ghost arguments and ranges are
/// left out; domains are derived from ranges.
pub(super) fn compiled_children<'e>(program: &Program, e: &'e Expr) -> Vec<(usize, &'e Expr)> {
    // Children before this index are domains or ranges.
    let skipped = match &e.kind {
        ExprKind::LetSuchThat(q, _)
        | ExprKind::IfSuchThat(q, ..)
        | ExprKind::Quantifier { vars: q, .. }
        | ExprKind::SetComp(q, _)
        | ExprKind::MapComp(q, ..) => q.operands().count(),
        ExprKind::Checked(..) => 1,
        ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. } => usize::MAX,
        ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Op(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::If(..)
        | ExprKind::Let(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::FunctionRef { .. }
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::Unsupported(_) => 0,
    };
    // Ghost parameters and fields do not exist in compiled code.
    let is_compiled = |i: usize| {
        if let ExprKind::Call { callee, .. } = &e.kind {
            is_parameter_compiled(program, *callee, i)
        } else if let ExprKind::Op(Op::Construct(ctor), _) = &e.kind {
            !program.typed[*ctor]
                .fields
                .get(i)
                .is_some_and(|f| program.typed[*f].ghost)
        } else {
            true
        }
    };
    e.children()
        .into_iter()
        .enumerate()
        .skip(skipped)
        .filter(|(i, _)| is_compiled(*i))
        .collect()
}

/// Whether an argument is compiled: its parameter is not ghost. The receiver is argument 0.
pub(super) fn is_parameter_compiled(
    program: &Program,
    callee: CallableId,
    argument: usize,
) -> bool {
    // The object of a constructor is not a written argument.
    if argument == 0 && program.typed[callee].kind == CallableKind::Constructor {
        return false;
    }
    let Some(contract) = program.contracts.get(&callee) else {
        return true;
    };
    let info = contract
        .params
        .get(argument)
        .and_then(|v| contract.vars.get(v.0 as usize));
    info.is_none_or(|v| !v.ghost)
}

/// Pairs of neighbouring arguments with the same type and different values, which may be confused.
pub(super) fn alike(
    args: &[Expr],
    program: &Program,
    callee: Option<CallableId>,
) -> Vec<(usize, usize)> {
    // Only compiled arguments can be confused.
    let compiled: Vec<usize> = (0..args.len())
        .filter(|i| callee.is_none_or(|c| is_parameter_compiled(program, c, *i)))
        .collect();
    // Exchanging equal arguments changes nothing.
    let is_alike = |(i, j): &(usize, usize)| match (args.get(*i), args.get(*j)) {
        (Some(a), Some(b)) => {
            are_alike(&program.typed, &a.ty, &b.ty) && is_written(a) && is_written(b) && !same(a, b)
        }
        (_, _) => false,
    };
    compiled
        .iter()
        .copied()
        .zip(compiled.iter().copied().skip(1))
        .filter(is_alike)
        .collect()
}

pub(super) fn is_written(e: &Expr) -> bool {
    e.span.start < e.span.end
}

/// Whether two expressions are the same variable or constant.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
        (_, _) => false,
    }
}

/// Whether an expression is a comparison or negation. Replacing its operator has the effect of a
/// negation.
pub(super) fn is_comparison(e: &Expr) -> bool {
    matches!(
        &e.kind,
        ExprKind::Op(Op::Eq | Op::Ne | Op::Lt(_) | Op::Le(_) | Op::Not, _)
    )
}

/// The source text of an expression.
pub(super) fn only(e: &Expr) -> Piece {
    Piece::Source(e.span)
}

/// The source text of an expression as the operand of an operator that may bind more tightly than
/// the original one.
pub(super) fn operand(e: &Expr) -> Piece {
    Piece::Operand(e.span)
}

pub(super) fn text(s: impl Into<String>) -> Piece {
    Piece::Text(s.into())
}

pub(super) type Other = (ExprKind, MutationKind, Vec<Piece>);

/// The expressions that may replace an expression, with operator and text.
pub(super) fn others(program: &Program, names: &Names<'_>, e: &Expr) -> Vec<Other> {
    match &e.kind {
        // Literals that the lowering made have no text to replace.
        ExprKind::Literal(l) if is_spelled(l, e.span) => constants(program, l, &e.ty),
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
        ExprKind::And(a, b) => {
            let or = (
                ExprKind::Or(a.clone(), b.clone()),
                MutationKind::Connective,
                joined(a, " || ", b),
            );
            [vec![or], operands(&[a, b])].concat()
        }
        ExprKind::Or(a, b) => {
            // Both operands alone, and the other connective.
            let and = (
                ExprKind::And(a.clone(), b.clone()),
                MutationKind::Connective,
                joined(a, " && ", b),
            );
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
            let instead = vec![
                text("if !("),
                only(c),
                text(") then "),
                only(a),
                text(" else "),
                only(b),
            ];
            vec![(
                ExprKind::If(c.clone(), b.clone(), a.clone()),
                MutationKind::Negation,
                instead,
            )]
        }
        ExprKind::Quantifier { forall, vars, body } => {
            vec![other_quantifier(names, *forall, vars, body, e.span)]
        }
        ExprKind::Call {
            callee,
            type_args,
            args,
            label,
        } => {
            let call = |args| ExprKind::Call {
                callee: *callee,
                type_args: type_args.clone(),
                args,
                label: label.clone(),
            };
            // Exchanged arguments, simpler values of the same type, and other callees.
            let orders = orders(args, (program, Some(*callee)), e.span, call);
            let simpler = args
                .iter()
                .filter(|a| are_alike(&program.typed, &a.ty, &e.ty) && is_written(a))
                .take(MAX_ALIKE);
            let simpler = simpler.map(|a| (a.kind.clone(), MutationKind::Operand, vec![only(a)]));
            let given = |callee| ExprKind::Call {
                callee,
                type_args: type_args.clone(),
                args: args.clone(),
                label: None,
            };
            let others = if label.is_none() {
                names.callees.alike(program, *callee)
            } else {
                Vec::new()
            };
            let others = others.into_iter().map(|c| {
                (
                    given(c),
                    MutationKind::Callee,
                    called(program, args, e.span, c),
                )
            });
            let plain = constructed(program, names, (*callee, args), e);
            orders
                .into_iter()
                .chain(negated(program, e))
                .chain(default_instead(program, e))
                .chain(simpler)
                .chain(others)
                .chain(plain)
                .collect()
        }
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

/// The other quantifier under the same conditions: `exists x :: P(x) && Q(x)` for `forall x :: P(x)
/// ==> Q(x)`, or the reverse.
pub(super) fn other_quantifier(
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

/// Whether a literal is spelled like its text. Others come from the lowering or have another
/// spelling.
pub(super) fn is_spelled(l: &Literal, span: Span) -> bool {
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
pub(super) fn joined(a: &Expr, op: &str, b: &Expr) -> Vec<Piece> {
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

/// A default value that replaces a call, or another expression whose value is passed on.
pub(super) fn default_instead(program: &Program, e: &Expr) -> Option<Other> {
    let coll = match unconstrained(&program.typed, &e.ty) {
        Type::Int => {
            let zero = ExprKind::Literal(Literal::Int(BigInt::default()));
            return Some((zero, MutationKind::Constant, vec![text("0")]));
        }
        Type::Seq(_) => Coll::Seq,
        Type::Set { .. } => Coll::Set,
        Type::Multiset(_) => Coll::Multiset,
        Type::Map { .. } => Coll::Map,
        // Other types have no obvious default value. A `bool` is negated instead.
        Type::Bool
        | Type::Char
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Named { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => return None,
    };
    let kind = ExprKind::Op(Op::Display(coll), Vec::new());
    Some((
        kind,
        MutationKind::Constant,
        vec![text(empty(program, &e.ty)?)],
    ))
}

/// A default value in place of a variable, field, element or length whose value is passed on: to a
/// call, a constructor, a collection, or an assigned variable. As the operand of an operator, the
/// value is replaced by other mutation operators: without `x`, `x + y` is `y`.
pub(super) fn absent(program: &Program, names: &Names<'_>, e: &Expr) -> Option<Other> {
    let is_read = match &e.kind {
        ExprKind::Var(v) => names
            .vars
            .get(v.0 as usize)
            .is_some_and(|i| !i.ghost && !i.name.starts_with('$')),
        ExprKind::ReadField(..) | ExprKind::ReadElement(..) => true,
        ExprKind::Op(op, _) => matches!(
            op,
            Op::Destruct(_)
                | Op::TupleField(_)
                | Op::Select(_)
                | Op::Cardinality(_)
                | Op::ArrayLength(_)
        ),
        ExprKind::Literal(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::If(..)
        | ExprKind::Let(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::FunctionRef { .. }
        | ExprKind::Convert(_)
        | ExprKind::Is(..) => false,
        ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Checked(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => false,
    };
    // Code of the lowering, and names that stand in a pattern, are not replaced.
    let is_plain = is_written(e)
        && !is_made(e)
        && !is_implicit(names, e)
        && is_own_text(names, e)
        && !names.forms.is_in_pattern(e.span);
    if is_read && is_plain {
        default_instead(program, e)
    } else {
        None
    }
}

/// For a stored sum or difference of a value and a literal: the literal alone, as of an accumulator
/// that is reset.
pub(super) fn reset(e: &Expr) -> Option<Other> {
    let ExprKind::Op(Op::Add(Num::Int) | Op::Sub(Num::Int), args) = &e.kind else {
        return None;
    };
    let [value, literal] = args.as_slice() else {
        return None;
    };
    let is_written = is_written(literal) && !is_made(e) && value.span != literal.span;
    (is_literal(literal) && !is_literal(value) && is_written).then(|| {
        (
            literal.kind.clone(),
            MutationKind::Operand,
            vec![only(literal)],
        )
    })
}

/// Another collection in place of one that an operation, comprehension or call makes: a variable
/// of its type that the expression does not read and to which it is not assigned.
pub(super) fn other_collection(
    program: &Program,
    names: &Names<'_>,
    value: &Expr,
    target: Option<Var>,
) -> Option<Other> {
    let ty = unconstrained(&program.typed, &value.ty);
    let is_collection = matches!(
        ty,
        Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. }
    );
    let is_read = matches!(
        value.kind,
        ExprKind::Var(_)
            | ExprKind::Literal(_)
            | ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
    );
    if !is_collection || is_read || !is_written(value) || is_made(value) {
        return None;
    }
    let is_free = |v: Var| Some(v) != target && !value.mentions(&[v]);
    let mut others = names.known.iter().copied().filter(|v| is_free(*v));
    others.find_map(|v| {
        let info = names.vars.get(v.0 as usize)?;
        let is_alike = !info.ghost
            && !info.name.starts_with('$')
            && are_alike(&program.typed, &info.ty, &ty)
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

/// The children of an expression whose values are passed on unchanged.
pub(super) fn passed_on<'e>(program: &Program, e: &'e Expr) -> Vec<(usize, &'e Expr)> {
    // Child 0 of an update is the collection, whose elements the result has.
    let skipped = match &e.kind {
        ExprKind::Call { .. } => 0,
        ExprKind::Op(Op::Construct(_) | Op::Tuple | Op::Display(_) | Op::Update(_), _) => 0,
        ExprKind::If(..) | ExprKind::Apply(..) => 1,
        ExprKind::Let(..)
        | ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Op(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::Const { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::Checked(..) => return Vec::new(),
        ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => return Vec::new(),
    };
    compiled_children(program, e)
        .into_iter()
        .filter(|(i, _)| *i >= skipped)
        .collect()
}

/// The object of a datatype update `d.(f := v)`, which the lowering makes a construction.
pub(super) fn updated<'e>(names: &Names<'_>, e: &'e Expr) -> Option<&'e Expr> {
    let object = names.forms.updated(e.span)?;
    let mut work = vec![e];
    while let Some(part) = work.pop() {
        if part.span == object {
            return Some(part);
        }
        work.extend(part.children().into_iter().rev());
    }
    None
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
pub(super) fn in_place(args: &[Expr], others: &[Expr], whole: Span) -> Vec<Piece> {
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

/// The display of the empty collection of a type. `None` if the type has none.
pub(super) fn empty(program: &Program, ty: &Type) -> Option<&'static str> {
    match program.typed.representation(ty) {
        Type::Seq(_) => Some("[]"),
        Type::Set { finite: true, .. } => Some("{}"),
        Type::Set { finite: false, .. } => Some("iset{}"),
        Type::Multiset(_) => Some("multiset{}"),
        Type::Map { finite: true, .. } => Some("map[]"),
        Type::Map { finite: false, .. } => Some("imap[]"),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Named { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => None,
    }
}
