//! Instrumentation for coverage: adds a probe at the start of every block, so that a run of the
//! translation records the blocks that it enters.
//!
//! A probe is a call of an external method that is linked to `dunit::cover::hit`; the translation
//! treats it like any other call. The source position of a block is found from its goal: the
//! condition and its value, the pattern, the guard. If there is no statement position, a condition
//! is rewritten so that it records its value.

use num_bigint::BigInt;

use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::{
    BinaryOp, Block, Body, Call, Callable, CallableId, CallableKind, ControlMut, Expr, ExprKind,
    Formal, Guard, GuardedCase, Item, Literal, Local, LocalId, LoopSpec, ModuleId, OnFailure,
    Program, Spec, Stmt, StmtKind, Type,
};
use dafny_source::Span;
use dtest_desugar::TestOptions as _;
use dtest_ir::{self as ir, BlockId, GoalReason};
use dtest_lower::{guard_span, value_span};
use dtest_sorted::SortedMap;

/// The name of the method that records a block; programs do not use it.
const PROBE: &str = "dtest_cover_hit";
/// The linked Rust function.
const HIT: &str = "dunit::cover::hit";

/// A program with probes.
pub struct Instrumented {
    /// The program.
    pub program: Program,
    /// The number of each block's probe. A block without a position for a probe has none.
    pub probes: SortedMap<(CallableId, BlockId), u32>,
}

/// Adds probes to every compiled body.
pub fn instrument(program: &ir::Program) -> Instrumented {
    let mut typed = (*program.typed).clone();
    let hit = declare_probe(&mut typed);
    // Spans of all locals are copied: `typed` is borrowed mutably below.
    let locals: Vec<Span> = typed.locals.iter().map(|l| l.span).collect();
    let (mut probes, mut next) = (SortedMap::new(), 0);
    for (id, procedure) in &program.procedures {
        let Some(callable) = typed.callables.get_mut(id.0 as usize).filter(|c| !c.ghost) else {
            continue;
        };
        let mut prober = Prober::new(hit, &locals, next, procedure);
        match &mut callable.body {
            Body::None => continue,
            Body::Expr(e) => {
                prober.expr(e);
                prober.wrap(e, Key::Entry);
            }
            Body::Block(b) | Body::ByMethod(_, b) => {
                prober.block(b);
                prober.enter(b, Key::Entry);
            }
        }
        // Numbers of probes are unique in the program, so that one file of hits suffices.
        next += procedure.blocks.len() as u32;
        probes.extend(
            prober
                .placed
                .into_iter()
                .map(|(block, number)| ((*id, block), number)),
        );
    }
    Instrumented {
        program: typed,
        probes,
    }
}

/// Declares the method that probes call.
fn declare_probe(program: &mut Program) -> CallableId {
    // The probe is a method without a body, linked to the function of the runtime.
    let span = program.modules.first().map_or(Span::default(), |m| m.span);
    let local = LocalId(program.locals.len() as u32);
    program.locals.push(Local {
        name: "block".into(),
        ty: Type::Int,
        ghost: false,
        mutable: false,
        inferred: false,
        span,
    });
    let id = CallableId(program.callables.len() as u32);
    program.callables.push(Callable {
        name: PROBE.into(),
        kind: CallableKind::Method,
        is_predicate: false,
        is_two_state: false,
        module: ModuleId(0),
        owner: None,
        is_static: true,
        ghost: false,
        opaque: false,
        type_params: Vec::new(),
        ins: vec![Formal::new(local)],
        outs: Vec::new(),
        spec: Spec::default(),
        body: Body::None,
        overrides: Vec::new(),
        attributes: Vec::new(),
        doc: None,
        span,
        full_span: span,
    });
    if let Some(module) = program.modules.first_mut() {
        module.items.push(Item::Callable(id));
    }
    let mut links = program.options.links().clone();
    links.insert(PROBE.to_owned(), HIT.to_owned());
    program.options.set_links(links);
    id
}

/// The reason why control is in a block, which identifies its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Entry,
    Branch(Span, bool),
    Case(Span),
    Alternative(Span),
    Failure(Span, bool),
    /// A statement that begins in a block without a goal.
    Begins(Span),
}

impl Key {
    fn of(reason: &GoalReason) -> Option<Self> {
        match *reason {
            GoalReason::Entry => Some(Self::Entry),
            GoalReason::Branch { cond, value, .. } => Some(Self::Branch(cond, value)),
            GoalReason::Case { pattern } => Some(Self::Case(pattern)),
            GoalReason::Alternative { guard } => Some(Self::Alternative(guard)),
            GoalReason::Failure { value, failed } => Some(Self::Failure(value, failed)),
            GoalReason::Boundary { .. }
            | GoalReason::Decides { .. }
            | GoalReason::Clause { .. }
            | GoalReason::Path
            | GoalReason::Broken { .. }
            | GoalReason::Differs
            | GoalReason::After { .. } => None,
        }
    }
}

/// Adds the probes of one body.
struct Prober<'l> {
    hit: CallableId,
    /// The spans of the program's variables.
    locals: &'l [Span],
    /// Blocks whose probes are not placed yet, with their numbers. There are several if a part of
    /// the source is lowered twice.
    open: SortedMap<Key, Vec<(BlockId, u32)>>,
    placed: Vec<(BlockId, u32)>,
}

impl<'l> Prober<'l> {
    fn new(hit: CallableId, locals: &'l [Span], first: u32, procedure: &ir::Procedure) -> Self {
        let mut open: SortedMap<Key, Vec<(BlockId, u32)>> = SortedMap::new();
        let keys = (0..)
            .map(BlockId)
            .zip(&procedure.blocks)
            .filter_map(|(id, block)| {
                // A block without a goal is found by the first statement in it.
                let key = match &block.goal {
                    Some(goal) => Key::of(&goal.reason),
                    None => block.begins.first().map(|s| Key::Begins(*s)),
                };
                Some((key?, id))
            });
        for ((key, id), number) in keys.zip(first..) {
            open.entry(key).or_default().push((id, number));
        }
        Self {
            hit,
            locals,
            open,
            placed: Vec::new(),
        }
    }

    fn index(&self, local: LocalId) -> Span {
        self.locals
            .get(local.0 as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Returns the statements that record a block; none if there is no such block.
    fn notes(&mut self, key: Key) -> Vec<Stmt> {
        // Each position is instrumented once; blocks that stay open have no probe.
        let blocks = self.open.remove(&key).unwrap_or_default();
        let notes = blocks
            .iter()
            .map(|(_, number)| self.note(*number))
            .collect();
        self.placed.extend(blocks);
        notes
    }

    fn note(&self, number: u32) -> Stmt {
        let span = Span::default();
        let number = Expr {
            kind: ExprKind::Literal(Literal::Int(BigInt::from(number))),
            ty: Type::Int,
            span,
        };
        let call = Call {
            callee: self.hit,
            receiver: None,
            discarded: None,
            type_args: Vec::new(),
            args: vec![number],
            at_label: None,
            is_static_dispatch: false,
            is_corecursive: false,
        };
        Stmt {
            kind: StmtKind::Call {
                declares: Vec::new(),
                targets: Vec::new(),
                call,
            },
            labels: Vec::new(),
            ghost: false,
            span,
        }
    }

    /// Wraps `e` so that a block is recorded first.
    fn wrap(&mut self, e: &mut Expr, key: Key) {
        for note in self.notes(key) {
            let inner = std::mem::replace(
                e,
                Expr {
                    kind: ExprKind::Error,
                    ty: e.ty.clone(),
                    span: e.span,
                },
            );
            e.kind = ExprKind::StmtExpr {
                stmt: Box::new(note),
                body: Box::new(inner),
            };
        }
    }

    /// Adds the probe at the start of a block.
    fn enter(&mut self, block: &mut Block, key: Key) {
        let notes = self.notes(key);
        if let Some(divided_at) = &mut block.divided_at {
            *divided_at += notes.len();
        }
        block.stmts.splice(0..0, notes);
    }

    /// Makes a condition record its value: `if cond then { note; true } else { note; false }`.
    fn decide(&mut self, cond: &mut Expr, span: Span) {
        let constant = |value| Expr {
            kind: ExprKind::Literal(Literal::Bool(value)),
            ty: Type::Bool,
            span: cond.span,
        };
        // Both values are recorded where the condition stands, before anything depends on it.
        let (mut then, mut els) = (constant(true), constant(false));
        self.wrap(&mut then, Key::Failure(span, true));
        self.wrap(&mut els, Key::Failure(span, false));
        let inner = std::mem::replace(
            cond,
            Expr {
                kind: ExprKind::Error,
                ty: Type::Bool,
                span: cond.span,
            },
        );
        cond.kind = ExprKind::If {
            cond: Box::new(inner),
            then: Box::new(then),
            els: Box::new(els),
        };
    }

    /// Makes a guard record that it does not hold: `guard || { note; false }`.
    fn end(&mut self, guard: &mut Expr, key: Key) {
        if !self.open.contains_key(&key)
            // A loop without a condition is left by jumps alone, and stays a `loop` in Rust.
            || matches!(guard.kind, ExprKind::Literal(Literal::Bool(true)))
        {
            return;
        }
        let mut last = Expr {
            kind: ExprKind::Literal(Literal::Bool(false)),
            ty: Type::Bool,
            span: guard.span,
        };
        self.wrap(&mut last, key);
        let inner = std::mem::replace(
            guard,
            Expr {
                kind: ExprKind::Error,
                ty: Type::Bool,
                span: guard.span,
            },
        );
        guard.kind = ExprKind::Binary(BinaryOp::Or, Box::new(inner), Box::new(last));
    }

    fn if_stmt(&mut self, at: Span, then: &mut Block, els: &mut Option<Box<Stmt>>) {
        self.enter(then, Key::Branch(at, true));
        // `else` must exist to have a probe; a plain `else` block is extended, `else if` wrapped.
        let mut notes = self.notes(Key::Branch(at, false));
        if notes.is_empty() {
            return;
        }
        let span = els.as_ref().map_or(at, |e| e.span);
        match els.take().map(|e| *e) {
            Some(Stmt {
                kind: StmtKind::Block(mut block),
                labels,
                ghost: false,
                span,
            }) => {
                block.stmts.splice(0..0, notes);
                *els = Some(Box::new(Stmt {
                    kind: StmtKind::Block(block),
                    labels,
                    ghost: false,
                    span,
                }));
            }
            other => {
                notes.extend(other);
                let block = Block {
                    stmts: notes,
                    divided_at: None,
                    division: None,
                    span,
                };
                *els = Some(Box::new(Stmt {
                    kind: StmtKind::Block(block),
                    labels: Vec::new(),
                    ghost: false,
                    span,
                }));
            }
        }
    }

    fn alternatives(&mut self, cases: &mut [GuardedCase]) {
        for case in cases {
            let at = guard_span(&case.guard, case.span, case.body.span);
            self.enter(&mut case.body, Key::Alternative(at));
        }
    }

    /// Returns the probes after a statement: the end of a loop whose guard cannot record it.
    fn after(&mut self, s: &Stmt) -> Vec<Stmt> {
        let (at, bodies): (Span, Vec<&Block>) = match &s.kind {
            StmtKind::While {
                guard: guard @ (Guard::Star | Guard::Binding(_)),
                body: Some(body),
                ..
            } => (guard_span(guard, s.span, body.span), vec![body]),
            StmtKind::WhileCase { cases, .. } => {
                let Some(last) = cases.last() else {
                    return Vec::new();
                };
                (
                    guard_span(&last.guard, last.span, last.body.span),
                    cases.iter().map(|c| &c.body).collect(),
                )
            }
            // The condition of a `for` loop is not in the source; its goal is at the index and the
            // end.
            StmtKind::For {
                index,
                to: Some(to),
                body: Some(body),
                ..
            } => (self.index(*index).to(to.span), vec![body]),
            StmtKind::While { .. } | StmtKind::For { .. } => return Vec::new(),
            StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. } => return Vec::new(),
            StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Assign { .. }
            | StmtKind::AssignPattern { .. } => return Vec::new(),
            StmtKind::Call { .. }
            | StmtKind::SuchThat { .. }
            | StmtKind::AssignOrFail(_)
            | StmtKind::If { .. } => return Vec::new(),
            StmtKind::IfCase(_)
            | StmtKind::Forall { .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. } => return Vec::new(),
            StmtKind::Return | StmtKind::Yield | StmtKind::Modify { .. } | StmtKind::Reveal(_) => {
                return Vec::new();
            }
            StmtKind::Calc { .. } | StmtKind::Error => return Vec::new(),
        };
        // A jump out of the loop does not pass its end, so the position is not equivalent.
        if bodies.into_iter().any(jumps) {
            Vec::new()
        } else {
            self.notes(Key::Branch(at, false))
        }
    }
}

/// Whether a block contains a jump.
fn jumps(block: &Block) -> bool {
    struct Jumps(bool);
    impl<'t> dafny_resolve::typed::visit::Visit<'t> for Jumps {
        fn stmt(&mut self, s: &'t Stmt) {
            self.0 |= matches!(s.kind, StmtKind::Break { .. });
            dafny_resolve::typed::visit::walk_stmt(self, s);
        }
    }
    let mut found = Jumps(false);
    dafny_resolve::typed::visit::Visit::block(&mut found, block);
    found.0
}

impl Rewrite for Prober<'_> {
    fn loop_spec(&mut self, _: &mut LoopSpec) {}

    fn block(&mut self, b: &mut Block) {
        let (mut divided_at, count) = (b.divided_at, b.stmts.len());
        let mut out = Vec::with_capacity(count);
        for (i, mut s) in std::mem::take(&mut b.stmts).into_iter().enumerate() {
            // `new;` stays between the same statements.
            if b.divided_at == Some(i) {
                divided_at = Some(out.len());
            }
            out.extend(self.notes(Key::Begins(s.span)));
            let after = self.after(&s);
            self.stmt(&mut s);
            out.push(s);
            out.extend(after);
        }
        if b.divided_at.is_some_and(|at| at >= count) {
            divided_at = Some(out.len());
        }
        (b.stmts, b.divided_at) = (out, divided_at);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        if s.ghost {
            return;
        }
        // Inner statements first: the inserted calls must not get probes themselves.
        rewrite::walk_stmt(self, s);
        let span = s.span;
        match &mut s.kind {
            StmtKind::If { guard, then, els } => {
                self.if_stmt(guard_span(guard, span, then.span), then, els)
            }
            StmtKind::IfCase(cases) | StmtKind::WhileCase { cases, .. } => self.alternatives(cases),
            StmtKind::While {
                guard,
                body: Some(body),
                ..
            } => {
                let at = guard_span(guard, span, body.span);
                self.enter(body, Key::Branch(at, true));
                if let Guard::Expr(e) = guard {
                    self.end(e, Key::Branch(at, false));
                }
            }
            StmtKind::For {
                index,
                from,
                to,
                body: Some(body),
                ..
            } => {
                let at = self.index(*index).to(to.as_ref().unwrap_or(from).span);
                self.enter(body, Key::Branch(at, true));
            }
            StmtKind::Match { cases, .. } => cases
                .iter_mut()
                .for_each(|c| self.enter(&mut c.body, Key::Case(c.pattern.span))),
            StmtKind::AssignOrFail(a) => {
                let at = value_span(&a.compute);
                // Other forms halt on failure, which is no branch of the program.
                match a.on_failure {
                    OnFailure::Propagate { .. } => self.decide(&mut a.is_failure, at),
                    OnFailure::Expect | OnFailure::Assert | OnFailure::Assume => {}
                }
            }
            StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Assume(_)
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Assign { .. }
            | StmtKind::AssignPattern { .. }
            | StmtKind::Call { .. }
            | StmtKind::SuchThat { .. }
            | StmtKind::While { .. }
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Modify { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        // Innermost first, as for statements. Each branch of a decision is wrapped by its probe.
        rewrite::walk_expr(self, e);
        match e.control_mut() {
            ControlMut::ShortCircuit { op, left, right } => {
                self.wrap(right, Key::Branch(left.span, op.goes_on_with()))
            }
            ControlMut::Chain { first, rest } => {
                let mut left = first.span;
                // Each link of a chain is evaluated only if the links before it hold.
                for i in 1..rest.len() {
                    let [(_, operand), (_, next)] = &mut rest[i - 1..=i] else {
                        continue;
                    };
                    self.wrap(next, Key::Branch(left.to(operand.span), true));
                    left = operand.span;
                }
            }
            ControlMut::If { cond, then, els } => {
                self.wrap(then, Key::Branch(cond.span, true));
                self.wrap(els, Key::Branch(cond.span, false));
            }
            ControlMut::IfBinding { vars, then, els } => {
                self.wrap(then, Key::Branch(vars.span, true));
                self.wrap(els, Key::Branch(vars.span, false));
            }
            ControlMut::Match { cases, .. } => cases
                .iter_mut()
                .for_each(|c| self.wrap(&mut c.body, Key::Case(c.pattern.span))),
            ControlMut::LetOrFail(l) => {
                self.wrap(&mut l.propagate, Key::Failure(l.value.span, true));
                self.wrap(&mut l.body, Key::Failure(l.value.span, false));
            }
            ControlMut::Not(_)
            | ControlMut::Let { .. }
            | ControlMut::LetSuchThat { .. }
            | ControlMut::StmtExpr { .. } => {}
            ControlMut::Delayed(_) | ControlMut::Strict => {}
        }
    }
}
