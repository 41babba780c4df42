//! Mutation operators for expressions.
//!
//! [`rewrites`] visits the compiled parts of an expression and applies the operators of [`others`]
//! to each. The hard part is the text: the lowering makes expressions that have no text of their
//! own, or the text of another expression, and these must not be mutated or need a receiver that is
//! not written.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::Signed;

use super::copies::Equal;
use super::forms::Forms;
use super::types::{are_alike, unconstrained};
use super::{Mutation, MutationKind, Piece, ranges};
use dafny_resolve::typed::{
    CallableId, CallableKind, CtorId, FieldId, FieldKind, Formal, Literal, ModuleId, Substitution,
    Type, TypeDeclKind,
};
use dafny_syntax::source::Span;
use dtest_ir::build::is_literal;
use dtest_ir::{
    Coll, Expr, ExprKind, Num, Op, Program, Quantified, StmtKind, Terminator, Var, VarInfo,
};
use dtest_sorted::SortedSet;

/// Maximum number of variables, fields or constructors that replace one.
const MAX_ALIKE: usize = 2;

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
type Rewrite = (Vec<usize>, Expr, Mutation);

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
fn type_of(program: &Program, names: &Names<'_>, e: &Expr, instead: &ExprKind) -> Type {
    let own = if let ExprKind::Var(v) = instead {
        names.vars.get(v.0 as usize).map(|i| i.ty.clone())
    } else {
        None
    };
    own.unwrap_or_else(|| unconstrained(&program.typed, &e.ty))
}

/// The operands that an operation only takes apart, or compares with an empty collection. An empty
/// collection in their place would have no type.
fn without_type(e: &Expr) -> Vec<Span> {
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
fn bound_within(e: &Expr) -> SortedSet<Var> {
    let mut found = SortedSet::new();
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        found.extend(e.bound());
        work.extend(e.children());
    }
    found
}

/// `this`, if the expression reads a member of it without writing `this`.
fn implied<'e>(names: &Names<'_>, e: &'e Expr) -> Option<&'e Expr> {
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
fn is_implicit(names: &Names<'_>, e: &Expr) -> bool {
    let ExprKind::Var(v) = e.kind else {
        return false;
    };
    let info = names.vars.get(v.0 as usize);
    info.is_some_and(|i| &*i.name == "this") && !is_spelled_in(&e.span, "this".len())
}

/// The text of a member of another object, for a receiver that is not written.
fn member_of(object: Vec<Piece>, member: &Expr) -> Vec<Piece> {
    [object, vec![text("."), only(member)]].concat()
}

/// Whether a variable has the text of its own name. Others are made by the lowering, or occur only
/// in their declaration, such as the element of `set x: T | P(x)`.
fn is_own_text(names: &Names<'_>, e: &Expr) -> bool {
    let ExprKind::Var(v) = e.kind else {
        return true;
    };
    names.vars.get(v.0 as usize).is_none_or(|info| {
        info.name.starts_with('$')
            || is_spelled_in(&e.span, info.name.len()) && !info.span.contains_span(e.span)
    })
}

/// Whether a text has this length, possibly with parentheses.
fn is_spelled_in(span: &Span, length: usize) -> bool {
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
fn is_of_failure(names: &Names<'_>, e: &Expr) -> bool {
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

/// The element at index 0 instead of that at `index`.
fn first(collection: &Expr, index: &Expr, read: impl Fn(Expr) -> ExprKind) -> Option<Other> {
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

fn is_written(e: &Expr) -> bool {
    e.span.start < e.span.end
}

/// Whether two expressions are the same variable or constant.
fn same(a: &Expr, b: &Expr) -> bool {
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
fn operand(e: &Expr) -> Piece {
    Piece::Operand(e.span)
}

/// Whether two operators have the same precedence.
fn binds_alike(op: &Op, other: &Op) -> bool {
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

fn text(s: impl Into<String>) -> Piece {
    Piece::Text(s.into())
}

type Other = (ExprKind, MutationKind, Vec<Piece>);

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

/// Whether a literal is spelled like its text. Others come from the lowering or have another
/// spelling.
fn is_spelled(l: &Literal, span: Span) -> bool {
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
fn constants(program: &Program, l: &Literal, ty: &Type) -> Vec<Other> {
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
fn variables(program: &Program, names: &Names<'_>, v: Var) -> Vec<Other> {
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
fn is_named(names: &Names<'_>, v: Var, name: &str) -> bool {
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
fn operands(operands: &[&Expr]) -> Vec<Other> {
    operands
        .iter()
        .filter(|o| is_written(o))
        .map(|o| (o.kind.clone(), MutationKind::Operand, vec![only(o)]))
        .collect()
}

/// A default value that replaces a call, or another expression whose value is passed on.
fn default_instead(program: &Program, e: &Expr) -> Option<Other> {
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
fn passed_on<'e>(program: &Program, e: &'e Expr) -> Vec<(usize, &'e Expr)> {
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
fn updated<'e>(names: &Names<'_>, e: &'e Expr) -> Option<&'e Expr> {
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

/// The callees of some code.
pub(super) struct Callees {
    module: ModuleId,
    all: Vec<CallableId>,
}

impl Callees {
    /// A callable with its direct and indirect callees.
    pub(super) fn of(program: &Program, callable: CallableId) -> Rc<Self> {
        let all = std::iter::once(callable)
            .chain(program.callees(callable))
            .collect();
        Rc::new(Self {
            module: program.typed[callable].module,
            all,
        })
    }

    /// Other callees of the same kind that are compiled and take the same arguments: the first one
    /// that the callee itself calls, which does a part of its work (`Make` for `Rebalance`), and
    /// the first other one. None for a callee that is dispatched dynamically.
    pub(super) fn alike(&self, program: &Program, callee: CallableId) -> Vec<CallableId> {
        let typed = &program.typed;
        let own = &typed[callee];
        let is_plain = |c: CallableId| {
            let declared = &typed[c];
            let is_dispatched =
                declared.owner.is_some_and(|o| typed.is_trait(o)) || !declared.overrides.is_empty();
            !declared.ghost && !declared.is_two_state && !is_dispatched
        };
        // Constructors and callables of other modules are not replaced.
        if !is_plain(callee) || own.module != self.module || own.kind == CallableKind::Constructor {
            return Vec::new();
        }
        // Callables without receiver replace each other wherever they are declared.
        let is_of_object = |c: CallableId| typed[c].owner.is_some() && !typed[c].is_static;
        let may_stand_for = |c: CallableId| {
            let declared = &typed[c];
            let is_placed_alike = is_of_object(c) == is_of_object(callee)
                && (!is_of_object(c) || declared.owner == own.owner);
            c != callee
                && declared.kind == own.kind
                && declared.module == self.module
                && is_placed_alike
                && is_plain(c)
                && program.procedures.contains_key(&c)
                && has_signature_of(program, c, callee)
        };
        let alike: Vec<CallableId> = self
            .all
            .iter()
            .copied()
            .filter(|c| may_stand_for(*c))
            .collect();
        let called = direct_callees(program, callee);
        let weaker = alike.iter().find(|c| called.contains(c)).copied();
        let beside = |c: &&CallableId| typed[**c].owner == own.owner && Some(**c) != weaker;
        let other = alike.iter().find(beside).copied();
        weaker.into_iter().chain(other).collect()
    }
}

/// Whether a callable takes the type arguments and arguments of another one and has the same
/// results.
fn has_signature_of(program: &Program, c: CallableId, other: CallableId) -> bool {
    let typed = &program.typed;
    let (own, params) = (typed.all_type_params(c), typed.all_type_params(other));
    if own.len() != params.len() {
        return false;
    }
    // The type parameters of both correspond by position.
    let map: Substitution = own
        .into_iter()
        .zip(params.into_iter().map(Type::Param))
        .collect();
    let are_all_alike = |a: &[Formal], b: &[Formal]| {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                let (a, b) = (&typed[a.local], &typed[b.local]);
                a.ghost == b.ghost && are_alike(typed, &a.ty.subst(&map), &b.ty)
            })
    };
    are_all_alike(&typed[c].ins, &typed[other].ins)
        && are_all_alike(&typed[c].outs, &typed[other].outs)
}

/// All compiled expressions of a callable's own code, without the bodies of its lambdas.
fn code_of(program: &Program, callable: CallableId) -> Vec<&Expr> {
    let Some(procedure) = program.procedures.get(&callable) else {
        return Vec::new();
    };
    let mut work: Vec<&Expr> = Vec::new();
    for block in procedure.blocks.iter().rev() {
        if let Terminator::Branch { cond, .. } = &block.terminator {
            work.push(cond);
        }
        work.extend(block.stmts.iter().rev().flat_map(super::stmts::roots));
    }
    let mut found = Vec::new();
    while let Some(e) = work.pop() {
        found.push(e);
        work.extend(e.children().into_iter().rev());
    }
    found
}

/// The callables that the own code of a callable calls.
fn direct_callees(program: &Program, callable: CallableId) -> SortedSet<CallableId> {
    let of_expr = |e: &Expr| {
        if let ExprKind::Call { callee, .. } = &e.kind {
            Some(*callee)
        } else {
            None
        }
    };
    let mut found: SortedSet<CallableId> = code_of(program, callable)
        .into_iter()
        .filter_map(of_expr)
        .collect();
    let blocks = program.procedures.get(&callable).map(|p| &p.blocks);
    let stmts = blocks.into_iter().flatten().flat_map(|b| &b.stmts);
    found.extend(stmts.filter_map(|s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            Some(*callee)
        } else {
            None
        }
    }));
    found
}

/// For a call of a function that constructs a value in the end: the construction from the
/// arguments, or from some of them in this order. `Node(l, r)` for `Balanced(l, r)` leaves out what
/// the function does before, `Done(r, at)` for the recursive call `Rest(s, r, at)` the rest of the
/// recursion.
fn constructed(
    program: &Program,
    names: &Names<'_>,
    (callee, args): (CallableId, &[Expr]),
    e: &Expr,
) -> Option<Other> {
    let typed = &program.typed;
    let own = &typed[callee];
    let Type::Named {
        decl, args: types, ..
    } = unconstrained(typed, &e.ty)
    else {
        return None;
    };
    let map = typed.substitution(decl, &types);
    // The constructor's name needs no import in its own module.
    let is_plain = own.module == names.callees.module
        && typed[decl].module == names.callees.module
        && (own.owner.is_none() || own.is_static);
    let TypeDeclKind::Datatype { ctors, .. } = &typed[decl].kind else {
        return None;
    };
    // The argument for each field, in the order of both.
    let arguments = |c: CtorId| {
        let mut left = args.iter().zip(&own.ins);
        let fields = &typed[c].fields;
        let argument = |f: &FieldId| {
            let field = &typed[*f];
            let ty = field.ty.subst(&map);
            let is_alike = |(arg, formal): &(&Expr, &Formal)| {
                !field.ghost
                    && !typed[formal.local].ghost
                    && are_alike(typed, &ty, &arg.ty)
                    && is_written(arg)
                    && e.span.contains_span(arg.span)
            };
            left.find(is_alike).map(|(arg, _)| arg.clone())
        };
        let found: Option<Vec<Expr>> = fields.iter().map(argument).collect();
        found.filter(|found| !found.is_empty())
    };
    let mut made = code_of(program, callee).into_iter().filter_map(|part| {
        if let ExprKind::Op(Op::Construct(ctor), _) = &part.kind {
            Some(*ctor)
        } else {
            None
        }
    });
    let (ctor, args) = made.find_map(|c| {
        let is_made = is_plain && ctors.contains(&c);
        Some((c, arguments(c).filter(|_| is_made)?))
    })?;
    let name = format!("{}.{}", typed[decl].name, typed[ctor].name);
    let shown = applied(&name, &args, e.span);
    Some((
        ExprKind::Op(Op::Construct(ctor), args),
        MutationKind::Callee,
        shown,
    ))
}

/// The text of a call of another function with the same arguments.
pub(super) fn called(
    program: &Program,
    args: &[Expr],
    call: Span,
    other: CallableId,
) -> Vec<Piece> {
    let declared = &program.typed[other];
    let is_of_object = declared.owner.is_some() && !declared.is_static;
    // The receiver is written, implied, or a type.
    let (mut pieces, args) = match (declared.owner, args.split_first()) {
        (Some(_), Some((object, rest))) if is_of_object => {
            let is_implied = !is_written(object) || object.span == call;
            (
                if is_implied {
                    vec![text("this.")]
                } else {
                    vec![only(object), text(".")]
                },
                rest,
            )
        }
        (Some(owner), _) => (vec![text(&*program.typed[owner].name), text(".")], args),
        (None, _) => (Vec::new(), args),
    };
    pieces.extend([text(&*declared.name), text("(")]);
    for (i, arg) in args.iter().filter(|a| is_written(a)).enumerate() {
        pieces.extend((i > 0).then(|| text(", ")).into_iter().chain([only(arg)]));
    }
    pieces.push(text(")"));
    pieces
}

/// The negation of a condition.
fn negated(program: &Program, e: &Expr) -> Option<Other> {
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
fn orders(
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

/// Other compiled fields with the same owner and type.
fn fields(program: &Program, field: FieldId) -> Vec<FieldId> {
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
fn namesake(program: &Program, names: &Names<'_>, field: FieldId, e: &Expr) -> Option<Other> {
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
fn destructors(program: &Program, field: FieldId) -> Vec<FieldId> {
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
fn other_parts(program: &Program, at: usize, tuple: &Expr, ty: &Type) -> Vec<Other> {
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

/// The display of the empty collection of a type. `None` if the type has none.
fn empty(program: &Program, ty: &Type) -> Option<&'static str> {
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

/// The text of another constructor with the same arguments; what qualifies the name stays.
fn construction(
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
fn constructors(program: &Program, ctor: CtorId) -> Vec<CtorId> {
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
fn named(program: &Program, (object, read): (&Expr, &Expr), field: FieldId) -> Vec<Piece> {
    let name = text(&*program.typed[field].name);
    match object.span == read.span {
        true => vec![text("this."), name],
        false if is_written(object) => vec![only(object), text("."), name],
        false => vec![name],
    }
}

/// The mutants of an operation.
fn operations(program: &Program, op: &Op, args: &[Expr], e: &Expr) -> Vec<Other> {
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

/// The text of a constructor with arguments. Empty if some of them are not written.
fn applied(name: &str, args: &[Expr], whole: Span) -> Vec<Piece> {
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

/// Whether exchanging the operands changes the result, and no other operator has the same effect.
fn is_ordered(op: &Op) -> bool {
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
fn other_operators(op: &Op) -> Vec<Op> {
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
fn relations(op: &Op) -> impl Iterator<Item = (Op, bool)> {
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
fn symbol(op: &Op, turned: bool) -> Option<&'static str> {
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
