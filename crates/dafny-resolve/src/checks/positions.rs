//! Recursive calls of extreme predicates and lemmas. An extreme predicate may be called in positive
//! positions only, and the recursion may pass through predicates or lemmas of the same kind only
//! (reference manual, "Extreme predicates and lemmas").
//!
//! [`Predicate::at`] tracks the position of each subexpression. The hard part is `[nat]`: steps
//! counted by natural numbers are not enough for infinitely many calls, so that an unbounded
//! quantifier of the wrong kind makes a position neutral ([`Predicate::within`]).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::typed::{
    Body, Call, Callable, CallableId, CallableKind, Control, Expr, ExprKind, Program, Quantified,
    ShortCircuit, Stmt, StmtKind, Type,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::super::bodies::pools;
use super::Check;

/// Checks the recursive calls of all extreme predicates and lemmas.
pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let extreme_of = prefixes_of(c);
    let mut graph = Graph {
        program,
        extreme_of: &extreme_of,
        calls: FxHashMap::default(),
    };
    for id in extremes(c) {
        let circle = graph.circle(id);
        let callable = &program[id];
        if callable.kind == CallableKind::Lemma {
            let mut inside = Lemma {
                check: c,
                circle: &circle,
                prefixes: &extreme_of,
            };
            whole(&mut inside, callable);
        } else if !circle.is_empty() {
            let least = callable.kind == CallableKind::LeastPredicate;
            let by_nat = steps_by_nat(c, id);
            Predicate {
                check: c,
                circle: Some(&circle),
                least,
                by_nat,
            }
            .whole(callable);
        }
    }
}

/// Checks that steps are counted in the same type throughout a prefix lemma: in the predicates that
/// a least lemma requires and a greatest one ensures, and in the lemmas that call each other.
pub(super) fn prefix_lemmas(c: &mut Check<'_>) {
    let program = c.program();
    let extreme_of = prefixes_of(c);
    let mut graph = Graph {
        program,
        extreme_of: &extreme_of,
        calls: FxHashMap::default(),
    };
    for id in extremes(c) {
        let Some(&least) = c.cx.callables.extreme_lemmas.get(&id) else {
            continue;
        };
        let (circle, callable, by_nat) = (graph.circle(id), &program[id], steps_by_nat(c, id));
        let mut calls = Steps {
            check: c,
            circle: &circle,
            by_nat,
            found: Vec::new(),
        };
        if let Body::Block(b) = &callable.body {
            calls.block(b);
        }
        // Dafny reports the error at the declaration of the lemma.
        if let Some((callee, span)) = calls.found.into_iter().next() {
            let d = differing_steps(c, callee, callable.span);
            c.found.push(d.with_secondary(span, "called here"));
        }
        let mut spec = Predicate {
            check: c,
            circle: None,
            least,
            by_nat,
        };
        let clauses = if least {
            &callable.spec.requires
        } else {
            &callable.spec.ensures
        };
        clauses
            .iter()
            .for_each(|clause| spec.at(&clause.cond, Position::Positive));
    }
}

/// Collects calls on a cycle to lemmas that count their steps in another type.
struct Steps<'a, 'b> {
    check: &'a Check<'b>,
    circle: &'a FxHashSet<CallableId>,
    by_nat: bool,
    found: Vec<(CallableId, Span)>,
}

impl<'t> Visit<'t> for Steps<'_, '_> {
    fn stmt(&mut self, s: &'t Stmt) {
        if let StmtKind::Call { call, .. } = &s.kind
            && self.circle.contains(&call.callee)
            && self
                .check
                .cx
                .callables
                .extreme_lemmas
                .contains_key(&call.callee)
            && steps_by_nat(self.check, call.callee) != self.by_nat
        {
            self.found.push((call.callee, s.span));
        }
        visit::walk_stmt(self, s);
    }
}

/// All extreme predicates and lemmas.
fn extremes(c: &Check<'_>) -> Vec<CallableId> {
    let mut extremes: Vec<CallableId> = c.cx.callables.prefixes.keys().copied().collect();
    extremes.sort_unstable();
    extremes
}

/// The extreme predicate or lemma of each prefix predicate or lemma.
fn prefixes_of(c: &Check<'_>) -> FxHashMap<CallableId, CallableId> {
    c.cx.callables
        .prefixes
        .iter()
        .map(|(extreme, prefix)| (*prefix, *extreme))
        .collect()
}

/// The error for a callee that counts its steps in another type than its caller.
fn differing_steps(c: &Check<'_>, callee: CallableId, span: Span) -> Diagnostic {
    let name = &c.program()[callee].name;
    let message = format!("`{name}` and its caller count their steps in different types");
    Diagnostic::error("resolve/extreme-call", span, message)
        .with_help("declare both with `[nat]`, or neither")
}

/// Visits the contract and the body.
fn whole<'t>(v: &mut impl Visit<'t>, callable: &'t Callable) {
    visit::walk_clauses(v, &callable.spec.requires);
    visit::walk_clauses(v, &callable.spec.ensures);
    callable.spec.decreases.iter().for_each(|e| v.expr(e));
    visit::walk_body(v, &callable.body);
}

/// Whether the steps of an extreme predicate or lemma are counted in `nat` instead of `ORDINAL`.
pub(super) fn steps_by_nat(c: &Check<'_>, id: CallableId) -> bool {
    let program = c.program();
    let limit =
        c.cx.callables
            .prefixes
            .get(&id)
            .and_then(|p| program[*p].ins.first());
    limit.is_some_and(|f| program[f.local].ty != Type::Ordinal)
}

/// The call graph, computed on demand.
struct Graph<'a> {
    program: &'a Program,
    extreme_of: &'a FxHashMap<CallableId, CallableId>,
    calls: FxHashMap<CallableId, Vec<CallableId>>,
}

impl Graph<'_> {
    fn calls(&mut self, id: CallableId) -> Vec<CallableId> {
        struct Mentions(Vec<CallableId>);
        impl<'t> Visit<'t> for Mentions {
            fn expr(&mut self, e: &'t Expr) {
                if let ExprKind::Call(c) = &e.kind {
                    self.0.push(c.callee);
                } else if let ExprKind::FunctionRef { callee, .. } = &e.kind {
                    self.0.push(*callee);
                }
                visit::walk_expr(self, e);
            }
            fn stmt(&mut self, s: &'t Stmt) {
                if let StmtKind::Call { call, .. } = &s.kind {
                    self.0.push(call.callee);
                }
                visit::walk_stmt(self, s);
            }
        }
        let (program, extreme_of) = (self.program, self.extreme_of);
        let found = self.calls.entry(id).or_insert_with(|| {
            let mut mentions = Mentions(extreme_of.get(&id).into_iter().copied().collect());
            whole(&mut mentions, &program[id]);
            visit::walk_frames(&mut mentions, &program[id].spec.reads);
            mentions.0
        });
        found.clone()
    }

    /// The callables on a cycle with `from`. Empty if `from` is not recursive.
    fn circle(&mut self, from: CallableId) -> FxHashSet<CallableId> {
        let mut callers: FxHashMap<CallableId, Vec<CallableId>> = FxHashMap::default();
        let (mut seen, mut queue) = (FxHashSet::default(), vec![from]);
        while let Some(at) = queue.pop() {
            for callee in self.calls(at) {
                callers.entry(callee).or_default().push(at);
                if seen.insert(callee) {
                    queue.push(callee);
                }
            }
        }
        // Of the callables reachable from `from`, keep those that reach `from`: walk the edges
        // backwards.
        let (mut circle, mut queue) = (FxHashSet::default(), vec![from]);
        while let Some(at) = queue.pop() {
            for caller in callers.get(&at).into_iter().flatten() {
                if circle.insert(*caller) {
                    queue.push(*caller);
                }
            }
        }
        circle
    }
}

/// The monotonicity of the enclosing condition in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Positive,
    Negative,
    Neither,
}

impl Position {
    fn turned(self) -> Self {
        match self {
            Position::Positive => Position::Negative,
            Position::Negative => Position::Positive,
            Position::Neither => Position::Neither,
        }
    }
}

/// The check of an extreme predicate, or of a clause of an extreme lemma.
struct Predicate<'a, 'b> {
    check: &'a mut Check<'b>,
    /// In a predicate, the callables on a cycle with it.
    circle: Option<&'a FxHashSet<CallableId>>,
    least: bool,
    by_nat: bool,
}

impl Predicate<'_, '_> {
    fn whole(&mut self, callable: &Callable) {
        callable
            .spec
            .requires
            .iter()
            .for_each(|c| self.at(&c.cond, Position::Positive));
        callable
            .spec
            .decreases
            .iter()
            .for_each(|e| self.at(e, Position::Positive));
        callable
            .spec
            .reads
            .iter()
            .filter_map(|f| f.object.as_ref())
            .for_each(|e| self.at(e, Position::Positive));
        match &callable.body {
            Body::Expr(e) | Body::ByMethod(e, _) => self.at(e, Position::Positive),
            Body::None | Body::Block(_) => {}
        }
    }

    fn word(&self) -> &'static str {
        if self.least { "least" } else { "greatest" }
    }

    fn at(&mut self, e: &Expr, position: Position) {
        stacker::maybe_grow(visit::RED_ZONE, visit::STACK, || self.at_here(e, position));
    }

    fn at_here(&mut self, e: &Expr, position: Position) {
        match e.control() {
            Control::Not(x) => self.at(x, position.turned()),
            Control::ShortCircuit { op, left, right } => {
                self.at(
                    left,
                    if op == ShortCircuit::Implies {
                        position.turned()
                    } else {
                        position
                    },
                );
                self.at(right, position);
            }
            Control::Delayed(x) => self.at(x, position),
            Control::If { cond, then, els } => {
                // Both outcomes of the condition matter, so it is neither positive nor negative.
                self.at(cond, Position::Neither);
                self.at(then, position);
                self.at(els, position);
            }
            Control::Match { scrutinee, cases } => {
                self.at(scrutinee, Position::Neither);
                cases.iter().for_each(|c| self.at(&c.body, position));
            }
            Control::Let { bindings, body, .. } => {
                bindings
                    .iter()
                    .for_each(|(_, value)| self.at(value, Position::Neither));
                self.at(body, position);
            }
            Control::LetSuchThat { vars, body, .. } => {
                visit::walk_quantified(self, vars);
                // The chosen value may depend on the number of steps, so that calls in the body are
                // monotone in one direction only.
                let chosen = if self.least {
                    Position::Negative
                } else {
                    Position::Positive
                };
                self.at(
                    body,
                    if position == chosen {
                        Position::Neither
                    } else {
                        position
                    },
                );
            }
            Control::LetOrFail(l) => {
                self.at(&l.value, Position::Neither);
                self.at(&l.body, position);
            }
            Control::StmtExpr { stmt, body } => {
                self.at(body, position);
                self.stmt(stmt);
            }
            Control::Chain { .. } | Control::IfBinding { .. } => visit::walk_expr(self, e),
            Control::Strict => {
                if let ExprKind::Quantifier { forall, vars, body } = &e.kind {
                    let position = self.within(*forall, vars, body, position);
                    vars.range.iter().for_each(|r| {
                        self.at(r, if *forall { position.turned() } else { position })
                    });
                    self.at(body, position);
                } else if let ExprKind::Call(c) = &e.kind {
                    self.called(c, e, position);
                } else {
                    visit::walk_expr(self, e);
                }
            }
        }
    }

    fn called(&mut self, c: &Call, e: &Expr, position: Position) {
        match self.circle {
            Some(circle) => {
                if circle.contains(&c.callee) {
                    self.call(c.callee, position, e.span);
                }
                visit::walk_expr(self, e);
            }
            None => self.focal(c.callee, position, e.span),
        }
    }

    /// The position inside a quantifier. With steps in `nat`, infinitely many calls may need more
    /// steps than any number, so the position becomes neutral.
    fn within(&self, forall: bool, vars: &Quantified, body: &Expr, position: Position) -> Position {
        let for_greatest = if self.least {
            position.turned()
        } else {
            position
        };
        let needs_bounds = match for_greatest {
            Position::Positive => !forall,
            Position::Negative => forall,
            Position::Neither => false,
        };
        if !self.by_nat || !needs_bounds {
            return position;
        }
        let found = pools::of_quantifier(
            self.check.program(),
            &self.check.cx.variables.older,
            forall,
            vars,
            body,
        );
        if found
            .iter()
            .all(|(_, p)| p.as_ref().is_some_and(|p| p.finite))
        {
            position
        } else {
            Position::Neither
        }
    }

    /// Checks a call in a clause of an extreme lemma. In the prefix lemma it becomes a call of the
    /// prefix predicate.
    fn focal(&mut self, callee: CallableId, position: Position, span: Span) {
        let same = if self.least {
            CallableKind::LeastPredicate
        } else {
            CallableKind::GreatestPredicate
        };
        let is_focal = position == Position::Positive && self.check.program()[callee].kind == same;
        if is_focal && steps_by_nat(self.check, callee) != self.by_nat {
            let d = differing_steps(self.check, callee, span);
            self.check.found.push(d);
        }
    }

    fn call(&mut self, callee: CallableId, position: Position, span: Span) {
        let (word, program) = (self.word(), self.check.program());
        let (name, kind) = (&program[callee].name, program[callee].kind);
        let same = if self.least {
            CallableKind::LeastPredicate
        } else {
            CallableKind::GreatestPredicate
        };
        let (message, help) = if kind != same {
            (
                format!(
                    "a {word} predicate can be mutually recursive with {word} predicates only, and this call of `{name}` is part of the recursion"
                ),
                format!(
                    "declare `{name}` as a {word} predicate, or define it without this predicate"
                ),
            )
        } else if steps_by_nat(self.check, callee) != self.by_nat {
            let d = differing_steps(self.check, callee, span);
            return self.check.found.push(d);
        } else if position == Position::Positive {
            return;
        } else if self.by_nat && position == Position::Neither {
            let quantifier = if self.least { "forall" } else { "exists" };
            (
                format!(
                    "a {word} predicate with `[nat]` cannot be called recursively under an unbounded `{quantifier}`"
                ),
                "bound the quantified variables, or remove `[nat]`".into(),
            )
        } else {
            (
                format!("a {word} predicate can be called recursively in positive positions only"),
                "a position is positive under an even number of negations (the left of `==>` counts as one), outside of `==`, `<==>`, conditions and arguments".into(),
            )
        };
        self.check
            .found
            .push(Diagnostic::error("resolve/extreme-call", span, message).with_help(help));
    }
}

/// Every expression that [`Predicate::at`] does not classify is in a neutral position.
impl<'t> Visit<'t> for Predicate<'_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        self.at(e, Position::Neither);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        if let StmtKind::Call { call, .. } = &s.kind
            && self
                .circle
                .is_some_and(|circle| circle.contains(&call.callee))
        {
            self.call(call.callee, Position::Neither, s.span);
        }
        visit::walk_stmt(self, s);
    }
}

/// The check of an extreme lemma.
struct Lemma<'a, 'b> {
    check: &'a mut Check<'b>,
    circle: &'a FxHashSet<CallableId>,
    prefixes: &'a FxHashMap<CallableId, CallableId>,
}

impl Lemma<'_, '_> {
    fn call(&mut self, callee: CallableId, span: Span) {
        if self.circle.contains(&callee) {
            let message = format!(
                "a least or greatest lemma can be mutually recursive with such lemmas only, and `{}` is not one",
                self.check.program()[callee].name
            );
            self.check
                .found
                .push(Diagnostic::error("resolve/extreme-call", span, message));
        }
    }
}

impl<'t> Visit<'t> for Lemma<'_, '_> {
    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::Call(c) = &e.kind {
            self.call(c.callee, e.span);
        }
        visit::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        if let StmtKind::Call { call, .. } = &s.kind {
            let (callee, cx) = (call.callee, self.check.cx);
            let extreme = cx.callables.prefixes.contains_key(&callee)
                && cx.program[callee].kind == CallableKind::Lemma;
            if !extreme && !self.prefixes.contains_key(&callee) {
                self.call(callee, s.span);
            }
            call.receiver
                .iter()
                .chain(&call.discarded)
                .for_each(|r| self.expr(r));
            call.args.iter().for_each(|a| self.expr(a));
            return;
        }
        visit::walk_stmt(self, s);
    }
}
