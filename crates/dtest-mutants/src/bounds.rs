//! Domains of bound variables in a mutant.
//!
//! The loops of a quantifier or comprehension are derived from its conditions (reference manual,
//! section 9.31.4); for a `forall`, also from the negation of its body. A mutant of such a
//! condition has other loops. They are derived here again on the IR, by the rules of the resolver
//! (`dafny-resolve/bodies/bounds.rs`). A derived domain may have more candidates than the
//! resolver's, because all conditions are checked for each candidate. Only a domain that lacks a
//! candidate would be wrong.
//!
//! [`refitted`] is the entry point, `Search` derives the domains.

use num_bigint::BigInt;

use super::defined::is_same;
use super::put;
use dafny_resolve::typed::{Literal, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::{Domain, Expr, ExprKind, Num, Op, Program, Quantified, Var, VarInfo, build};

/// Maximum number of non-constant ends that are combined to one end of a range.
const MAX_ENDS: usize = 3;

/// Applies changes within `root`, and adapts the loops around them to the changed conditions.
/// Returns the path and the expression to replace. `None` if a variable has no domain any more, so
/// that Dafny would reject the mutant.
pub(super) fn refitted(
    program: &Program,
    vars: &[VarInfo],
    root: &Expr,
    changes: Vec<(Vec<usize>, Expr)>,
) -> Option<(Vec<usize>, Expr)> {
    // Every binder on the way to a change may have loops that depend on it.
    let mut binders: Vec<Vec<usize>> = Vec::new();
    for (path, _) in &changes {
        for depth in 0..=path.len() {
            let way = path.get(..depth)?;
            if at(root, way)?.quantified().is_some() && !binders.iter().any(|b| b == way) {
                binders.push(way.to_vec());
            }
        }
    }
    // Innermost binders first. The child indices depend on the domains, so that paths are only
    // valid for binders whose outer loops are unchanged.
    binders.sort_by_key(|way| std::cmp::Reverse(way.len()));
    let mut whole = root.clone();
    for (path, instead) in &changes {
        put(&mut whole, path, instead)?;
    }
    let mut is_refitted = false;
    for way in &binders {
        let before = at(root, way)?;
        let after = at_mut(&mut whole, way)?;
        if after.quantified().is_some() {
            is_refitted |= refit(program, vars, before, after)?;
        }
    }
    // Without adapted loops, the change itself is enough. Otherwise the whole root is replaced.
    match <[_; 1]>::try_from(changes) {
        Ok([(path, instead)]) if !is_refitted => Some((path, instead)),
        Ok(_) | Err(_) => Some((Vec::new(), whole)),
    }
}

/// The part of an expression at a path.
pub(super) fn at<'e>(root: &'e Expr, path: &[usize]) -> Option<&'e Expr> {
    let mut at = root;
    for step in path {
        at = at.children().into_iter().nth(*step)?;
    }
    Some(at)
}

fn at_mut<'e>(root: &'e mut Expr, path: &[usize]) -> Option<&'e mut Expr> {
    let mut at = root;
    for step in path {
        at = at.children_mut().into_iter().nth(*step)?;
    }
    Some(at)
}

/// Derives the loops of `after` again if its conditions differ from those of `before`. Returns
/// whether that was necessary, or `None` if a variable has no domain.
fn refit(program: &Program, vars: &[VarInfo], before: &Expr, after: &mut Expr) -> Option<bool> {
    let own = before.quantified()?;
    let was = facts_of(before);
    let now = facts_of(after);
    // Facts that do not mention the bound variables cannot change their domains.
    let mentioned = |facts: &[Fact]| -> Vec<Fact> {
        facts
            .iter()
            .filter(|f| f.mentions(&own.vars))
            .cloned()
            .collect()
    };
    let (was, now) = (mentioned(&was), mentioned(&now));
    // The original domains remain valid if the facts are the same.
    if was.len() == now.len() && was.iter().zip(&now).all(|(a, b)| a.is_same(b)) {
        return Some(false);
    }
    let search = Search {
        program,
        vars,
        own,
        facts: &now,
    };
    // A missing end is allowed if the original has one: `:|` searches upwards or downwards.
    let is_finite = own.bounds.iter().flatten().all(|(_, d)| d.is_finite());
    let bounds = search.bounds(is_finite)?;
    after.quantified_mut()?.bounds = Some(bounds);
    Some(true)
}

/// A fact that holds for all candidates that matter.
#[allow(clippy::large_enum_variant, reason = "nearly all are relations")]
#[derive(Clone)]
enum Fact {
    /// `left op right`.
    Relation(Relation, Expr, Expr),
    /// A Boolean variable has this value.
    Is(Var, bool),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Eq,
    Lt,
    Le,
    In,
    /// A subset or prefix.
    Within,
    /// A value that is structurally contained in another one.
    Inside,
}

impl Fact {
    fn mentions(&self, vars: &[Var]) -> bool {
        match self {
            Self::Relation(_, a, b) => a.mentions(vars) || b.mentions(vars),
            Self::Is(v, _) => vars.contains(v),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        // Expressions of other kinds are the same if nothing in them was changed.
        let equal = |a: &Expr, b: &Expr| is_same(a, b) || format!("{a:?}") == format!("{b:?}");
        match (self, other) {
            (Self::Relation(r, a, b), Self::Relation(s, c, d)) => {
                r == s && equal(a, c) && equal(b, d)
            }
            (Self::Is(v, a), Self::Is(w, b)) => v == w && a == b,
            (Self::Relation(..) | Self::Is(..), _) => false,
        }
    }
}

/// The facts from which the loops of an expression are derived.
fn facts_of(e: &Expr) -> Vec<Fact> {
    let mut found = Vec::new();
    if let Some(range) = e.quantified().and_then(|q| q.range.as_deref()) {
        facts(range, true, &mut found);
    }
    if let ExprKind::Quantifier { forall, body, .. } = &e.kind {
        facts(body, !forall, &mut found);
    }
    found
}

/// Adds the facts that are necessary for `e` to have the value `positive`.
fn facts(e: &Expr, positive: bool, found: &mut Vec<Fact>) {
    match &e.kind {
        ExprKind::Var(v) => found.push(Fact::Is(*v, positive)),
        ExprKind::And(a, b) if positive => {
            facts(a, true, found);
            facts(b, true, found);
        }
        ExprKind::Or(a, b) if !positive => {
            facts(a, false, found);
            facts(b, false, found);
        }
        ExprKind::Implies(a, b) if !positive => {
            facts(a, true, found);
            facts(b, false, found);
        }
        // An operand in the middle of a chain of comparisons.
        ExprKind::Let(v, value, body) => {
            // The value is substituted, so that its comparisons are visible.
            let mut body = (**body).clone();
            substitute(&mut body, *v, value);
            facts(&body, positive, found);
        }
        ExprKind::Checked(_, _, inner) => facts(inner, positive, found),
        ExprKind::Op(Op::Not, args) => args.iter().for_each(|a| facts(a, !positive, found)),
        ExprKind::Op(op, args) => {
            if let [a, b] = args.as_slice() {
                found.extend(relation(op, a, b, positive));
            }
        }
        ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::Literal(_)
        | ExprKind::If(..)
        | ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::ReadField(..)
        | ExprKind::ReadElement(..)
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Convert(_)
        | ExprKind::Is(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => {}
    }
}

fn relation(op: &Op, a: &Expr, b: &Expr, positive: bool) -> Option<Fact> {
    // A negated comparison is the reversed one.
    let (relation, a, b) = match (op, positive) {
        (Op::Eq, true) | (Op::Ne, false) => (Relation::Eq, a, b),
        (Op::Lt(Num::Int), true) => (Relation::Lt, a, b),
        (Op::Le(Num::Int), true) => (Relation::Le, a, b),
        (Op::Lt(Num::Int), false) => (Relation::Le, b, a),
        (Op::Le(Num::Int), false) => (Relation::Lt, b, a),
        (Op::In(_), true) => (Relation::In, a, b),
        (Op::SubsetEq(_) | Op::Subset(_), true) => (Relation::Within, a, b),
        (Op::Below, true) => (Relation::Inside, a, b),
        (_, _) => return None,
    };
    Some(Fact::Relation(relation, a.clone(), b.clone()))
}

/// Substitutes an expression for a variable.
fn substitute(e: &mut Expr, var: Var, value: &Expr) {
    if matches!(e.kind, ExprKind::Var(v) if v == var) {
        *e = value.clone();
        return;
    }
    e.children_mut()
        .into_iter()
        .for_each(|c| substitute(c, var, value));
}

/// The bounds that are known for one variable.
#[derive(Default)]
struct Known {
    low: Vec<Expr>,
    high: Vec<Expr>,
    /// Domains with their rank, in order of preference.
    domains: Vec<(u32, Domain)>,
    /// The domain of all values of the type.
    by_type: Option<Domain>,
    is_integer: bool,
}

/// The derivation of domains for some variables.
struct Search<'p> {
    program: &'p Program,
    vars: &'p [VarInfo],
    /// The original binder.
    own: &'p Quantified,
    facts: &'p [Fact],
}

impl Search<'_> {
    /// Domains of the variables, in the order in which the loops nest. `None` if a variable has
    /// none, or only an infinite one and `is_finite` is set.
    fn bounds(&self, is_finite: bool) -> Option<Vec<(Var, Domain)>> {
        let mut known: Vec<Known> = self.own.vars.iter().map(|v| self.by_type(*v)).collect();
        // Each variable starts with what its type implies.
        for (var, known) in self.own.vars.iter().zip(&mut known) {
            self.facts.iter().for_each(|f| self.learn(*var, f, known));
            known.domains.sort_by_key(|(rank, _)| *rank);
        }
        let mut open: Vec<usize> = (0..known.len()).collect();
        let mut bounds = Vec::new();
        while !open.is_empty() {
            // A domain may depend only on variables of outer loops.
            let pending: Vec<Var> = open
                .iter()
                .filter_map(|i| self.own.vars.get(*i).copied())
                .collect();
            // Finite domains first, as in the resolver.
            let ways = [true, false];
            let mut ways = ways.into_iter().filter(|ends| *ends || !is_finite);
            let (at, i, domain) = ways.find_map(|ends| {
                open.iter()
                    .enumerate()
                    .find_map(|(at, i)| Some((at, *i, self.domain(&known, *i, &pending, ends)?)))
            })?;
            open.remove(at);
            bounds.push((*self.own.vars.get(i)?, domain));
        }
        Some(bounds)
    }

    fn domain(&self, known: &[Known], i: usize, pending: &[Var], ends: bool) -> Option<Domain> {
        let k = known.get(i)?;
        // A domain must not depend on variables that have no loop yet.
        let is_ready = |d: &Domain| d.operands().iter().all(|e| !e.mentions(pending));
        if ends
            && let Some((_, domain)) = k.domains.iter().find(|(rank, d)| *rank < 3 && is_ready(d))
        {
            return Some(domain.clone());
        }
        // Integer ranges are preferred to subsets and other large domains.
        let low = strongest(self.ends(known, i, pending, true, 0), true);
        let high = strongest(self.ends(known, i, pending, false, 0), false);
        if k.is_integer && (low.is_some() && high.is_some() || !ends) {
            // A half-open range is used only where infinite domains are allowed; then the type may
            // be enumerable.
            if (low.is_none() || high.is_none())
                && let Some(all) = &k.by_type
            {
                return Some(all.clone());
            }
            return Some(Domain::IntRange {
                low: low.map(Box::new),
                high: high.map(Box::new),
            });
        }
        let rest = k.domains.iter().map(|(_, d)| d).chain(&k.by_type);
        rest.into_iter().find(|d| ends && is_ready(d)).cloned()
    }

    /// The ends of a variable's range that mention no pending variable. Ends that mention one are
    /// resolved through its own ends.
    fn ends(
        &self,
        known: &[Known],
        i: usize,
        pending: &[Var],
        low: bool,
        depth: usize,
    ) -> Vec<Expr> {
        let Some(k) = known.get(i).filter(|_| depth <= known.len()) else {
            return Vec::new();
        };
        let ends = if low { &k.low } else { &k.high };
        let mut found: Vec<Expr> = ends
            .iter()
            .filter(|e| !e.mentions(pending))
            .cloned()
            .collect();
        // Direct ends are more precise than those through other variables.
        if !found.is_empty() {
            return found;
        }
        for e in ends {
            // The end is substituted, which is sound only if it is monotonic in the other variable.
            let Some(other) = monotone_in(e) else {
                continue;
            };
            let Some(j) = self
                .own
                .vars
                .iter()
                .position(|v| *v == other)
                .filter(|j| *j != i)
            else {
                continue;
            };
            for end in self.ends(known, j, pending, low, depth + 1) {
                // The upper end is exclusive.
                let end = if low { end } else { plus(end, -1) };
                let mut e = e.clone();
                substitute(&mut e, other, &end);
                found.push(e);
            }
        }
        found
    }

    /// Adds the bounds that a fact implies for a variable.
    fn learn(&self, v: Var, fact: &Fact, known: &mut Known) {
        let (relation, a, b) = match fact {
            Fact::Is(w, value) => {
                if *w == v {
                    let value = build::boolean(*value, Span::default());
                    known.domains.push((0, Domain::Exact(Box::new(value))));
                }
                return;
            }
            Fact::Relation(relation, a, b) => (*relation, a, b),
        };
        // Comparisons are symmetric: the variable may be on either side.
        let is_order = matches!(relation, Relation::Eq | Relation::Lt | Relation::Le);
        if let Some((other, flipped)) = self.isolate(relation, a, b, v) {
            if flipped {
                about_right(relation, other, known);
            } else {
                self.about_left(relation, v, other, known);
            }
        }
        if is_order && let Some((other, flipped)) = self.isolate(relation, b, a, v) {
            if flipped {
                self.about_left(relation, v, other, known);
            } else {
                about_right(relation, other, known);
            }
        }
    }

    /// Solves a relation for `v` by moving terms to the other side. `None` if `v` does not occur
    /// exactly once, on this side. The Boolean is whether the sign of `v` changed, so that the
    /// relation is reversed.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "other terms are not moved, so that a bound is missing, never wrong"
    )]
    fn isolate(
        &self,
        relation: Relation,
        side: &Expr,
        other: &Expr,
        v: Var,
    ) -> Option<(Expr, bool)> {
        // Moves one term at a time, until the variable stands alone.
        let mut other = other.clone();
        let (mut side, mut flipped) = (side, false);
        let is_integer = |e: &Expr| self.program.typed.strip_subset(&e.ty) == Type::Int;
        let arith = |op: Op, a: Expr, b: Expr| {
            let (ty, span) = (a.ty.clone(), a.span);
            build::op(op, vec![a, b], ty, span)
        };
        loop {
            match &side.kind {
                ExprKind::Var(w) if *w == v => {
                    return (!other.mentions(&[v])).then_some((other, flipped));
                }
                // Conversions between integer types do not change the value.
                ExprKind::Convert(inner)
                    if relation != Relation::In && is_integer(side) && is_integer(inner) =>
                {
                    side = inner;
                }
                ExprKind::Op(op, args) if relation != Relation::In && is_integer(side) => {
                    match (op, args.as_slice()) {
                        (Op::Add(Num::Int), [a, b]) => {
                            let (keep, moved) = if a.mentions(&[v]) { (a, b) } else { (b, a) };
                            if moved.mentions(&[v]) {
                                return None;
                            }
                            other = arith(Op::Sub(Num::Int), other, moved.clone());
                            side = keep;
                        }
                        (Op::Sub(Num::Int), [a, b]) if !b.mentions(&[v]) => {
                            other = arith(Op::Add(Num::Int), other, b.clone());
                            side = a;
                        }
                        // `c - v op e` is `c - e` on the other side of `v`.
                        (Op::Sub(Num::Int), [a, b]) if !a.mentions(&[v]) => {
                            other = arith(Op::Sub(Num::Int), a.clone(), other);
                            flipped = !flipped;
                            side = b;
                        }
                        (Op::Neg(Num::Int), [a]) => {
                            let (ty, span) = (other.ty.clone(), other.span);
                            other = build::op(Op::Neg(Num::Int), vec![other], ty, span);
                            flipped = !flipped;
                            side = a;
                        }
                        (_, _) => return None,
                    }
                }
                _other => return None,
            }
        }
    }

    /// Adds the bound of `v op other`.
    fn about_left(&self, relation: Relation, v: Var, other: Expr, k: &mut Known) {
        let typed = &self.program.typed;
        let collection = typed.representation(&other.ty);
        match relation {
            Relation::Eq => k.domains.push((0, Domain::Exact(Box::new(other)))),
            // Only finite collections can be enumerated.
            Relation::In => {
                if matches!(
                    collection,
                    Type::Set { finite: true, .. }
                        | Type::Seq(_)
                        | Type::Multiset(_)
                        | Type::Map { finite: true, .. }
                ) {
                    k.domains.push((1, Domain::Elements(Box::new(other))));
                }
            }
            Relation::Within => {
                if matches!(collection, Type::Set { finite: true, .. }) {
                    k.domains.push((4, Domain::SubsetsOf(Box::new(other))));
                } else if matches!(collection, Type::Seq(_)) {
                    k.domains.push((3, Domain::PrefixesOf(Box::new(other))));
                }
            }
            Relation::Inside => {
                let is_own =
                    |info: &VarInfo| typed.strip_subset(&info.ty) == typed.strip_subset(&other.ty);
                if self.vars.get(v.0 as usize).is_some_and(is_own) {
                    k.domains.push((4, Domain::SubtermsOf(Box::new(other))));
                }
            }
            // The upper end is exclusive, so that `<=` adds one.
            Relation::Lt if collection == Type::Int => k.high.push(as_int(other)),
            Relation::Le if collection == Type::Int => k.high.push(plus(as_int(other), 1)),
            Relation::Lt | Relation::Le => {}
        }
    }

    /// The bounds that a variable's type implies. The constraint of a subset type is omitted,
    /// because it is checked for every candidate.
    fn by_type(&self, v: Var) -> Known {
        let typed = &self.program.typed;
        let Some(ty) = self.vars.get(v.0 as usize).map(|i| &i.ty) else {
            return Known::default();
        };
        let mut known = Known {
            is_integer: typed.representation(ty) == Type::Int,
            ..Known::default()
        };
        let mut at = ty.clone();
        // The limit only guards against malformed declarations.
        for _ in 0..64 {
            let Type::Named { decl, args, .. } = &at else {
                break;
            };
            let declared = match &typed[*decl].kind {
                TypeDeclKind::Subset(c) | TypeDeclKind::Newtype(c) => c,
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => break,
            };
            if typed.nat == Some(*decl) {
                known.low.push(build::int(0, Type::Int, Span::default()));
            }
            if let Some((low, high)) = &declared.range {
                let end = |n: &BigInt| build::int(n.clone(), Type::Int, Span::default());
                known.low.push(end(low));
                known.high.push(end(high));
            }
            at = declared.base.subst(&typed.substitution(*decl, args));
        }
        let is_declared = |(w, d): &(Var, Domain)| {
            (*w == v && matches!(d, Domain::AllValues(_) | Domain::Allocated)).then(|| d.clone())
        };
        // The original domain is kept if it does not depend on the conditions.
        let own = self.own.bounds.iter().flatten().find_map(is_declared);
        let all = || {
            typed
                .is_enumerable(ty)
                .then(|| Domain::AllValues(ty.clone()))
        };
        known.by_type = own.or_else(all);
        known
    }
}

/// Adds the bound of `other op v`.
fn about_right(relation: Relation, other: Expr, k: &mut Known) {
    match relation {
        Relation::Eq => k.domains.push((0, Domain::Exact(Box::new(other)))),
        Relation::Lt if k.is_integer => k.low.push(plus(as_int(other), 1)),
        Relation::Le if k.is_integer => k.low.push(as_int(other)),
        Relation::Lt | Relation::Le | Relation::In | Relation::Within | Relation::Inside => {}
    }
}

/// The variable of `x`, `x + c` or `x - c`.
fn monotone_in(e: &Expr) -> Option<Var> {
    if let ExprKind::Var(v) = &e.kind {
        Some(*v)
    } else if let ExprKind::Convert(inner) = &e.kind {
        monotone_in(inner)
    } else if let ExprKind::Op(Op::Add(Num::Int) | Op::Sub(Num::Int), args) = &e.kind
        && let [x, c] = args.as_slice()
        && constant(c).is_some()
    {
        monotone_in(x)
    } else {
        None
    }
}

/// The strongest of several ends, as one expression.
fn strongest(ends: Vec<Expr>, low: bool) -> Option<Expr> {
    let mut best: Option<Expr> = None;
    let mut others: Vec<Expr> = Vec::new();
    for e in ends {
        // Constants are compared here, other ends by a conditional at run time.
        match (constant(&e), best.as_ref().and_then(constant)) {
            (Some(n), Some(m)) if (n > m) == low => best = Some(e),
            (Some(_), Some(_)) => {}
            (Some(_), None) => best = Some(e),
            (None, _) if others.iter().any(|o| is_same(o, &e)) => {}
            (None, _) => others.push(e),
        }
    }
    // Each end is sound, so that dropping some only leaves more candidates.
    others.truncate(MAX_ENDS);
    others.extend(best);
    others.into_iter().reduce(|a, b| {
        let order = if low { [&a, &b] } else { [&b, &a] };
        let cond = build::op(
            Op::Lt(Num::Int),
            order.map(Expr::clone).to_vec(),
            Type::Bool,
            a.span,
        );
        let span = a.span;
        build::choose(cond, b, a, Type::Int, span)
    })
}

/// The value of an integer newtype as `int`, the type of ends of ranges.
fn as_int(e: Expr) -> Expr {
    let span = e.span;
    if e.ty == Type::Int {
        e
    } else if matches!(e.kind, ExprKind::Literal(_)) {
        Expr { ty: Type::Int, ..e }
    } else {
        build::expr(ExprKind::Convert(Box::new(e)), Type::Int, span)
    }
}

fn plus(e: Expr, n: i32) -> Expr {
    let span = e.span;
    if let Some(c) = constant(&e) {
        return build::int(c + n, Type::Int, span);
    }
    let (op, one) = if n < 0 {
        (Op::Sub(Num::Int), -n)
    } else {
        (Op::Add(Num::Int), n)
    };
    let one = build::int(one, Type::Int, span);
    build::op(op, vec![e, one], Type::Int, span)
}

fn constant(e: &Expr) -> Option<BigInt> {
    if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
        Some(n.clone())
    } else if let ExprKind::Op(Op::Neg(Num::Int), args) = &e.kind
        && let [a] = args.as_slice()
    {
        constant(a).map(|n| -n)
    } else {
        None
    }
}
