//! Compilation of quantifiers, comprehensions and `:|`: loops over candidates with an accumulator
//! on the stack.
//!
//! Key functions: [`Compiler::quantifier`], [`Compiler::comprehension`], [`Compiler::search`]; all
//! of them build on [`Compiler::nest`].

use num_bigint::BigInt;

use super::discover::{Over, discover};
use super::{Compiler, mentions_param};
use crate::code::{Choice, Ins, IterKind, IterSite, Mode};
use crate::word::Word;
use dafny_resolve::typed::{Literal, Type};
use dtest_ir::reason::Unbounded;
use dtest_ir::{self as ir, Domain, Expr, ExprKind, Op, Quantified, Var};
use dtest_value::Value;

/// A nest of loops whose body is being compiled.
pub(super) struct Nest<'p> {
    /// The label after the nest, for the end of the candidates.
    pub(super) done: u32,
    /// The label of the next candidate of the innermost loop.
    pub(super) next: u32,
    /// The number of loops.
    pub(super) depth: u32,
    /// The conditions that are not checked yet.
    rest: Vec<&'p Expr>,
}

/// The options of a nest.
#[derive(Clone, Copy)]
struct Use {
    /// The target if something is unknown, which makes the accumulator unknown too.
    unknown: u32,
    /// Whether the search ends a while after it found a candidate.
    tick: bool,
    /// Whether the caller checks the conditions on all variables, because it handles unknown ones
    /// itself.
    leave_rest: bool,
    /// The limit of values of a sampled variable.
    max: usize,
}

/// Variables with their domains, outermost loop first.
type Loops<'p> = Vec<(Var, Over<'p>)>;

/// The limit of numbers that the range of a quantifier in a specification may have to be tried one
/// by one.
const MAX_TRIED: u32 = 1 << 21;

impl<'p> Compiler<'p> {
    /// Compiles `seq(n, f)` as a loop that appends.
    pub(super) fn seq_init(&mut self, n: &'p Expr, f: &'p Expr) {
        // The loop is compiled inline: the function is applied to each index below the length.
        let (index, length, function, done) = (self.temp(), self.temp(), self.temp(), self.label());
        self.expr(n);
        self.emit(Ins::CheckLength);
        self.emit(Ins::Store(length));
        self.expr(f);
        self.emit(Ins::Store(function));
        // The accumulator lies below the bounds of the loop.
        self.push(Word::of(Value::seq([])));
        self.emit(Ins::PushInt(0));
        self.emit(Ins::Load(length));
        self.iter(IterKind::Ints, 0, done);
        let next = self.here();
        self.emit(Ins::IterNext { slot: index, done });
        self.emit(Ins::Load(function));
        self.emit(Ins::Load(index));
        self.emit(Ins::Apply(1));
        self.emit(Ins::SeqPush);
        self.emit(Ins::Jump(next));
        self.place(done);
    }

    fn iter(&mut self, kind: IterKind, depth: u32, unknown: u32) {
        self.code.iters.push(IterSite {
            kind,
            depth,
            unknown,
        });
        self.emit(Ins::IterNew(self.code.iters.len() as u32 - 1));
    }

    /// Compiles `forall` or `exists`. The conjuncts of the range, and the antecedents of the body,
    /// are conditions on the candidates.
    pub(super) fn quantifier(&mut self, forall: bool, q: &'p Quantified, body: &'p Expr) {
        // The antecedents of a `forall` and the conjuncts of an `exists` restrict the candidates;
        // the rest is the body.
        let mut conditions = Vec::new();
        if let Some(range) = &q.range {
            conjuncts(range, &mut conditions);
        }
        let mut body = body;
        if forall {
            while let ExprKind::Implies(a, b) = &body.kind {
                conjuncts(a, &mut conditions);
                body = b;
            }
        } else {
            conjuncts(body, &mut conditions);
            body = conditions.pop().unwrap_or(body);
        }
        // Bounds from resolution come first, then bounds derived from the conditions, and at last a
        // search through sample values.
        let loops = quantified_loops(q, self.code.mode == Mode::Spec);
        if !loops.iter().any(|(_, over)| matches!(over, Over::Probe)) {
            return self.bounded(forall, &loops, conditions, body, 0);
        }
        if let Some(loops) = discover(&q.vars, &conditions) {
            return self.tried(forall, &loops, conditions, body);
        }
        // An equivalence is the conjunction of two implications, each of which may restrict the
        // candidates differently.
        if let (true, Some((left, right))) = (forall, equivalence(body)) {
            let sides = [(left, right), (right, left)].map(|(from, to)| {
                let mut conditions = conditions.clone();
                conjuncts(from, &mut conditions);
                (discover(&q.vars, &conditions), conditions, to)
            });
            if let [(Some(there), left, to), (Some(back), right, from)] = sides {
                let end = self.label();
                self.tried(forall, &there, left, to);
                self.emit(Ins::AndLeft(end));
                self.tried(forall, &back, right, from);
                self.emit(Ins::AndEnd);
                self.place(end);
                return;
            }
        }
        self.tried(forall, &loops, conditions, body);
    }

    /// Compiles the loops of a quantifier. A deciding candidate ends them.
    fn bounded(
        &mut self,
        forall: bool,
        loops: &Loops<'p>,
        conditions: Vec<&'p Expr>,
        body: &'p Expr,
        max: usize,
    ) {
        let (exit, end) = (self.label(), self.label());
        // The accumulator starts with the neutral value of the quantifier.
        self.emit(Ins::PushBool(forall));
        let nest = self.nest(
            loops,
            conditions,
            Use {
                unknown: end,
                tick: false,
                leave_rest: true,
                max,
            },
        );
        // After each candidate, the body decides whether the loop goes on.
        self.decide(forall, &nest, body, exit);
        // An early exit leaves loops open, which are closed here.
        self.place(exit);
        self.emit(Ins::PopIters(nest.depth));
        self.place(nest.done);
        self.place(end);
    }

    /// Compiles a quantifier like [`Self::bounded`] with domains that may be wrong: failures make
    /// it unknown. If obligations are goals and all candidates are possible values of the
    /// variables, failures propagate, because Dafny requires a well-defined body for all of them.
    /// Below the accumulator is a flag whether all values are enumerated: then the quantifier is
    /// decided; otherwise samples may refute or witness it.
    fn tried(
        &mut self,
        forall: bool,
        loops: &Loops<'p>,
        conditions: Vec<&'p Expr>,
        body: &'p Expr,
    ) {
        // The more variables are sampled, the fewer values each of them can have.
        let max = match loops
            .iter()
            .filter(|(_, over)| matches!(over, Over::Probe))
            .count()
        {
            0 | 1 => 4096,
            2 => 64,
            3 => 16,
            _more => return self.unknown(Unbounded::Quantifier),
        };
        let caught = self.label();
        let is_asked = self.program.criteria.has(ir::Criterion::Obligation)
            && loops.iter().all(|(_, over)| matches!(over, Over::Probe));
        self.emit(Ins::PushBool(true));
        // If obligations are goals, failures inside the quantifier must remain visible.
        self.emit(if is_asked {
            Ins::TrySupported(caught)
        } else {
            Ins::Try(caught)
        });
        self.bounded(forall, loops, conditions, body, max);
        self.emit(Ins::Untry);
        self.place(caught);
        // If no counterexample or example was found among the samples, the result is unknown.
        self.emit(Ins::ProbeEnd { forall });
    }

    /// Evaluates the body for one candidate and continues with the next.
    fn decide(&mut self, forall: bool, nest: &Nest<'p>, body: &'p Expr, exit: u32) {
        let ends: Vec<u32> = nest.rest.iter().map(|_| self.label()).collect();
        // Conditions that could not be used for the loops are tested for each candidate.
        for (condition, end) in nest.rest.iter().zip(&ends) {
            self.expr(condition);
            self.emit(if forall {
                Ins::ImpliesLeft(*end)
            } else {
                Ins::AndLeft(*end)
            });
        }
        self.expr(body);
        for end in ends.iter().rev() {
            self.emit(if forall { Ins::ImpliesEnd } else { Ins::AndEnd });
            self.place(*end);
        }
        self.emit(Ins::Quantify { forall, exit });
        self.emit(Ins::Jump(nest.next));
    }

    /// Opens the loops over the candidates of comprehensions and `forall` statements.
    pub(super) fn loops(&mut self, q: &'p Quantified, unknown: u32) -> Nest<'p> {
        let mut conditions = Vec::new();
        if let Some(range) = &q.range {
            conjuncts(range, &mut conditions);
        }
        self.nest(
            &all_loops(q),
            conditions,
            Use {
                unknown,
                tick: false,
                leave_rest: false,
                max: 0,
            },
        )
    }

    /// Opens the loops. A condition is checked as soon as its variables are bound, in the given
    /// order: bounds of inner variables may be ill-formed where it does not hold.
    fn nest(&mut self, bounds: &Loops<'p>, conditions: Vec<&'p Expr>, how: Use) -> Nest<'p> {
        let done = self.label();
        let mut nest = Nest {
            done,
            next: done,
            depth: 0,
            rest: conditions,
        };
        if bounds.is_empty() {
            // Without variables there is one candidate.
            self.emit(Ins::PushBool(true));
            self.open(IterKind::Exact, None, &mut nest, how);
        }
        for (i, (v, over)) in bounds.iter().enumerate() {
            let unbound: Vec<Var> = bounds.iter().skip(i).map(|(v, _)| *v).collect();
            if i > 0 || !how.leave_rest {
                self.check(&mut nest, &unbound, how);
            }
            let ty = self.var_type(*v);
            let kind = self.over(*over, &ty, how.max);
            self.open(kind, Some(*v), &mut nest, how);
            if self.may_miss(*over, &ty) {
                let slot = self.slot(*v);
                self.emit(Ins::Load(slot));
                self.has_type(&ty);
                self.emit(Ins::Guard {
                    next: nest.next,
                    unknown: how.unknown,
                    depth: nest.depth,
                });
            }
        }
        if !how.leave_rest {
            self.check(&mut nest, &[], how);
        }
        nest
    }

    /// Opens one loop.
    fn open(&mut self, kind: IterKind, v: Option<Var>, nest: &mut Nest<'p>, how: Use) {
        self.iter(kind, nest.depth, how.unknown);
        // A loop without a variable still needs a slot for its candidates.
        let slot = match v {
            Some(v) => self.slot(v),
            None => self.temp(),
        };
        let next = self.here();
        self.emit(Ins::IterNext {
            slot,
            done: nest.next,
        });
        // Inner loops continue with the next candidate of the enclosing loop when they are
        // exhausted.
        nest.next = next;
        nest.depth += 1;
        if how.tick {
            self.emit(Ins::Tick {
                end: how.unknown,
                depth: nest.depth,
            });
        }
    }

    /// Checks the first conditions that do not mention the unbound variables.
    fn check(&mut self, nest: &mut Nest<'p>, unbound: &[Var], how: Use) {
        let ready = nest
            .rest
            .iter()
            .take_while(|e| !e.mentions(unbound))
            .count();
        for condition in nest.rest.drain(..ready).collect::<Vec<_>>() {
            self.expr(condition);
            self.emit(Ins::Guard {
                next: nest.next,
                unknown: how.unknown,
                depth: nest.depth,
            });
        }
        if unbound.is_empty() || nest.depth == 0 {
            return;
        }
        // Later conditions may also exclude the candidate, if they can be evaluated here.
        let early: Vec<&'p Expr> = nest
            .rest
            .iter()
            .copied()
            .filter(|e| !e.mentions(unbound))
            .collect();
        for condition in early {
            let caught = self.label();
            self.emit(Ins::Try(caught));
            self.expr(condition);
            self.emit(Ins::Untry);
            self.place(caught);
            self.emit(Ins::Prune(nest.next));
        }
    }

    /// Whether a candidate may be outside the type of its variable.
    fn may_miss(&self, over: Over<'p>, ty: &Type) -> bool {
        // The type of the candidates decides whether each of them must be checked.
        let from = match over {
            Over::Ints { .. } | Over::Domain(Domain::IntRange { .. }) => Type::Int,
            Over::Exact(e) | Over::Image(_, e) => e.ty.clone(),
            Over::Domain(Domain::Exact(e) | Domain::SubsetsOf(e) | Domain::PrefixesOf(e)) => {
                e.ty.clone()
            }
            Over::Elements(e) => self.element_type(e),
            Over::Domain(Domain::Elements(e)) => self.element_type(e),
            Over::Probe | Over::Domain(Domain::AllValues(_)) => return self.holds_constraint(ty),
            Over::Domain(Domain::SubtermsOf(_)) => return false,
            Over::Domain(Domain::Allocated) => return !is_any_object(ty),
        };
        from != *ty && (self.holds_constraint(ty) || self.program.typed.is_reference(ty))
    }

    fn element_type(&self, collection: &Expr) -> Type {
        if let Type::Seq(elem)
        | Type::Multiset(elem)
        | Type::Set { elem, .. }
        | Type::Map { key: elem, .. } = self.program.typed.representation(&collection.ty)
        {
            *elem
        } else {
            Type::Error
        }
    }

    fn over(&mut self, over: Over<'p>, ty: &Type, max: usize) -> IterKind {
        match over {
            Over::Domain(domain) => self.domain(domain, ty),
            Over::Elements(e) => {
                self.expr(e);
                IterKind::Elements
            }
            Over::Exact(e) => {
                self.expr(e);
                IterKind::Exact
            }
            Over::Ints {
                low,
                above,
                high,
                with,
            } => {
                // Strict bounds are turned into bounds of a half-open interval.
                for (end, beyond) in [(low, above), (high, with)] {
                    self.expr(end);
                    self.emit(Ins::PushInt(beyond.into()));
                    self.emit(Ins::AddInt);
                }
                IterKind::Ints
            }
            // The values of a term are computed as a set first.
            Over::Image(q, term) => {
                self.push(Word::of(Value::set([])));
                self.comprehension(q, Unbounded::SetComprehension, |c| {
                    c.expr(term);
                    c.emit(Ins::SetInsert);
                });
                IterKind::Elements
            }
            Over::Probe => IterKind::Probe {
                ty: self.ty(ty.clone()),
                max,
            },
        }
    }

    fn domain(&mut self, domain: &'p Domain, ty: &Type) -> IterKind {
        for operand in domain.operands() {
            self.expr(operand);
        }
        // The direction of an unbounded range determines the order of candidates.
        match domain {
            Domain::IntRange {
                low: Some(_),
                high: Some(_),
            } => IterKind::Ints,
            Domain::IntRange {
                low: Some(_),
                high: None,
            } => IterKind::Up,
            Domain::IntRange {
                low: None,
                high: Some(_),
            } => IterKind::Down,
            Domain::IntRange {
                low: None,
                high: None,
            } => IterKind::Outward,
            Domain::Exact(_) => IterKind::Exact,
            Domain::Elements(_) => IterKind::Elements,
            Domain::SubsetsOf(_) => IterKind::Subsets,
            Domain::PrefixesOf(_) => IterKind::Prefixes,
            Domain::AllValues(t) => IterKind::AllValues(self.ty(t.clone())),
            Domain::SubtermsOf(_) => IterKind::Subterms(self.ty(ty.clone())),
            Domain::Allocated => IterKind::Allocated {
                nullable: !is_any_object(ty),
            },
        }
    }

    /// Compiles a loop that adds to the accumulator on the stack.
    pub(super) fn comprehension(
        &mut self,
        q: &'p Quantified,
        what: Unbounded,
        add: impl FnOnce(&mut Self),
    ) {
        // An infinite comprehension cannot be computed.
        if !is_finite(q) {
            self.emit(Ins::Pop);
            return self.unknown(what);
        }
        let end = self.label();
        let nest = self.loops(q, end);
        add(self);
        self.emit(Ins::Jump(nest.next));
        self.place(nest.done);
        self.place(end);
    }

    /// Compiles the search of a `:|` and leaves the candidate as the accumulator.
    pub(super) fn search(&mut self, q: &'p Quantified) -> u32 {
        let slots: Vec<u32> = q.vars.iter().map(|v| self.slot(*v)).collect();
        let ghost = q.vars.iter().all(|v| self.is_ghost(*v));
        self.code.choices.push(Choice { slots, ghost });
        let choice = self.code.choices.len() as u32 - 1;
        // Without bounds, candidates cannot be enumerated. A given resolution of the choice is
        // checked against the range.
        if q.bounds.is_none() {
            let (none, end) = (self.label(), self.label());
            self.emit(Ins::Advise { choice, none });
            match &q.range {
                Some(range) => self.expr(range),
                None => self.emit(Ins::PushBool(true)),
            }
            self.emit(Ins::Advised(choice));
            self.emit(Ins::Jump(end));
            self.place(none);
            // There is no candidate if a condition that does not depend on it is false.
            let empty = self.label();
            let mut conditions = Vec::new();
            if let Some(range) = &q.range {
                conjuncts(range, &mut conditions);
            }
            for condition in conditions.into_iter().take_while(|c| !c.mentions(&q.vars)) {
                self.expr(condition);
                self.emit(Ins::If { els: empty, end });
            }
            self.unknown(Unbounded::Choice);
            self.emit(Ins::Jump(end));
            self.place(empty);
            self.emit(Ins::PushBool(false));
            self.place(end);
            return choice;
        }
        // With bounds, a loop over the candidates looks for the first one that satisfies the range.
        self.emit(Ins::PushBool(false));
        let (exit, end) = (self.label(), self.label());
        let mut conditions = Vec::new();
        if let Some(range) = &q.range {
            conjuncts(range, &mut conditions);
        }
        let nest = self.nest(
            &all_loops(q),
            conditions,
            Use {
                unknown: end,
                tick: true,
                leave_rest: false,
                max: 0,
            },
        );
        self.emit(Ins::Found { choice, exit });
        self.emit(Ins::Jump(nest.next));
        self.place(exit);
        self.emit(Ins::PopIters(nest.depth));
        self.place(nest.done);
        self.place(end);
        choice
    }

    /// Compiles a loop for each dimension of an array. `body` gets the slots of the indices.
    pub(super) fn for_each_index(&mut self, lengths: &[u32], body: impl FnOnce(&mut Self, &[u32])) {
        let done = self.label();
        let mut outer = done;
        let mut indices = Vec::new();
        // The loops are nested in the order of the dimensions.
        for (depth, length) in lengths.iter().enumerate() {
            self.emit(Ins::PushInt(0));
            self.emit(Ins::Load(*length));
            self.iter(IterKind::Ints, depth as u32, done);
            let slot = self.temp();
            let next = self.here();
            // The outermost loop ends the whole iteration; an inner one continues the enclosing
            // loop.
            self.emit(Ins::IterNext { slot, done: outer });
            outer = next;
            indices.push(slot);
        }
        body(self, &indices);
        self.emit(Ins::Jump(outer));
        self.place(done);
    }
}

/// Whether the domains of all variables are finite.
pub(super) fn is_finite(q: &Quantified) -> bool {
    q.bounds
        .as_ref()
        .is_some_and(|b| b.iter().all(|(_, d)| d.is_finite()))
}

/// Collects the operands of nested conjunctions, in order.
fn conjuncts<'p>(e: &'p Expr, out: &mut Vec<&'p Expr>) {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        if let ExprKind::And(a, b) = &e.kind {
            work.extend([&**b, &**a])
        } else {
            out.push(e)
        }
    }
}

/// Returns the loops over the domains of the IR.
fn all_loops(q: &Quantified) -> Loops<'_> {
    q.bounds
        .iter()
        .flatten()
        .map(|(v, d)| (*v, Over::Domain(d)))
        .collect()
}

/// Returns the loops of a quantifier. Variables without a finite domain are sampled.
///
/// In a specification, a range with more numbers than an execution has steps is as good as without
/// bounds: conditions of the quantifier may restrict it to few candidates.
fn quantified_loops<'q>(q: &'q Quantified, is_specification: bool) -> Loops<'q> {
    let over = |d: &'q Domain| {
        let is_open = matches!(d, Domain::AllValues(t) if mentions_param(t))
            || !d.is_finite()
            || is_specification && is_huge(d);
        if is_open {
            Over::Probe
        } else {
            Over::Domain(d)
        }
    };
    match &q.bounds {
        None => q.vars.iter().map(|v| (*v, Over::Probe)).collect(),
        Some(bounds) => bounds.iter().map(|(v, d)| (*v, over(d))).collect(),
    }
}

/// Whether a domain is a range of literals with more numbers than can be tried.
fn is_huge(d: &Domain) -> bool {
    let Domain::IntRange {
        low: Some(low),
        high: Some(high),
    } = d
    else {
        return false;
    };
    match (&low.kind, &high.kind) {
        (ExprKind::Literal(Literal::Int(low)), ExprKind::Literal(Literal::Int(high))) => {
            high - low > BigInt::from(MAX_TRIED)
        }
        (_, _) => false,
    }
}

/// Returns the sides of `a <==> b`.
fn equivalence(e: &Expr) -> Option<(&Expr, &Expr)> {
    if let ExprKind::Op(Op::Eq, args) = &e.kind {
        match args.as_slice() {
            [a, b] if a.ty == Type::Bool => Some((a, b)),
            _others => None,
        }
    } else {
        None
    }
}

/// Whether every object, but not null, belongs to the type.
fn is_any_object(ty: &Type) -> bool {
    matches!(ty, Type::Object { nullable: false })
}
