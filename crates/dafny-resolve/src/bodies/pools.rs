//! Pools of bound variables by Dafny's rules: they decide whether a comprehension is finite, can be
//! compiled, and is independent of the allocated objects (reference manual, "Quantifier
//! expressions").
//!
//! [`super::bounds`] finds domains to enumerate, possibly more than Dafny finds. This module only
//! checks. Each variable gets the best pool that its type and the conjuncts of the range offer
//! ([`Facts::best`]). As in Dafny, variables are processed from the last to the first, and then
//! once more in the opposite order.

use crate::typed::{
    BinaryOp, Control, Expr, ExprKind, LocalId, Program, Quantified, Temporal, Term, Type,
    TypeDeclKind, UnaryOp,
    visit::{self, Visit},
};
use rustc_hash::FxHashSet;

/// A source of values for a bound variable.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// Whether it has finitely many values.
    pub(crate) finite: bool,
    /// Whether its values can be enumerated at run time.
    pub(crate) enumerable: bool,
    /// Whether its values are independent of the allocated objects.
    pub(crate) independent: bool,
    /// The type of the values if they are taken from other values, which may not have the type of
    /// the variable.
    pub(crate) source: Option<Type>,
    rank: u8,
    range: Option<Range>,
}

/// The bounds of an integer range. Each is represented by the bound variables that it mentions.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: Option<Mentioned>,
    high: Option<Mentioned>,
}

/// A set of bound variables of one quantifier, as a bit mask.
type Mentioned = u64;

impl Pool {
    fn new(rank: u8, finite: bool, enumerable: bool) -> Self {
        Self {
            finite,
            enumerable,
            independent: true,
            source: None,
            rank,
            range: None,
        }
    }

    fn range(low: Option<Mentioned>, high: Option<Mentioned>) -> Self {
        let both = low.is_some() && high.is_some();
        Self {
            source: Some(Type::Int),
            range: Some(Range { low, high }),
            ..Self::new(if both { 5 } else { 4 }, both, true)
        }
    }
}

/// The variables with their pools, in Dafny's order of nesting.
pub(crate) type Pools = Vec<(LocalId, Option<Pool>)>;

/// The pools of a quantifier's variables.
pub(crate) fn of_quantifier(
    program: &Program,
    older: &FxHashSet<LocalId>,
    forall: bool,
    q: &Quantified,
    body: &Expr,
) -> Pools {
    let mut facts = Facts::of_range(program, older, q);
    facts.conjuncts(body, !forall, None);
    facts.either_order(&q.vars)
}

/// The pools of a comprehension's variables.
pub(crate) fn of_comprehension(
    program: &Program,
    older: &FxHashSet<LocalId>,
    q: &Quantified,
) -> Pools {
    Facts::of_range(program, older, q).either_order(&q.vars)
}

/// The pools of a `forall` statement's variables.
pub(crate) fn of_statement(program: &Program, older: &FxHashSet<LocalId>, q: &Quantified) -> Pools {
    q.vars
        .iter()
        .copied()
        .zip(Facts::of_range(program, older, q).in_order(&q.vars))
        .collect()
}

/// A condition that holds for every relevant assignment of the bound variables.
#[derive(Clone, Copy)]
struct Fact<'e> {
    what: What<'e>,
    /// The variable in a type's constraint, and the bound variable that it represents.
    alias: Option<(LocalId, LocalId)>,
}

#[derive(Clone, Copy)]
enum What<'e> {
    /// A relation: `==`, `<`, `<=` or `in`.
    Holds(BinaryOp, &'e Expr, &'e Expr),
    /// A boolean variable has a fixed value.
    Is(LocalId),
    /// The condition `allocated(x)`.
    Allocated(LocalId),
    /// The variable is a natural number.
    Natural(LocalId),
    /// The variable is passed to an `older` parameter.
    Older(LocalId),
}

struct Facts<'e> {
    program: &'e Program,
    older: &'e FxHashSet<LocalId>,
    found: Vec<Fact<'e>>,
}

impl<'e> Facts<'e> {
    /// The facts that follow from the range.
    fn of_range(program: &'e Program, older: &'e FxHashSet<LocalId>, q: &'e Quantified) -> Self {
        let mut facts = Self {
            program,
            older,
            found: Vec::new(),
        };
        if let Some(range) = &q.range {
            facts.conjuncts(range, true, None);
        }
        facts
    }

    fn add(&mut self, what: What<'e>, alias: Option<(LocalId, LocalId)>) {
        self.found.push(Fact { what, alias });
    }

    /// Collects the facts that follow from `e` having the truth value `positive`.
    fn conjuncts(&mut self, e: &'e Expr, positive: bool, alias: Option<(LocalId, LocalId)>) {
        stacker::maybe_grow(super::expr::RED_ZONE, super::expr::STACK, || {
            match e.control() {
                Control::Not(x) => self.conjuncts(x, !positive, alias),
                Control::ShortCircuit { op, left, right } => {
                    if let Some((of_left, of_right)) = op.operands(positive) {
                        self.conjuncts(left, of_left, alias);
                        self.conjuncts(right, of_right, alias);
                    }
                }
                Control::Chain { first, rest } if positive => {
                    let mut left: &Expr = first;
                    for (op, right) in rest {
                        self.relation(*op, left, right, true, alias);
                        left = right;
                    }
                }
                Control::Strict => match e.kind.term() {
                    Term::Binary(op, a, b) => self.relation(op, a, b, positive, alias),
                    Term::Local(l) => self.add(What::Is(l), alias),
                    Term::Other if positive => self.by_itself(e, alias),
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
                Control::LetSuchThat { .. }
                | Control::LetOrFail(_)
                | Control::StmtExpr { .. }
                | Control::Delayed(_) => {}
            }
        });
    }

    /// Collects the facts that follow from a true condition without operators.
    fn by_itself(&mut self, e: &'e Expr, alias: Option<(LocalId, LocalId)>) {
        match e.kind.temporal() {
            Some(Temporal::Allocated(x)) => {
                if let ExprKind::Local(l) = x.kind {
                    self.add(What::Allocated(l), alias);
                }
            }
            Some(Temporal::Old(inner)) => {
                if let Some(Temporal::Allocated(x)) = inner.kind.temporal() {
                    if let ExprKind::Local(l) = x.kind {
                        self.add(What::Allocated(l), alias);
                    }
                } else if let ExprKind::Unary(UnaryOp::Not, x) = &inner.kind
                    && let ExprKind::Local(l) = x.kind
                {
                    self.add(What::Is(l), alias);
                }
            }
            Some(Temporal::Fresh(_) | Temporal::Unchanged(_)) | None => {}
        }
        if let ExprKind::Call(c) = &e.kind {
            for (formal, arg) in self.program[c.callee].ins.iter().zip(&c.args) {
                if let (ExprKind::Local(l), true) = (&arg.kind, self.older.contains(&formal.local))
                {
                    self.add(What::Older(*l), alias);
                }
            }
        }
    }

    fn relation(
        &mut self,
        op: BinaryOp,
        a: &'e Expr,
        b: &'e Expr,
        positive: bool,
        alias: Option<(LocalId, LocalId)>,
    ) {
        // Sets are ordered partially, so that a negated comparison says nothing about them.
        let sets = matches!(
            self.program.representation(&a.ty),
            Type::Set { .. }
                | Type::Multiset(_)
                | Type::Seq(_)
                | Type::Map { .. }
                | Type::Named { .. }
        );
        let Some(op) = (if positive {
            Some(op)
        } else {
            op.negated(!sets)
        }) else {
            return;
        };
        if matches!(
            op,
            BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le | BinaryOp::In
        ) {
            self.add(What::Holds(op, a, b), alias);
        } else if !sets && let Some(op @ (BinaryOp::Lt | BinaryOp::Le)) = op.mirrored() {
            self.add(What::Holds(op, b, a), alias);
        }
    }

    /// Collects the facts from the constraints of a variable's type, up to its base.
    fn constraints(&mut self, v: LocalId) {
        let program = self.program;
        let mut at = program[v].ty.clone();
        // The number of types bounds the chain of bases, which may be cyclic in a program with
        // errors.
        for _ in 0..program.types.len() {
            let Type::Named { decl, args, .. } = &at else {
                return;
            };
            let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &program[*decl].kind else {
                return;
            };
            if program.nat == Some(*decl) {
                self.add(What::Natural(v), None);
            } else if let (Some(var), Some(constraint)) = (c.var, &c.constraint) {
                self.conjuncts(constraint, true, Some((var, v)));
            }
            at = c.base.subst(&program.substitution(*decl, args));
        }
    }

    fn either_order(mut self, vars: &[LocalId]) -> Pools {
        vars.iter().for_each(|v| self.constraints(*v));
        let found = self.best(vars);
        // Dafny tries both orders and keeps the better result, preferring the written order.
        let reversed: Vec<LocalId> = vars.iter().rev().copied().collect();
        if vars.len() > 1 {
            let other = self.best(&reversed);
            if is_better(&other, &found) {
                return reversed.into_iter().zip(other).collect();
            }
        }
        vars.iter().copied().zip(found).collect()
    }

    fn in_order(mut self, vars: &[LocalId]) -> Vec<Option<Pool>> {
        vars.iter().for_each(|v| self.constraints(*v));
        self.best(vars)
    }

    fn best(&self, vars: &[LocalId]) -> Vec<Option<Pool>> {
        let mut known: Vec<Option<Pool>> = vec![None; vars.len()];
        // Later variables first: their ranges may replace their mentions in the bounds of earlier
        // ones.
        for at in (0..vars.len()).rev() {
            let best = best_of(self.sources(vars, at, &known));
            if let Some(slot) = known.get_mut(at) {
                *slot = best;
            }
        }
        known
    }

    fn sources(&self, vars: &[LocalId], at: usize, known: &[Option<Pool>]) -> Vec<Pool> {
        let Some(&v) = vars.get(at) else {
            return Vec::new();
        };
        // Every source of values is a candidate; the best one is chosen at the end.
        let mut pools: Vec<Pool> = self.by_type(v).into_iter().collect();
        for fact in &self.found {
            // A constraint of a type mentions its own variable, which stands for the bound one.
            let is_variable = |l: &LocalId| *l == v || fact.alias == Some((*l, v));
            match &fact.what {
                What::Is(l) if is_variable(l) => pools.push(Pool::new(15, true, true)),
                What::Allocated(l) if is_variable(l) => pools.push(Pool {
                    independent: false,
                    ..Pool::new(0, true, false)
                }),
                What::Older(l) if is_variable(l) => pools.push(Pool::new(0, false, false)),
                What::Natural(l) if is_variable(l) => pools.push(Pool::range(Some(0), None)),
                What::Is(_) | What::Allocated(_) | What::Older(_) | What::Natural(_) => {}
                What::Holds(op, a, b) => {
                    let one = Side {
                        facts: self,
                        vars,
                        at,
                        alias: fact.alias,
                    };
                    if let Some((left, mentioned)) = one.isolate(*op, a, b, known) {
                        pools.extend(self.source(*op, left, a, b, mentioned));
                    }
                }
            }
        }
        pools
    }

    fn by_type(&self, v: LocalId) -> Option<Pool> {
        let ty = &self.program[v].ty;
        let other = self.program.representation(ty);
        if matches!(other, Type::Bool) {
            Some(Pool::new(14, true, true))
        } else if matches!(other, Type::Char) {
            Some(Pool::new(5, true, true))
        } else if matches!(other, Type::Int) {
            Some(Pool::new(1, false, true))
        } else if let Type::Named { decl, .. } = other
            && is_enumeration(self.program, &decl)
        {
            Some(Pool::new(8, true, true))
        } else {
            self.program
                .holds_no_references(&other)
                .then(|| Pool::new(0, false, false))
        }
    }

    /// The pool that `a op b` offers to the variable that is alone on one side. `left` tells which
    /// side.
    fn source(
        &self,
        op: BinaryOp,
        left: bool,
        a: &Expr,
        b: &Expr,
        mentioned: Mentioned,
    ) -> Option<Pool> {
        let integer = self.program.representation(&a.ty) == Type::Int;
        if matches!(op, BinaryOp::Eq) {
            // A value that the variable is equal to is the best pool. Dafny does not require that it
            // can be tested for the type of the variable.
            Some(Pool::new(15, true, true))
        } else if matches!(op, BinaryOp::In) && left {
            let own = self.program.representation(&b.ty);
            let (finite, element) = if let Type::Set { finite, elem } = own {
                (finite, elem)
            } else if let Type::Map { finite, key, .. } = own {
                (finite, key)
            } else if let Type::Multiset(elem) | Type::Seq(elem) = own {
                (true, elem)
            } else {
                return None;
            };
            Some(Pool {
                source: Some(*element),
                ..Pool::new(10, finite, true)
            })
        } else if matches!(op, BinaryOp::Lt | BinaryOp::Le) && integer {
            // One bound of a range. The bounds of a variable are combined later.
            Some(if left {
                Pool::range(None, Some(mentioned))
            } else {
                Pool::range(Some(mentioned), None)
            })
        } else if matches!(op, BinaryOp::Le) {
            // Subsets of a set are finitely many, supersets are not.
            let Type::Set { finite, .. } = self.program.representation(&b.ty) else {
                return None;
            };
            Some(if left {
                Pool::new(3, finite, true)
            } else {
                let independent = self.program.holds_no_references(&a.ty);
                Pool {
                    independent,
                    ..Pool::new(2, false, false)
                }
            })
        } else if matches!(op, BinaryOp::Lt) && left {
            // Subterms of a datatype value. Values of codatatypes may be infinite.
            if let Type::Named { decl, .. } = self.program.representation(&a.ty) {
                match &self.program[decl].kind {
                    TypeDeclKind::Datatype { co, .. } => Some(Pool::new(2, !*co, false)),
                    TypeDeclKind::Newtype(_)
                    | TypeDeclKind::Subset(_)
                    | TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { .. }
                    | TypeDeclKind::Iterator(_) => None,
                }
            } else {
                None
            }
        } else {
            None
        }
    }
}

/// Whether no constructor of the datatype has parameters.
fn is_enumeration(program: &Program, decl: &crate::typed::TypeId) -> bool {
    match &program[*decl].kind {
        TypeDeclKind::Datatype { ctors, .. } => {
            program[*decl].type_params.is_empty()
                && ctors.iter().all(|c| program[*c].fields.is_empty())
        }
        TypeDeclKind::Newtype(_)
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => false,
    }
}

/// Whether the type has finitely many values in any one state.
pub(crate) fn finitely_many(program: &Program, ty: &Type) -> bool {
    let other = program.strip_subset(ty);
    if matches!(other, Type::Bool | Type::Char) {
        true
    } else if let Type::Set { elem, .. } = other {
        finitely_many(program, &elem)
    } else if let Type::Map { key, .. } = other {
        finitely_many(program, &key)
    } else if let Type::Named { decl, .. } = other
        && is_enumeration(program, &decl)
    {
        true
    } else {
        program.is_reference(&other)
    }
}

fn is_better(one: &[Option<Pool>], than: &[Option<Pool>]) -> bool {
    let mut better = 0;
    for (a, b) in than.iter().zip(one) {
        match (a, b) {
            (None, Some(_)) => return true,
            (Some(_), None) => return false,
            (None, None) => {}
            (Some(a), Some(b)) => {
                better += i32::from(b.finite) + i32::from(b.enumerable)
                    - i32::from(a.finite)
                    - i32::from(a.enumerable);
            }
        }
    }
    better > 0
}

/// The best of several pools. The bounds of ranges are combined.
fn best_of(pools: Vec<Pool>) -> Option<Pool> {
    let (mut lows, mut highs, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for p in pools {
        match p.range {
            Some(Range { low, high: None }) => lows.push(low),
            Some(Range { low: None, high }) => highs.push(high),
            Some(_) | None => others.push(p),
        }
    }
    for i in 0..lows.len().max(highs.len()) {
        others.push(Pool::range(
            lows.get(i).copied().flatten(),
            highs.get(i).copied().flatten(),
        ));
    }
    let mut best: Option<Pool> = None;
    for p in others {
        best = match best {
            None => Some(p),
            Some(b) => match (b.range, p.range) {
                (Some(x), Some(y)) => Some(Pool::range(x.low.or(y.low), x.high.or(y.high))),
                _ if p.rank > b.rank => Some(p),
                _ => Some(b),
            },
        };
    }
    best
}

/// The view of one variable on a relation.
struct Side<'a, 'e> {
    facts: &'a Facts<'e>,
    vars: &'a [LocalId],
    at: usize,
    alias: Option<(LocalId, LocalId)>,
}

impl Side<'_, '_> {
    /// The bound variables in an expression.
    fn mentioned(&self, e: &Expr) -> Mentioned {
        struct Find<'a>(&'a [LocalId], Option<(LocalId, LocalId)>, Mentioned);
        impl<'t> Visit<'t> for Find<'_> {
            fn ty(&mut self, _: &'t Type) {}
            fn expr(&mut self, e: &'t Expr) {
                if let ExprKind::Local(l) = &e.kind {
                    let l = self
                        .1
                        .filter(|(alias, _)| alias == l)
                        .map_or(*l, |(_, v)| v);
                    if let Some(i) = self.0.iter().position(|v| *v == l).filter(|i| *i < 64) {
                        self.2 |= 1 << i;
                    }
                }
                visit::walk_expr(self, e);
            }
        }
        let mut find = Find(self.vars, self.alias, 0);
        find.expr(e);
        find.2
    }

    fn same_type(&self, a: &Type, b: &Type) -> bool {
        self.facts.program.strip_subset(a) == self.facts.program.strip_subset(b)
    }

    /// Solves a relation for the variable. Returns whether the variable is on the left, and the
    /// variables that the other side mentions.
    fn isolate(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        known: &[Option<Pool>],
    ) -> Option<(bool, Mentioned)> {
        let own: Mentioned = 1u64.checked_shl(u32::try_from(self.at).ok()?)?;
        let (in_a, in_b) = (self.mentioned(a), self.mentioned(b));
        // The variable has to occur on exactly one side.
        let (mut left, mut side, mut rest) = match (in_a & own != 0, in_b & own != 0) {
            (true, false) => (true, a, in_b),
            (false, true) => (false, b, in_a),
            (true, true) | (false, false) => return None,
        };
        let moves = matches!(op, BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le);
        loop {
            let numeric = matches!(
                self.facts.program.representation(&side.ty),
                Type::Int | Type::Real | Type::Bv(_) | Type::Char
            );
            match side.kind.term() {
                Term::Binary(sign @ (BinaryOp::Add | BinaryOp::Sub), x, y) if moves && numeric => {
                    let (in_x, in_y) = (self.mentioned(x), self.mentioned(y));
                    if in_y & own == 0 {
                        rest |= in_y;
                        side = x;
                    } else if in_x & own == 0 {
                        rest |= in_x;
                        side = y;
                        left ^= sign == BinaryOp::Sub;
                    } else {
                        return None;
                    }
                }
                Term::Unary(UnaryOp::Neg, x) if moves && numeric => {
                    side = x;
                    left = !left;
                }
                // A conversion between types with the same base does not change the order.
                Term::Convert(x) if moves && self.same_type(&x.ty, &side.ty) => side = x,
                Term::Literal(_)
                | Term::Local(_)
                | Term::Field(_)
                | Term::Unary(..)
                | Term::Binary(..)
                | Term::Convert(_)
                | Term::Other => break,
            }
        }
        while let ExprKind::Convert(x) = &side.kind {
            side = x;
        }
        let ExprKind::Local(l) = &side.kind else {
            return None;
        };
        let v = self.vars.get(self.at)?;
        if l != v && self.alias != Some((*l, *v)) {
            return None;
        }
        // A later variable on the other side is acceptable if the bound of its own range can
        // replace it.
        for later in (self.at + 1..self.vars.len().min(64)).rev() {
            if rest & (1 << later) == 0 {
                continue;
            }
            let range = known.get(later)?.as_ref()?.range?;
            let end = if matches!(op, BinaryOp::Lt | BinaryOp::Le) && left {
                range.high?
            } else if matches!(op, BinaryOp::Lt | BinaryOp::Le) {
                range.low?
            } else {
                return None;
            };
            if end & own != 0 {
                return None;
            }
            rest = rest & !(1 << later) | end;
        }
        Some((left, rest))
    }
}
