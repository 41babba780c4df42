//! Mutation operators for expressions.
//!
//! [`rewrites`] visits the compiled parts of an expression and applies the operators of [`others`]
//! to each. The hard part is the text: the lowering makes expressions that have no text of their
//! own, or the text of another expression, and these must not be mutated or need a receiver that is
//! not written.

use super::callees::Callees;
use super::defaults::{absent, passed_on, reset};
use super::replacements::others;
use std::rc::Rc;

use super::copies::Equal;
use super::forms::Forms;
use super::types::{are_alike, unconstrained};
use super::{Mutation, MutationKind, Piece, ranges};
use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dafny_source::Span;
use dtest_ir::{Expr, ExprKind, Op, Program, Var, VarInfo};
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
        for (instead, mutation) in replacements(program, &names, e, is_implicit) {
            // Nothing around an untyped expression says the type of an empty display.
            let mutation = if untyped.contains(&e.span) {
                mutation.without_empty_display()
            } else {
                mutation
            };
            found.push((path.clone(), instead, mutation));
        }
        let below = |way: Vec<usize>| path.iter().copied().chain(way).collect();
        for (i, instead, mutation) in defaults_of_parts(program, &names, e) {
            found.push((below(vec![i]), instead, mutation));
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

/// The replacements of an expression as a whole. Each keeps the location of the original.
/// `is_implicit`: whether the expression is a member with an implicit receiver.
fn replacements(
    program: &Program,
    names: &Names<'_>,
    e: &Expr,
    is_implicit: bool,
) -> Vec<(Expr, Mutation)> {
    let is_visible = |instead: &ExprKind| {
        let ExprKind::Var(v) = instead else {
            return true;
        };
        let info = names.vars.get(v.0 as usize);
        info.is_none_or(|i| names.forms.is_in_scope(i.span, e.span))
    };
    others(program, names, e)
        .into_iter()
        .filter(|(instead, ..)| is_visible(instead))
        .map(|(kind, how, text)| {
            let text = if is_implicit {
                member_of(text, e)
            } else {
                text
            };
            let ty = type_of(program, names, e, &kind);
            let span = e.span;
            (Expr { kind, ty, span }, Mutation::new(span, how, text))
        })
        .collect()
}

/// The replacements of the parts that an expression passes on by default values, by the index of
/// the part.
fn defaults_of_parts(
    program: &Program,
    names: &Names<'_>,
    e: &Expr,
) -> Vec<(usize, Expr, Mutation)> {
    // In the argument of a call, a reset would change the recursion.
    let is_store = matches!(
        e.kind,
        ExprKind::Op(Op::Update(_) | Op::Construct(_) | Op::Tuple, _)
    );
    let mut found = Vec::new();
    for (i, part) in passed_on(program, e) {
        // Arguments that are default values are located at their declarations.
        let default = absent(program, names, part).filter(|_| e.span.contains_span(part.span));
        let reset = reset(part).filter(|_| is_store);
        for (kind, how, text) in default.into_iter().chain(reset) {
            let instead = Expr {
                ty: unconstrained(&program.typed, &part.ty),
                kind,
                span: part.span,
            };
            found.push((i, instead, Mutation::new(part.span, how, text)));
        }
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
fn member_of(object: Vec<Piece>, member: &Expr) -> Vec<Piece> {
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
