//! Bound discovery: finds finite domains for bound variables, so that quantifiers and
//! comprehensions can be enumerated.
//!
//! The conjuncts of the range (for `forall` also the antecedents of the body, for `exists` the
//! conjuncts of the body) and the type of a variable each propose a domain (reference manual,
//! "Quantifier expressions", "Set comprehension"). The entry point is [`discover`].
//!
//! The hard part is the order. Variables are ordered such that the domain of each mentions only
//! outer or earlier variables. If variables bound each other (`0 <= i < j < n`), the bound of one
//! is replaced by the bound of the other ([`available`]).

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::typed::{
    BinaryOp, Control, Domain, Expr, ExprKind, Literal, LocalId, Program, Quantified, Term, Type,
    TypeDeclKind, TypeId, UnaryOp, VarBound,
};

use super::expr::{boxed, mk};
use super::walk::Instantiate;
use super::zonk::constant;
use crate::typed::rewrite::{Rewrite, walk_bounds, walk_expr, walk_quantified};

/// Fills in [`Quantified::bounds`] in a whole tree.
pub(super) struct Bounds<'a> {
    pub(super) program: &'a Program,
}

impl Rewrite for Bounds<'_> {
    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self, e);
        if let ExprKind::Quantifier { forall, vars, body } = &mut e.kind {
            let mut facts = Vec::new();
            if let Some(r) = &vars.range {
                conjuncts(r, true, &mut facts);
            }
            // A counterexample of `forall` makes the body false, a witness of `exists` makes it
            // true: other values need not be enumerated.
            conjuncts(body, !*forall, &mut facts);
            vars.bounds = discover(self.program, &vars.vars, &facts, Reach::Dafny);
        }
    }

    fn quantified(&mut self, q: &mut Quantified) {
        walk_quantified(self, q);
        walk_bounds(self, q);
        let mut facts = Vec::new();
        if let Some(r) = &q.range {
            conjuncts(r, true, &mut facts);
        }
        q.bounds = discover(self.program, &q.vars, &facts, Reach::Dafny);
    }
}

/// The strength of the discovery.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The rules of Dafny, which decide whether an expression can be compiled.
    Dafny,
    /// Also uses multiples and squares: `n == 2 * k` determines `k`, and `k * k < n` gives a range
    /// for `k`.
    Further,
}

/// A relation that holds for every relevant assignment of the bound variables.
pub(super) enum Fact {
    /// `left op right`, with one of `==`, `<`, `<=` and `in`.
    Holds(BinaryOp, Box<Expr>, Box<Expr>),
    /// A boolean variable has the given value.
    Is(LocalId, bool),
}

/// Collects the facts that follow from `e` having the truth value `positive`.
pub(super) fn conjuncts(e: &Expr, positive: bool, facts: &mut Vec<Fact>) {
    stacker::maybe_grow(super::expr::RED_ZONE, super::expr::STACK, || {
        match e.control() {
            Control::Not(x) => conjuncts(x, !positive, facts),
            Control::ShortCircuit { op, left, right } => {
                if let Some((of_left, of_right)) = op.operands(positive) {
                    conjuncts(left, of_left, facts);
                    conjuncts(right, of_right, facts);
                }
            }
            // A true chain makes all of its links true; of a false one it is not known which link
            // fails.
            Control::Chain { first, rest } if positive => {
                let mut left: &Expr = first;
                for (op, right) in rest {
                    relation(*op, left, right, true, facts);
                    left = right;
                }
            }
            Control::StmtExpr { body, .. } => conjuncts(body, positive, facts),
            Control::Strict => match e.kind.term() {
                Term::Binary(op, a, b) => relation(op, a, b, positive, facts),
                Term::Local(l) => facts.push(Fact::Is(l, positive)),
                Term::Literal(_)
                | Term::Field(_)
                | Term::Unary(..)
                | Term::Convert(_)
                | Term::Other => {}
            },
            Control::Chain { .. }
            | Control::If { .. }
            | Control::IfBinding { .. }
            | Control::Match { .. }
            | Control::Let { .. } => {}
            Control::LetSuchThat { .. } | Control::LetOrFail(_) | Control::Delayed(_) => {}
        }
    });
}

fn relation(op: BinaryOp, a: &Expr, b: &Expr, positive: bool, facts: &mut Vec<Fact>) {
    let numeric = !matches!(
        a.ty,
        Type::Set { .. } | Type::Multiset(_) | Type::Seq(_) | Type::Map { .. }
    );
    // Sets and sequences are ordered partially: `!(a < b)` says nothing about them.
    let Some(op) = (if positive {
        Some(op)
    } else {
        op.negated(numeric)
    }) else {
        return;
    };
    let mut holds = |op, a: &Expr, b: &Expr| {
        facts.push(Fact::Holds(op, Box::new(a.clone()), Box::new(b.clone())))
    };
    if matches!(
        op,
        BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le | BinaryOp::In
    ) {
        holds(op, a, b);
    } else if let Some(op @ (BinaryOp::Lt | BinaryOp::Le)) = op.mirrored() {
        holds(op, b, a);
    }
}

/// The candidate bounds of one variable.
#[derive(Default)]
struct Known {
    low: Vec<Expr>,
    high: Vec<Expr>,
    /// Finite domains with their ranks. A lower rank is preferred.
    domains: Vec<(u32, Domain)>,
    /// The domain of all values of the type, if the type is enumerable.
    by_type: Option<Domain>,
    integer: bool,
}

/// Chooses a domain for each variable, in the order in which the enumeration nests. Returns `None`
/// if some variable has no domain.
pub(super) fn discover(
    program: &Program,
    vars: &[LocalId],
    facts: &[Fact],
    reach: Reach,
) -> Option<Vec<VarBound>> {
    let mut known: Vec<Known> = vars.iter().map(|v| by_type(program, *v)).collect();
    for fact in facts {
        learn(program, vars, fact, reach, &mut known);
    }
    for k in &mut known {
        k.domains.sort_by_key(|(rank, _)| *rank);
    }
    // Fix the order greedily: the next variable is one whose domain does not depend on a pending
    // one. A finite domain is preferred to a range with an open end.
    let mut open: Vec<usize> = (0..vars.len()).collect();
    let mut bounds = Vec::with_capacity(vars.len());
    while !open.is_empty() {
        let pending: Vec<LocalId> = open.iter().filter_map(|i| vars.get(*i).copied()).collect();
        let pick = [true, false].into_iter().find_map(|finite| {
            open.iter().enumerate().find_map(|(at, &i)| {
                let domain = choose(vars, &known, i, &pending, finite)?;
                Some((at, i, domain))
            })
        });
        let (at, i, domain) = pick?;
        open.remove(at);
        bounds.push(VarBound {
            var: *vars.get(i)?,
            domain,
        });
    }
    Some(bounds)
}

fn choose(
    vars: &[LocalId],
    known: &[Known],
    i: usize,
    pending: &[LocalId],
    finite: bool,
) -> Option<Domain> {
    let k = known.get(i)?;
    if finite {
        for (rank, d) in &k.domains {
            // Prefixes, subsets and subterms (rank 3 and more) are many: a range is preferred.
            if *rank < 3 && !domain_mentions(d, pending) {
                return Some(d.clone());
            }
        }
    }
    let low = strongest(available(vars, known, i, pending, true, 0), true);
    let high = strongest(available(vars, known, i, pending, false, 0), false);
    if k.integer && (low.is_some() && high.is_some() || !finite) {
        // All values of a small type are better than a range with an open end.
        if (low.is_none() || high.is_none())
            && let Some(d) = &k.by_type
        {
            return Some(d.clone());
        }
        return Some(Domain::IntRange {
            low: low.map(Box::new),
            high: high.map(Box::new),
        });
    }
    if finite {
        let rest = k.domains.iter().map(|(_, d)| d).chain(&k.by_type);
        return rest
            .into_iter()
            .find(|d| !domain_mentions(d, pending))
            .cloned();
    }
    None
}

/// The bounds of a variable that mention no pending variable. A bound that mentions one is replaced
/// by that variable's own bounds. `depth` stops cycles.
fn available(
    vars: &[LocalId],
    known: &[Known],
    i: usize,
    pending: &[LocalId],
    low: bool,
    depth: usize,
) -> Vec<Expr> {
    let Some(k) = known.get(i) else {
        return Vec::new();
    };
    if depth > vars.len() {
        return Vec::new();
    }
    // A bound without pending variables is taken as it is.
    let ends = if low { &k.low } else { &k.high };
    let mut found: Vec<Expr> = ends
        .iter()
        .filter(|e| !mentions(e, pending))
        .cloned()
        .collect();
    if !found.is_empty() {
        return found;
    }
    for e in ends {
        // All bounds mention pending variables: replace one by its own bound on the same side. The
        // expression must grow with the variable, otherwise the result is no bound.
        let Some(other) = monotone_in(e) else {
            continue;
        };
        let Some(j) = vars.iter().position(|v| *v == other).filter(|j| *j != i) else {
            continue;
        };
        for end in available(vars, known, j, pending, low, depth + 1) {
            // An upper bound is exclusive, so the largest value is one less.
            let end = if low { end } else { plus(end, -1) };
            let mut e = e.clone();
            let locals = [(other, end)].into_iter().collect();
            Instantiate {
                types: &Default::default(),
                locals: &locals,
                this: None,
            }
            .apply(&mut e);
            found.push(e);
        }
    }
    found
}

/// The variable of `x`, `x + c` or `x - c`.
fn monotone_in(e: &Expr) -> Option<LocalId> {
    match e.kind.term() {
        Term::Local(l) => Some(l),
        Term::Convert(x) => monotone_in(x),
        Term::Binary(BinaryOp::Add | BinaryOp::Sub, x, c) if constant(c).is_some() => {
            monotone_in(x)
        }
        Term::Literal(_) | Term::Field(_) | Term::Unary(..) | Term::Binary(..) | Term::Other => {
            None
        }
    }
}

/// Combines several bounds of one end into the strongest one.
fn strongest(ends: Vec<Expr>, low: bool) -> Option<Expr> {
    let mut best_literal: Option<Expr> = None;
    let mut others: Vec<Expr> = Vec::new();
    for e in ends {
        match (constant(&e), best_literal.as_ref().and_then(constant)) {
            (Some(n), Some(m)) if (n > m) == low => best_literal = Some(e),
            (Some(_), Some(_)) => {}
            (Some(_), None) => best_literal = Some(e),
            (None, _) => {
                if !others.iter().any(|o| super::walk::same_place(o, &e)) {
                    others.push(e);
                }
            }
        }
    }
    // The strongest of several bounds is computed at run time by nested conditionals, which copy
    // their operands. Weaker bounds only enumerate more.
    others.truncate(3);
    others.extend(best_literal);
    others.into_iter().reduce(|a, b| {
        let (op, ty, span) = (
            if low { BinaryOp::Lt } else { BinaryOp::Gt },
            a.ty.clone(),
            a.span,
        );
        let cond = mk(
            ExprKind::Binary(op, boxed(a.clone()), boxed(b.clone())),
            Type::Bool,
            span,
        );
        mk(
            ExprKind::If {
                cond: boxed(cond),
                then: boxed(b),
                els: boxed(a),
            },
            ty,
            span,
        )
    })
}

fn learn(program: &Program, vars: &[LocalId], fact: &Fact, reach: Reach, known: &mut [Known]) {
    match fact {
        Fact::Is(l, value) => {
            if let Some(k) = vars
                .iter()
                .position(|v| v == l)
                .and_then(|i| known.get_mut(i))
            {
                let span = program[*l].span;
                k.domains.push((
                    0,
                    Domain::Exact(Box::new(mk(
                        ExprKind::Literal(Literal::Bool(*value)),
                        Type::Bool,
                        span,
                    ))),
                ));
            }
        }
        Fact::Holds(op, a, b) => {
            // A relation may bound every variable in it, from either side.
            for (i, v) in vars.iter().enumerate() {
                let Some(k) = known.get_mut(i) else { continue };
                // `v * v` on either side of a relation bounds `v` by a square root.
                if reach == Reach::Further && k.integer {
                    about_square(*op, *v, a, b, k);
                    if *op == BinaryOp::Eq {
                        about_square(*op, *v, b, a, k);
                    }
                }
                if let Some((other, flipped)) = isolate(program, *op, a, b, *v, reach) {
                    if flipped {
                        about_right(*op, other, k)
                    } else {
                        about_left(program, *op, *v, other, k)
                    }
                }
                // The variable may also stand on the right-hand side; `in` has none that could be
                // solved.
                if matches!(op, BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le)
                    && let Some((other, flipped)) = isolate(program, *op, b, a, *v, reach)
                {
                    if flipped {
                        about_left(program, *op, *v, other, k)
                    } else {
                        about_right(*op, other, k)
                    }
                }
            }
        }
    }
}

/// Solves a relation for `v`: moves the other terms of `side` to `other`.
///
/// Returns `None` if `v` does not remain alone on its side, or occurs on both. The flag says
/// whether the sign of `v` changed, so that the relation has to be mirrored.
fn isolate(
    program: &Program,
    op: BinaryOp,
    side: &Expr,
    other: &Expr,
    v: LocalId,
    reach: Reach,
) -> Option<(Expr, bool)> {
    let mut other = other.clone();
    let mut flipped = false;
    let mut side = side;
    loop {
        match side.kind.term() {
            Term::Local(l) if l == v => {
                return (!mentions(&other, &[v])).then_some((other, flipped));
            }
            Term::Binary(BinaryOp::Add, a, b)
                if op != BinaryOp::In && is_integer(program, &side.ty) =>
            {
                // Of a sum, the part without the variable moves to the other side.
                let (keep, moved) = if mentions(a, &[v]) { (a, b) } else { (b, a) };
                if mentions(moved, &[v]) {
                    return None;
                }
                other = arith(BinaryOp::Sub, other, moved.clone());
                side = keep;
            }
            Term::Binary(BinaryOp::Sub, a, b)
                if op != BinaryOp::In && is_integer(program, &side.ty) && !mentions(b, &[v]) =>
            {
                other = arith(BinaryOp::Add, other, b.clone());
                side = a;
            }
            // `c - v op e` becomes `c - e` on the other side of `v`, with the relation mirrored.
            Term::Binary(BinaryOp::Sub, a, b)
                if op != BinaryOp::In && is_integer(program, &side.ty) && !mentions(a, &[v]) =>
            {
                other = arith(BinaryOp::Sub, a.clone(), other);
                flipped = !flipped;
                side = b;
            }
            Term::Unary(UnaryOp::Neg, x) if op != BinaryOp::In && is_integer(program, &side.ty) => {
                let span = other.span;
                let ty = other.ty.clone();
                other = mk(ExprKind::Unary(UnaryOp::Neg, boxed(other)), ty, span);
                flipped = !flipped;
                side = x;
            }
            Term::Convert(x)
                if is_integer(program, &side.ty)
                    && is_integer(program, &x.ty)
                    && op != BinaryOp::In =>
            {
                side = x
            }
            // Integer division may round. A candidate may thus violate the relation, which the
            // range still checks.
            Term::Binary(BinaryOp::Mul, a, b)
                if op == BinaryOp::Eq
                    && reach == Reach::Further
                    && is_integer(program, &side.ty) =>
            {
                let (keep, factor) = if mentions(a, &[v]) { (a, b) } else { (b, a) };
                if constant(factor).is_none_or(|c| c == BigInt::from(0)) {
                    return None;
                }
                other = arith(BinaryOp::Div, other, factor.clone());
                side = keep;
            }
            Term::Literal(_)
            | Term::Local(_)
            | Term::Field(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::Convert(_)
            | Term::Other => {
                return None;
            }
        }
    }
}

/// Learns from `v * v op end` that `v` is between `-end` and `end`.
fn about_square(op: BinaryOp, v: LocalId, square: &Expr, end: &Expr, k: &mut Known) {
    let is_variable = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == v);
    let is_square = matches!(&square.kind, ExprKind::Binary(BinaryOp::Mul, a, b) if is_variable(a) && is_variable(b));
    if is_square && matches!(op, BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le) && !mentions(end, &[v])
    {
        let end = as_int(end.clone());
        // A lower bound is inclusive, an upper one exclusive.
        k.low.push(mk(
            ExprKind::Unary(UnaryOp::Neg, boxed(end.clone())),
            Type::Int,
            end.span,
        ));
        k.high.push(plus(end, 1));
    }
}

fn is_integer(program: &Program, ty: &Type) -> bool {
    program.strip_subset(ty) == Type::Int
}

/// Learns from `v op other`.
fn about_left(program: &Program, op: BinaryOp, v: LocalId, other: Expr, k: &mut Known) {
    let collection = program.representation(&other.ty);
    if op == BinaryOp::Eq {
        k.domains.push((0, Domain::Exact(Box::new(other))));
    } else if op == BinaryOp::In {
        if matches!(
            collection,
            Type::Set { finite: true, .. }
                | Type::Seq(_)
                | Type::Multiset(_)
                | Type::Map { finite: true, .. }
        ) {
            k.domains.push((1, Domain::Elements(Box::new(other))));
        }
    } else if matches!(op, BinaryOp::Lt | BinaryOp::Le) {
        if matches!(collection, Type::Set { finite: true, .. }) {
            k.domains.push((4, Domain::SubsetsOf(Box::new(other))));
        } else if matches!(collection, Type::Seq(_)) {
            k.domains.push((3, Domain::PrefixesOf(Box::new(other))));
        } else if let Type::Named { decl, .. } = collection
            && op == BinaryOp::Lt
            && matches!(program[decl].kind, TypeDeclKind::Datatype { co: false, .. })
            && program.strip_subset(&program[v].ty) == program.strip_subset(&other.ty)
        {
            k.domains.push((4, Domain::SubtermsOf(Box::new(other))));
        } else if collection == Type::Int {
            k.high.push(if op == BinaryOp::Lt {
                as_int(other)
            } else {
                plus(as_int(other), 1)
            });
        }
    }
}

/// Learns from `other op v`.
fn about_right(op: BinaryOp, other: Expr, k: &mut Known) {
    if matches!(op, BinaryOp::Eq) {
        k.domains.push((0, Domain::Exact(Box::new(other))));
    } else if matches!(op, BinaryOp::Lt) && k.integer {
        k.low.push(plus(as_int(other), 1));
    } else if matches!(op, BinaryOp::Le) && k.integer {
        k.low.push(as_int(other));
    }
}

/// Converts the value of an integer newtype to `int`: bounds of ranges are integers.
fn as_int(e: Expr) -> Expr {
    let span = e.span;
    if e.ty == Type::Int {
        e
    } else if matches!(e.kind, ExprKind::Literal(_)) {
        Expr { ty: Type::Int, ..e }
    } else {
        mk(ExprKind::Convert(boxed(e)), Type::Int, span)
    }
}

fn arith(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    mk(ExprKind::Binary(op, boxed(a), boxed(b)), ty, span)
}

fn plus(e: Expr, n: i32) -> Expr {
    if let Some(c) = constant(&e) {
        let value = c + n;
        return integer(value, &e);
    }
    // Simplify `e - 1 + 1` to `e`.
    if let ExprKind::Binary(BinaryOp::Sub, x, c) = &e.kind
        && constant(c) == Some(BigInt::from(n))
    {
        return (**x).clone();
    }
    let one = integer(BigInt::from(n.abs()), &e);
    arith(if n < 0 { BinaryOp::Sub } else { BinaryOp::Add }, e, one)
}

fn integer(value: BigInt, like: &Expr) -> Expr {
    let literal = |n: BigInt| {
        mk(
            ExprKind::Literal(Literal::Int(n)),
            like.ty.clone(),
            like.span,
        )
    };
    if value < BigInt::from(0) {
        mk(
            ExprKind::Unary(UnaryOp::Neg, boxed(literal(-value))),
            like.ty.clone(),
            like.span,
        )
    } else {
        literal(value)
    }
}

struct Mentions<'a> {
    wanted: &'a [LocalId],
    found: bool,
}

impl Rewrite for Mentions<'_> {
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Local(l) = &e.kind {
            self.found |= self.wanted.contains(l);
        } else if !self.found {
            walk_expr(self, e);
        }
    }
}

pub(super) fn mentions(e: &Expr, wanted: &[LocalId]) -> bool {
    if let ExprKind::Local(l) = &e.kind {
        return wanted.contains(l);
    } else if matches!(&e.kind, ExprKind::Literal(_) | ExprKind::This) {
        return false;
    }
    let mut m = Mentions {
        wanted,
        found: false,
    };
    m.expr(&mut e.clone());
    m.found
}

fn domain_mentions(d: &Domain, wanted: &[LocalId]) -> bool {
    match d {
        Domain::IntRange { low, high } => [low, high]
            .into_iter()
            .flatten()
            .any(|e| mentions(e, wanted)),
        Domain::Exact(e)
        | Domain::Elements(e)
        | Domain::SubsetsOf(e)
        | Domain::PrefixesOf(e)
        | Domain::SubtermsOf(e) => mentions(e, wanted),
        Domain::AllValues(_) => false,
    }
}

/// The domains that the variable's type proposes.
fn by_type(program: &Program, v: LocalId) -> Known {
    let ty = program[v].ty.clone();
    let mut k = Known {
        integer: program.representation(&ty) == Type::Int,
        ..Known::default()
    };
    let mut at = ty.clone();
    let mut steps = 0;
    while let Type::Named { decl, args, .. } = &at {
        steps += 1;
        let (c, is_newtype) = match &program[*decl].kind {
            TypeDeclKind::Subset(c) => (c, false),
            TypeDeclKind::Newtype(c) => (c, true),
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => break,
        };
        // Cyclic declarations are reported elsewhere.
        if steps > 64 {
            break;
        }
        // The domain has the values of the newtype itself. Its constraint only contributes bounds.
        if is_newtype
            && k.by_type.is_none()
            && largest_part(program, &at, &mut Vec::new()).is_some()
        {
            k.by_type = Some(Domain::AllValues(at.clone()));
        }
        let map = program.substitution(*decl, args);
        if let (Some(var), Some(constraint)) = (c.var, &c.constraint) {
            // The constraint of a subset type holds of the variable itself, and may bound it like a
            // range.
            let mut constraint = constraint.clone();
            let this = mk(
                ExprKind::Local(v),
                if k.integer { Type::Int } else { ty.clone() },
                program[v].span,
            );
            let locals = [(var, this)].into_iter().collect();
            Instantiate {
                types: &map,
                locals: &locals,
                this: None,
            }
            .apply(&mut constraint);
            let mut facts = Vec::new();
            conjuncts(&constraint, true, &mut facts);
            for f in &facts {
                learn(program, &[v], f, Reach::Dafny, std::slice::from_mut(&mut k));
            }
        } else if program.nat == Some(*decl) {
            k.low.push(mk(
                ExprKind::Literal(Literal::Int(BigInt::from(0))),
                Type::Int,
                program[v].span,
            ));
        }
        at = c.base.subst(&map);
    }
    if k.by_type.is_none() && largest_part(program, &at, &mut Vec::new()).is_some() {
        k.by_type = Some(Domain::AllValues(at));
    }
    k
}

impl Program {
    /// Whether all values of the type can be enumerated ([`Domain::AllValues`]).
    pub fn is_enumerable(&self, ty: &Type) -> bool {
        largest_part(self, ty, &mut Vec::new()).is_some()
    }
}

/// The largest number of values of any type that a value of `ty` is composed of. Returns `None` if
/// `ty` has too many values to enumerate.
pub(super) fn largest_part(program: &Program, ty: &Type, inside: &mut Vec<TypeId>) -> Option<u32> {
    match ty {
        Type::Bool => Some(2),
        Type::Char => Some(0x11_0000),
        // Larger bitvector types have too many values to enumerate.
        Type::Bv(n) => (*n <= 16).then(|| 1 << n),
        Type::Tuple(cs) => cs.iter().try_fold(1, |most, (_, t)| {
            Some(most.max(largest_part(program, t, inside)?))
        }),
        Type::Named { decl, args, .. } => match &program[*decl].kind {
            TypeDeclKind::Datatype { ctors, .. } => {
                // A recursive datatype has infinitely many values.
                if inside.contains(decl) {
                    return None;
                }
                inside.push(*decl);
                let map = program.substitution(*decl, args);
                let mut fields = ctors.iter().flat_map(|c| &program[*c].fields);
                let most = fields.try_fold(1, |most, f| {
                    Some(most.max(largest_part(program, &program[*f].ty.subst(&map), inside)?))
                });
                inside.pop();
                most
            }
            TypeDeclKind::Newtype(c) => match &c.range {
                Some((low, high)) => (high - low)
                    .max(BigInt::ZERO)
                    .to_u32()
                    .filter(|n| *n <= 1 << 16),
                None => {
                    if let base @ (Type::Bool | Type::Char | Type::Bv(_)) =
                        program.representation(ty)
                    {
                        largest_part(program, &base, inside)
                    } else {
                        None
                    }
                }
            },
            TypeDeclKind::Subset(c) => largest_part(
                program,
                &c.base.subst(&program.substitution(*decl, args)),
                inside,
            ),
            TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => None,
        },
        Type::Int
        | Type::Real
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => None,
    }
}
