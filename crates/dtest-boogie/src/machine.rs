//! Executions: one runs along a model, and leaves behind what else could have happened, to be tried later, shortest first.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use boogie_resolve::typed::{
    Block, BlockId, Call, Clause, End, Expr, Implementation, Printed, ProcedureId, Program, Stmt, StmtKind, Type, TypeVar, VarId,
};
use dafny_syntax::source::Span;
use dtest_engine::smt::{Node, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Env;
use crate::execution::{Ending, Failure, FailureKind, Step, StepKind};
use crate::explore::Options;
use crate::given::Given;
use crate::model::Model;
use crate::promises::Promise;
use crate::solve::{Outcome, Session};
use crate::value::Value;
use crate::world::{Res, Stop, World};

/// Conditions of a path, the last first.
#[derive(Debug)]
struct PathNode {
    term: Term,
    before: Path,
}

type Path = Option<Rc<PathNode>>;

fn conditions(path: &Path) -> Vec<Term> {
    let mut out = Vec::new();
    let mut at = path;
    while let Some(node) = at {
        out.push(node.term);
        at = &node.before;
    }
    out.reverse();
    out
}

impl Drop for PathNode {
    fn drop(&mut self) {
        // Paths are long: not by recursion.
        let mut next = self.before.take();
        while let Some(node) = next {
            next = Rc::try_unwrap(node).ok().and_then(|mut n| n.before.take());
        }
    }
}

/// A call that is being executed.
#[derive(Clone, Debug)]
struct Frame<'p> {
    procedure: ProcedureId,
    implementation: &'p Implementation,
    block: BlockId,
    stmt: usize,
    /// Global variables when it was entered.
    old: Rc<FxHashMap<VarId, Value>>,
    types: Rc<FxHashMap<TypeVar, Type>>,
    /// Variables of the caller.
    saved: Rc<FxHashMap<VarId, Value>>,
    /// The call, where it was not the entry.
    call: Option<(&'p Call, Span)>,
    rounds: Rc<FxHashMap<BlockId, usize>>,
    /// Whether the invariants of the current head were looked at.
    past_head: bool,
}

/// A part of a line that is printed.
#[derive(Clone, Debug)]
enum Piece<'p> {
    Text(&'p str),
    Value(Value, Type),
}

/// A step with what changed in it, the last first.
#[derive(Debug)]
struct Recorded {
    kind: StepKind,
    span: Span,
    depth: usize,
    changed: Vec<(VarId, Value)>,
    before: Option<Rc<Recorded>>,
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // As of paths.
        let mut next = self.before.take();
        while let Some(step) = next {
            next = Rc::try_unwrap(step).ok().and_then(|mut s| s.before.take());
        }
    }
}

/// An execution on its way.
#[derive(Clone, Debug)]
pub(crate) struct State<'p> {
    vars: Rc<FxHashMap<VarId, Value>>,
    frames: Vec<Frame<'p>>,
    path: Path,
    pub(crate) steps: usize,
    pub(crate) model: Rc<Model>,
    printed: Rc<Vec<Vec<Piece<'p>>>>,
    trace: Option<Rc<Recorded>>,
    pub(crate) inputs: Rc<Vec<(VarId, Value)>>,
    /// Constants of the program whose values the path fixes.
    fixed: Rc<FxHashMap<VarId, Value>>,
}

/// What else could have happened.
#[derive(Debug)]
enum Alternative<'p> {
    /// The execution goes on; the model is to be found where that is said.
    Goes(State<'p>, bool),
    /// A promise is broken there.
    Fails(State<'p>, Failure),
    /// The same path from other inputs.
    Again(State<'p>, usize),
    /// Another body of the entry.
    Begun(Option<Box<State<'p>>>, Ending),
}

/// Which bodies and loops are known by their specification.
#[derive(Clone, Debug, Default)]
pub struct Modular {
    /// Procedures that are known by their contract.
    pub by_contract: Vec<ProcedureId>,
    /// Loops, by the places of their keywords, that are known by their invariants.
    pub by_invariant: Vec<Span>,
}

/// Tries executions of one procedure.
pub(crate) struct Machine<'p> {
    pub(crate) world: World<'p>,
    session: Session,
    modular: Modular,
    /// Promises of the entry that are proved.
    proved: BTreeSet<Promise>,
    given: Vec<Given>,
    /// Inputs whose given values are none of the program's.
    pub(crate) not_given: Vec<String>,
    traced: bool,
    open: BTreeMap<(usize, usize), Alternative<'p>>,
    serial: usize,
    known: FxHashSet<Term>,
    /// Variables that loops assign, by their heads.
    changed: FxHashMap<(*const Implementation, BlockId), Rc<[VarId]>>,
    /// Blocks that were entered, each with the number of its body.
    pub(crate) entered: FxHashSet<(ProcedureId, usize, BlockId)>,
    /// Promises that were looked at, kept or broken.
    pub(crate) promises: FxHashSet<(FailureKind, Span)>,
}

impl<'p> Machine<'p> {
    pub(crate) fn new(world: World<'p>, options: &Options) -> Self {
        Self {
            world,
            session: Session::new(),
            modular: options.modular.clone(),
            proved: options.proved.clone(),
            given: options.given.clone(),
            not_given: Vec::new(),
            traced: options.traced,
            open: BTreeMap::new(),
            serial: 0,
            known: FxHashSet::default(),
            changed: FxHashMap::default(),
            entered: FxHashSet::default(),
            promises: FxHashSet::default(),
        }
    }

    /// Begins with any inputs that the preconditions and axioms allow, in each body.
    pub(crate) fn enter(&mut self, procedure: ProcedureId, axioms: &[&'p Expr]) -> (Option<State<'p>>, Ending) {
        let p = self.world.program.procedure(procedure);
        let Some((first, others)) = p.implementations.split_first() else {
            let stop = Stop::Unsupported(format!("`{}`, which has no body,", p.name), p.span);
            return (None, Ending::NotDecided(stop));
        };
        let begun = self.enter_body(procedure, first, axioms);
        for body in others {
            let (state, ending) = self.enter_body(procedure, body, axioms);
            self.push(0, Alternative::Begun(state.map(Box::new), ending));
        }
        begun
    }

    fn enter_body(&mut self, id: ProcedureId, body: &'p Implementation, axioms: &[&'p Expr]) -> (Option<State<'p>>, Ending) {
        match self.entry(id, body, axioms) {
            Ok(Ok(state)) => (Some(state), Ending::Passed),
            Ok(Err(ending)) => (None, ending),
            Err(stop) => (None, Ending::NotDecided(stop)),
        }
    }

    fn entry(&mut self, id: ProcedureId, implementation: &'p Implementation, axioms: &[&'p Expr]) -> Res<Result<State<'p>, Ending>> {
        let program = self.world.program;
        let p = program.procedure(id);
        let mut vars: FxHashMap<VarId, Value> = FxHashMap::default();
        let mut inputs = Vec::new();
        for v in &program.globals {
            if let Ok(value) = self.world.unknown(&program.var(*v).name, &program.var(*v).ty) {
                vars.insert(*v, value);
                inputs.push((*v, value));
            }
        }
        let globals = Rc::new(vars.clone());
        for v in &implementation.ins {
            let var = program.var(*v);
            let value = self.world.unknown(&var.name, &var.ty).map_err(|e| at(e, var.span))?;
            vars.insert(*v, value);
            inputs.insert(inputs.len() - program.globals.len().min(inputs.len()), (*v, value));
        }
        let mut state = State {
            vars: Rc::new(vars),
            frames: vec![self.frame(id, implementation, globals, Rc::default(), None, Rc::default())],
            path: None,
            steps: 0,
            model: Rc::default(),
            printed: Rc::default(),
            trace: None,
            inputs: Rc::new(inputs),
            fixed: Rc::default(),
        };
        self.give(&mut state);
        let mut last = p.span;
        for axiom in axioms {
            let env = Env { fixed: Rc::clone(&state.fixed), ..Env::default() };
            last = axiom.span;
            let t = self.world.term(axiom, &env)?;
            self.add(&mut state, t);
        }
        self.locals(&mut state, implementation)?;
        let all: Vec<VarId> =
            program.globals.iter().chain(&implementation.ins).chain(&implementation.outs).chain(&implementation.locals).copied().collect();
        for v in all.into_iter().chain(program.constants.iter().copied()) {
            if let Some(clause) = &program.var(v).where_clause {
                let env = self.env(&state);
                let t = self.world.term(clause, &env)?;
                self.add(&mut state, t);
            }
        }
        for clause in &p.requires {
            last = clause.span;
            let contract = self.contract_env(&state, id, implementation, None);
            let t = self.world.term(&clause.expr, &contract)?;
            self.add(&mut state, t);
        }
        match self.world.solve(&mut self.session, &conditions(&state.path), &state.model, false)? {
            Outcome::Model(model) => state.model = model,
            Outcome::Infeasible => return Ok(Err(Ending::Infeasible(last))),
            Outcome::Undecided(stop) => return Ok(Err(Ending::NotDecided(stop))),
        }
        Ok(Ok(state))
    }

    /// Has inputs the values that are given for them.
    fn give(&mut self, state: &mut State<'p>) {
        let constants = self.world.program.constants.iter().filter_map(|c| Some((*c, *self.world.constants.get(c)?)));
        let inputs: Vec<(VarId, Value)> = state.inputs.iter().copied().chain(constants).collect();
        for given in self.given.clone() {
            match self.world.given(&given, &inputs) {
                Some(t) => self.add(state, t),
                None => self.not_given.push(given.name.clone()),
            }
        }
    }

    /// Notes a step, where steps are asked for.
    fn record(&self, state: &mut State<'p>, kind: StepKind, span: Span, vars: &[VarId]) {
        if self.traced {
            let changed = vars.iter().filter_map(|v| Some((*v, *state.vars.get(v)?))).collect();
            let depth = state.frames.len().saturating_sub(1);
            state.trace = Some(Rc::new(Recorded { kind, span, depth, changed, before: state.trace.take() }));
        }
    }

    /// The steps of an execution. What changed in one depends on all of it.
    pub(crate) fn steps(&mut self, state: &State<'p>) -> Vec<Step> {
        let (mut out, mut at) = (Vec::new(), &state.trace);
        while let Some(step) = at {
            let changed = self.world.free_of_charge(|world| {
                let lines = |(v, value): &(VarId, Value)| world.lines(*v, *value, &state.model).unwrap_or_default();
                step.changed.iter().flat_map(lines).collect()
            });
            out.push(Step { kind: step.kind.clone(), span: step.span, depth: step.depth, changed });
            at = &step.before;
        }
        out.reverse();
        out
    }

    fn frame(
        &self,
        procedure: ProcedureId,
        implementation: &'p Implementation,
        old: Rc<FxHashMap<VarId, Value>>,
        saved: Rc<FxHashMap<VarId, Value>>,
        call: Option<(&'p Call, Span)>,
        types: Rc<FxHashMap<TypeVar, Type>>,
    ) -> Frame<'p> {
        Frame { procedure, implementation, block: BlockId(0), stmt: 0, old, types, saved, call, rounds: Rc::default(), past_head: false }
    }

    /// Results and local variables of a body have any values.
    fn locals(&mut self, state: &mut State<'p>, implementation: &'p Implementation) -> Res<()> {
        let types = state.frames.last().map(|f| Rc::clone(&f.types)).unwrap_or_default();
        for v in implementation.outs.iter().chain(&implementation.locals) {
            let var = self.world.program.var(*v);
            let ty = crate::types::substitute(&var.ty, &types);
            // What cannot be computed with may still be left alone.
            let value = if var.assumption { Ok(Value::Term(self.world.terms.tt)) } else { self.world.unknown(&var.name, &ty) };
            if let Ok(value) = value {
                Rc::make_mut(&mut state.vars).insert(*v, value);
            }
        }
        Ok(())
    }

    fn env(&self, state: &State<'p>) -> Env {
        let (old, types) = state.frames.last().map(|f| (Rc::clone(&f.old), Rc::clone(&f.types))).unwrap_or_default();
        Env { now: Rc::clone(&state.vars), old, bound: Vec::new(), types, fixed: Rc::clone(&state.fixed), in_old: false }
    }

    /// Variables of a contract, which has names of its own for what the body calls otherwise.
    fn contract_env(
        &self,
        state: &State<'p>,
        id: ProcedureId,
        implementation: &'p Implementation,
        old: Option<Rc<FxHashMap<VarId, Value>>>,
    ) -> Env {
        let p = self.world.program.procedure(id);
        let mut env = self.env(state);
        if let Some(old) = old {
            env.old = old;
        }
        let pairs = p.ins.iter().chain(&p.outs).zip(implementation.ins.iter().chain(&implementation.outs));
        for (theirs, mine) in pairs {
            if let Some(value) = state.vars.get(mine) {
                env.bound.push((*theirs, *value));
            }
        }
        let types = Rc::make_mut(&mut env.types);
        for (theirs, mine) in p.type_params.iter().zip(&implementation.type_params) {
            if let Some(ty) = types.get(mine).cloned() {
                types.insert(*theirs, ty);
            }
        }
        env
    }

    fn push(&mut self, steps: usize, alternative: Alternative<'p>) {
        self.serial += 1;
        self.open.insert((steps, self.serial), alternative);
    }

    /// Whether nothing is left to be tried.
    pub(crate) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// The next execution to try; `None` where all were tried.
    pub(crate) fn next(&mut self) -> Option<(Option<State<'p>>, Ending)> {
        let (_, alternative) = self.open.pop_first()?;
        let (mut state, failure, again) = match alternative {
            Alternative::Begun(state, ending) => return Some((state.map(|s| *s), ending)),
            Alternative::Goes(state, false) => return Some((Some(state), Ending::Passed)),
            Alternative::Goes(state, true) => (state, None, None),
            Alternative::Fails(state, failure) => (state, Some(failure), None),
            Alternative::Again(state, n) => (state, None, Some(n)),
        };
        let path = conditions(&state.path);
        let span = state.frames.last().map_or_else(Span::default, |f| self.block_of(f).map_or_else(Span::default, |b| b.span));
        let outcome = self.world.solve(&mut self.session, &path, &state.model, false);
        Some(match outcome {
            Ok(Outcome::Model(model)) => {
                state.model = model;
                match (failure, again) {
                    (Some(failure), _) => (Some(state), Ending::Failed(failure)),
                    (None, Some(n)) => {
                        self.again(&state, n);
                        (Some(state), Ending::Repeated)
                    }
                    (None, None) => {
                        // The branch that was turned round is known by now.
                        if let Some(last) = state.path.as_ref().map(|p| p.term) {
                            self.substitute(&mut state, last);
                        }
                        (Some(state), Ending::Passed)
                    }
                }
            }
            Ok(Outcome::Infeasible) => (None, Ending::Infeasible(failure.map_or(span, |f| f.clause))),
            Ok(Outcome::Undecided(stop)) | Err(stop) => match failure {
                Some(failure) => (None, Ending::PromiseNotDecided(failure, stop)),
                None => (None, Ending::NotDecided(stop)),
            },
        })
    }

    /// Runs an execution to its end.
    pub(crate) fn run(&mut self, state: &mut State<'p>) -> Ending {
        self.known = conditions(&state.path).into_iter().collect();
        loop {
            match self.step(state) {
                Ok(None) => {}
                Ok(Some(ending)) => return ending,
                Err(stop) => {
                    let span = self.place(state);
                    return Ending::NotDecided(at(stop, span));
                }
            }
        }
    }

    fn block_of(&self, frame: &Frame<'p>) -> Option<&'p Block> {
        frame.implementation.blocks.get(frame.block.0 as usize)
    }

    fn place(&self, state: &State<'p>) -> Span {
        let Some(frame) = state.frames.last() else { return Span::default() };
        let block = self.block_of(frame);
        block.map_or_else(Span::default, |b| b.stmts.get(frame.stmt).map_or(b.span, |s| s.span))
    }

    fn step(&mut self, state: &mut State<'p>) -> Res<Option<Ending>> {
        state.steps += 1;
        if state.steps > self.world.limits.steps {
            return Err(Stop::Limit("steps"));
        }
        if let Some(limit) = self.world.account.over {
            return Err(Stop::Limit(limit));
        }
        let Some(frame) = state.frames.last() else { return Ok(Some(Ending::Passed)) };
        let Some(block) = self.block_of(frame) else { return Err(Stop::Limit("blocks")) };
        if frame.stmt == 0 && !frame.past_head {
            let bodies = &self.world.program.procedure(frame.procedure).implementations;
            let body = bodies.iter().position(|b| std::ptr::eq(b, frame.implementation)).unwrap_or(0);
            self.entered.insert((frame.procedure, body, frame.block));
            return self.head(state, block);
        }
        match block.stmts.get(frame.stmt) {
            Some(stmt) => {
                if let Some(f) = state.frames.last_mut() {
                    f.stmt += 1;
                }
                self.stmt(state, stmt)
            }
            None => self.end(state, &block.end),
        }
    }

    /// The head of a loop.
    fn head(&mut self, state: &mut State<'p>, block: &'p Block) -> Res<Option<Ending>> {
        if let Some(f) = state.frames.last_mut() {
            f.past_head = true;
        }
        let Some(head) = &block.head else { return Ok(None) };
        let Some(f) = state.frames.last_mut() else { return Ok(None) };
        let (at, implementation) = (f.block, f.implementation);
        let rounds = Rc::make_mut(&mut f.rounds).entry(at).or_insert(0);
        *rounds += 1;
        let n = *rounds;
        let is_cut = self.modular.by_invariant.contains(&head.span);
        if n > self.world.limits.rounds {
            return Err(Stop::Limit("rounds of a loop"));
        }
        self.record(state, StepKind::Rounds(n - 1), head.span, &[]);
        let kind = if n == 1 { FailureKind::InvariantAtEntry } else { FailureKind::Invariant };
        for clause in &head.invariants {
            let env = self.env(state);
            let t = self.world.term(&clause.expr, &env)?;
            let ending =
                if clause.free { self.assume(state, t, clause.span)? } else { self.assert(state, t, kind, clause.span, clause.span)? };
            if ending.is_some() {
                return Ok(ending);
            }
        }
        if is_cut && n > 1 {
            return Ok(Some(Ending::Cut));
        }
        // To the verifier a loop chooses what it assigns anew, by its `where` clauses: other states are none that a program is held to.
        let changed = self.changed_in_loop(implementation, at);
        for v in changed.iter().filter(|_| is_cut) {
            self.havoc(state, *v)?;
        }
        if let Some(ending) = self.wheres(state, &changed, head.span)? {
            return Ok(Some(ending));
        }
        if !is_cut {
            return Ok(None);
        }
        for clause in &head.invariants {
            let env = self.env(state);
            let t = self.world.term(&clause.expr, &env)?;
            if let Some(ending) = self.assume(state, t, clause.span)? {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    /// Variables that the loop with that head assigns.
    fn changed_in_loop(&mut self, implementation: &'p Implementation, head: BlockId) -> Rc<[VarId]> {
        let program = self.world.program;
        let entry = self.changed.entry((std::ptr::from_ref(implementation), head));
        Rc::clone(entry.or_insert_with(|| changed_in_loop(program, &implementation.blocks, head)))
    }

    fn stmt(&mut self, state: &mut State<'p>, stmt: &'p Stmt) -> Res<Option<Ending>> {
        let env = self.env(state);
        match &stmt.kind {
            StmtKind::Assert(e) => {
                self.record(state, StepKind::Statement, stmt.span, &[]);
                let t = self.world.term(e, &env)?;
                self.assert(state, t, FailureKind::Assertion, stmt.span, stmt.span)
            }
            StmtKind::AssertOnly(e) => {
                self.record(state, StepKind::Statement, stmt.span, &[]);
                let t = self.world.term(e, &env)?;
                self.assert_only(state, t, Failure { kind: FailureKind::Assertion, clause: stmt.span, at: stmt.span })
            }
            StmtKind::Assume(e) => {
                self.record(state, StepKind::Statement, stmt.span, &[]);
                let t = self.world.term(e, &env)?;
                self.assume(state, t, stmt.span)
            }
            StmtKind::Print(parts) => {
                self.print(state, parts, &env)?;
                Ok(None)
            }
            StmtKind::Assign(pairs) => {
                let mut values = Vec::new();
                for (v, e) in pairs {
                    values.push((*v, self.world.eval(e, &env)?));
                }
                let changed: Vec<VarId> = values.iter().map(|(v, _)| *v).collect();
                Rc::make_mut(&mut state.vars).extend(values);
                self.record(state, StepKind::Statement, stmt.span, &changed);
                Ok(None)
            }
            StmtKind::Havoc(vars) => {
                for v in vars {
                    self.havoc(state, *v)?;
                }
                self.record(state, StepKind::Statement, stmt.span, vars);
                self.wheres(state, vars, stmt.span)
            }
            StmtKind::Call(call) => {
                self.record(state, StepKind::Statement, stmt.span, &[]);
                self.call(state, call, stmt.span, &env)
            }
            StmtKind::Unsupported(what) => Err(Stop::Unsupported((*what).to_owned(), stmt.span)),
        }
    }

    fn print(&mut self, state: &mut State<'p>, parts: &'p [Printed], env: &Env) -> Res<()> {
        let mut line = Vec::new();
        for part in parts {
            line.push(match part {
                Printed::Text(text) => Piece::Text(text),
                Printed::Value(e) => Piece::Value(self.world.eval(e, env)?, self.world.ground(&e.ty, env)),
            });
        }
        Rc::make_mut(&mut state.printed).push(line);
        Ok(())
    }

    /// The lines that an execution printed. What they say of values depends on all of it.
    pub(crate) fn printed(&mut self, state: &State<'p>) -> Vec<String> {
        self.world.free_of_charge(|world| {
            let mut shown = |piece: &Piece<'p>| match piece {
                Piece::Text(text) => (*text).to_owned(),
                Piece::Value(value, ty) => world.shown(*value, ty, &state.model).unwrap_or_else(|_| "_".into()),
            };
            state.printed.iter().map(|line| line.iter().map(&mut shown).collect()).collect()
        })
    }

    fn havoc(&mut self, state: &mut State<'p>, v: VarId) -> Res<()> {
        let var = self.world.program.var(v);
        let types = state.frames.last().map(|f| Rc::clone(&f.types)).unwrap_or_default();
        let ty = crate::types::substitute(&var.ty, &types);
        let value = self.world.unknown(&var.name, &ty)?;
        let before = Rc::make_mut(&mut state.vars).insert(v, value);
        // What is false stays false.
        if let (true, Some(Value::Term(before)), Value::Term(now)) = (var.assumption, before, value) {
            let both = self.world.terms.and(before, now);
            Rc::make_mut(&mut state.vars).insert(v, Value::Term(both));
        }
        Ok(())
    }

    fn wheres(&mut self, state: &mut State<'p>, vars: &[VarId], span: Span) -> Res<Option<Ending>> {
        for v in vars {
            if let Some(clause) = &self.world.program.var(*v).where_clause {
                let env = self.env(state);
                let t = self.world.term(clause, &env)?;
                if let Some(ending) = self.assume(state, t, span)? {
                    return Ok(Some(ending));
                }
            }
        }
        Ok(None)
    }

    fn add(&mut self, state: &mut State<'p>, t: Term) {
        let mut open = vec![t];
        while let Some(t) = open.pop() {
            if let Node::And(a, b) = *self.world.terms.node(t) {
                open.extend([b, a]);
                continue;
            }
            if t != self.world.terms.tt && self.known.insert(t) {
                state.path = Some(Rc::new(PathNode { term: t, before: state.path.take() }));
                self.substitute(state, t);
            }
        }
    }

    /// What a path fixes is no longer unknown on it: bounds of quantifiers become known.
    fn substitute(&mut self, state: &mut State<'p>, t: Term) {
        let Node::Eq(a, b) = *self.world.terms.node(t) else { return };
        let (mut var, mut constant) = if self.world.terms.as_const(b).is_some() { (a, b) } else { (b, a) };
        if let Some((fixed, number)) = self.world.fixes(t) {
            (var, constant) = (fixed, self.world.terms.int(number));
        }
        if self.world.terms.as_const(constant).is_none() || !matches!(self.world.terms.node(var), Node::Var(_)) {
            return;
        }
        let (old, new) = (Value::Term(var), Value::Term(constant));
        if state.vars.values().any(|v| *v == old) {
            Rc::make_mut(&mut state.vars).values_mut().filter(|v| **v == old).for_each(|v| *v = new);
        }
        for frame in &mut state.frames {
            for vars in [&mut frame.saved, &mut frame.old] {
                if vars.values().any(|v| *v == old) {
                    Rc::make_mut(vars).values_mut().filter(|v| **v == old).for_each(|v| *v = new);
                }
            }
        }
        let fixed: Vec<VarId> =
            self.world.program.constants.iter().copied().filter(|c| self.world.constants.get(c) == Some(&old)).collect();
        if !fixed.is_empty() {
            Rc::make_mut(&mut state.fixed).extend(fixed.into_iter().map(|c| (c, new)));
        }
    }

    /// What the path says of a condition.
    fn decided(&mut self, t: Term) -> Option<bool> {
        if let Some(b) = self.world.terms.as_bool(t) {
            return Some(b);
        }
        if self.known.contains(&t) {
            return Some(true);
        }
        let not = self.world.terms.not(t);
        self.known.contains(&not).then_some(false)
    }

    /// What a condition is in the execution. Where its model leaves that open, another model is looked for.
    fn resolved(&mut self, state: &mut State<'p>, t: Term) -> Res<bool> {
        let model = Rc::clone(&state.model);
        let stop = match self.world.holds(t, &model) {
            Err(stop @ Stop::Undecided(_)) => stop,
            other => return other,
        };
        let not = self.world.terms.not(t);
        for (condition, value) in [(t, true), (not, false)] {
            let mut path = conditions(&state.path);
            path.push(condition);
            if let Outcome::Model(model) = self.world.solve(&mut self.session, &path, &model, true)? {
                state.model = model;
                return Ok(value);
            }
        }
        Err(stop)
    }

    fn assume(&mut self, state: &mut State<'p>, t: Term, span: Span) -> Res<Option<Ending>> {
        match self.decided(t) {
            Some(true) => return Ok(None),
            Some(false) => return Ok(Some(Ending::Infeasible(span))),
            None => {}
        }
        let model = Rc::clone(&state.model);
        let holds = match self.world.holds(t, &model) {
            Ok(b) => b,
            Err(Stop::Undecided(_)) => false,
            Err(other) => return Err(other),
        };
        self.add(state, t);
        if holds {
            return Ok(None);
        }
        match self.world.solve(&mut self.session, &conditions(&state.path), &model, true)? {
            Outcome::Model(model) => {
                state.model = model;
                Ok(None)
            }
            Outcome::Infeasible => Ok(Some(Ending::Infeasible(span))),
            Outcome::Undecided(stop) => Err(stop),
        }
    }

    fn assert(&mut self, state: &mut State<'p>, t: Term, kind: FailureKind, clause: Span, at: Span) -> Res<Option<Ending>> {
        self.promises.insert((kind, clause));
        if state.frames.len() == 1 && self.proved.contains(&(kind, clause)) {
            return self.assume(state, t, at);
        }
        let failure = Failure { kind, clause, at };
        match self.decided(t) {
            Some(true) => return Ok(None),
            Some(false) => return Ok(Some(Ending::Failed(failure))),
            None => {}
        }
        let not = self.world.terms.not(t);
        match self.resolved(state, t) {
            Ok(true) => {
                let mut other = state.clone();
                other.path = Some(Rc::new(PathNode { term: not, before: other.path.take() }));
                self.push(state.steps, Alternative::Fails(other, failure));
                self.add(state, t);
                Ok(None)
            }
            Ok(false) => {
                let mut other = state.clone();
                other.path = Some(Rc::new(PathNode { term: t, before: other.path.take() }));
                self.push(state.steps, Alternative::Goes(other, true));
                self.add(state, not);
                Ok(Some(Ending::Failed(failure)))
            }
            Err(stop @ (Stop::Undecided(_) | Stop::Limit(_))) => Ok(Some(Ending::PromiseNotDecided(failure, stop))),
            Err(other) => Err(other),
        }
    }

    /// A promise on which nothing afterwards rests: kept or broken, what follows is executed from the same states.
    fn assert_only(&mut self, state: &mut State<'p>, t: Term, failure: Failure) -> Res<Option<Ending>> {
        self.promises.insert((failure.kind, failure.clause));
        let decided = self.decided(t);
        let held = match decided {
            Some(b) => Ok(b),
            None => self.resolved(state, t),
        };
        let not = self.world.terms.not(t);
        let mut other = state.clone();
        match held {
            Ok(true) => {
                if decided.is_none() {
                    other.path = Some(Rc::new(PathNode { term: not, before: other.path.take() }));
                    self.push(state.steps, Alternative::Fails(other, failure));
                }
                Ok(None)
            }
            Ok(false) => {
                self.push(state.steps, Alternative::Goes(other, false));
                self.add(state, not);
                Ok(Some(Ending::Failed(failure)))
            }
            Err(stop @ (Stop::Undecided(_) | Stop::Limit(_))) => {
                self.push(state.steps, Alternative::Goes(other, false));
                Ok(Some(Ending::PromiseNotDecided(failure, stop)))
            }
            Err(other) => Err(other),
        }
    }

    fn goto(&mut self, state: &mut State<'p>, block: BlockId) {
        if let Some(f) = state.frames.last_mut() {
            f.block = block;
            f.stmt = 0;
            f.past_head = false;
        }
    }

    fn end(&mut self, state: &mut State<'p>, end: &'p End) -> Res<Option<Ending>> {
        match end {
            End::Return => return self.leave(state),
            End::Goto(targets) => {
                let Some(chosen) = self.choose(state, targets)? else { return Ok(Some(Ending::Infeasible(self.place(state)))) };
                for other in targets.iter().filter(|t| **t != chosen) {
                    let mut state = state.clone();
                    self.goto(&mut state, *other);
                    self.push(state.steps, Alternative::Goes(state, false));
                }
                self.goto(state, chosen);
            }
            End::Branch(condition, then, other) => {
                let env = self.env(state);
                let t = self.world.term(condition, &env)?;
                let taken = match self.decided(t) {
                    Some(b) => b,
                    None => {
                        let b = self.resolved(state, t)?;
                        let not = self.world.terms.not(t);
                        let (mine, theirs) = if b { (t, not) } else { (not, t) };
                        let mut turned = state.clone();
                        self.record(&mut turned, StepKind::Condition(!b), condition.span, &[]);
                        turned.path = Some(Rc::new(PathNode { term: theirs, before: turned.path.take() }));
                        self.goto(&mut turned, if b { *other } else { *then });
                        self.push(state.steps, Alternative::Goes(turned, true));
                        self.add(state, mine);
                        b
                    }
                };
                self.record(state, StepKind::Condition(taken), condition.span, &[]);
                self.goto(state, if taken { *then } else { *other });
            }
        }
        Ok(None)
    }

    /// The block to go to: one that the model can enter, the one that was entered least often.
    fn choose(&mut self, state: &State<'p>, targets: &[BlockId]) -> Res<Option<BlockId>> {
        let Some(frame) = state.frames.last() else { return Ok(None) };
        if targets.len() == 1 {
            return Ok(targets.first().copied());
        }
        let mut best: Option<((bool, usize, usize), BlockId)> = None;
        for (i, target) in targets.iter().enumerate() {
            let block = frame.implementation.blocks.get(target.0 as usize);
            let mut fits = true;
            if let Some(Stmt { kind: StmtKind::Assume(e), .. }) = block.and_then(|b| b.stmts.first()) {
                let env = self.env(state);
                if let Ok(t) = self.world.term(e, &env) {
                    let model = Rc::clone(&state.model);
                    fits = self.world.holds(t, &model).unwrap_or(false);
                }
            }
            // The last of two is how a loop ends.
            let rank = (!fits, frame.rounds.get(target).copied().unwrap_or(0), targets.len() - i);
            if best.is_none_or(|(r, _)| rank < r) {
                best = Some((rank, *target));
            }
        }
        Ok(best.map(|(_, b)| b))
    }

    fn call(&mut self, state: &mut State<'p>, call: &'p Call, span: Span, env: &Env) -> Res<Option<Ending>> {
        let program = self.world.program;
        let p = program.procedure(call.procedure);
        let mut args = Vec::new();
        for a in &call.args {
            args.push(self.world.eval(a, env)?);
        }
        let types: FxHashMap<TypeVar, Type> =
            p.type_params.iter().copied().zip(call.type_args.iter().map(|t| self.world.ground(t, env))).collect();
        let mut contract = env.clone();
        contract.types = Rc::new(types.clone());
        contract.bound = p.ins.iter().copied().zip(args.iter().copied()).collect();
        for clause in &p.requires {
            let t = self.world.term(&clause.expr, &contract)?;
            let is_checked = !clause.free && !call.free;
            let ending = if is_checked {
                self.assert(state, t, FailureKind::Precondition, clause.span, span)?
            } else {
                self.assume(state, t, span)?
            };
            if ending.is_some() {
                return Ok(ending);
            }
        }
        let is_by_contract = self.modular.by_contract.contains(&call.procedure);
        let Some((first, others)) = p.implementations.split_first().filter(|_| !is_by_contract) else {
            return self.by_contract(state, call, args, types, span);
        };
        for body in others {
            let mut other = state.clone();
            match self.enter_call(&mut other, call, body, args.clone(), types.clone(), span) {
                Ok(None) => self.push(state.steps, Alternative::Goes(other, false)),
                Ok(Some(ending)) => self.push(state.steps, Alternative::Begun(Some(Box::new(other)), ending)),
                Err(stop) => self.push(state.steps, Alternative::Begun(None, Ending::NotDecided(stop))),
            }
        }
        self.enter_call(state, call, first, args, types, span)
    }

    fn globals(&self, state: &State<'p>) -> FxHashMap<VarId, Value> {
        self.world.program.globals.iter().filter_map(|v| state.vars.get(v).map(|x| (*v, *x))).collect()
    }

    fn enter_call(
        &mut self,
        state: &mut State<'p>,
        call: &'p Call,
        implementation: &'p Implementation,
        args: Vec<Value>,
        types: FxHashMap<TypeVar, Type>,
        span: Span,
    ) -> Res<Option<Ending>> {
        if state.frames.len() > self.world.limits.recursion {
            return Err(Stop::Limit("depth of calls"));
        }
        let p = self.world.program.procedure(call.procedure);
        let mut mine = types.clone();
        for (theirs, own) in p.type_params.iter().zip(&implementation.type_params) {
            if let Some(ty) = types.get(theirs) {
                mine.insert(*own, ty.clone());
            }
        }
        let globals = self.globals(state);
        let old = Rc::new(globals.clone());
        let saved = Rc::clone(&state.vars);
        let mut vars = globals;
        vars.extend(implementation.ins.iter().copied().zip(args));
        state.vars = Rc::new(vars);
        let frame = self.frame(call.procedure, implementation, old, saved, Some((call, span)), Rc::new(mine));
        state.frames.push(frame);
        self.locals(state, implementation)?;
        self.record(state, StepKind::Entered(p.name.to_string()), implementation.span, &implementation.ins);
        let chosen: Vec<VarId> = implementation.outs.iter().chain(&implementation.locals).copied().collect();
        self.wheres(state, &chosen, span)
    }

    /// A call of which only the contract is known.
    fn by_contract(
        &mut self,
        state: &mut State<'p>,
        call: &'p Call,
        args: Vec<Value>,
        types: FxHashMap<TypeVar, Type>,
        span: Span,
    ) -> Res<Option<Ending>> {
        let program = self.world.program;
        let p = program.procedure(call.procedure);
        let old = Rc::new(self.globals(state));
        for v in &p.modifies {
            self.havoc(state, *v)?;
        }
        let mut results = Vec::new();
        for v in &p.outs {
            let var = program.var(*v);
            results.push(self.world.unknown(&var.name, &crate::types::substitute(&var.ty, &types))?);
        }
        let mut env = self.env(state);
        env.old = old;
        env.types = Rc::new(types);
        env.bound = p.ins.iter().copied().zip(args).chain(p.outs.iter().copied().zip(results.iter().copied())).collect();
        let wheres = p.modifies.iter().chain(&p.outs).filter_map(|v| program.var(*v).where_clause.as_ref());
        let promised: Vec<&'p Expr> = wheres.chain(p.ensures.iter().map(|c| &c.expr)).collect();
        let mut all = self.world.terms.tt;
        for e in promised {
            let t = self.world.term(e, &env)?;
            all = self.world.terms.and(all, t);
        }
        Rc::make_mut(&mut state.vars).extend(call.outs.iter().copied().zip(results));
        let changed: Vec<VarId> = p.modifies.iter().chain(&call.outs).copied().collect();
        self.record(state, StepKind::Left(p.name.to_string()), span, &changed);
        self.assume(state, all, span)
    }

    /// The end of a body.
    fn leave(&mut self, state: &mut State<'p>) -> Res<Option<Ending>> {
        let Some(frame) = state.frames.last().cloned() else { return Ok(Some(Ending::Passed)) };
        let p = self.world.program.procedure(frame.procedure);
        let env = self.contract_env(state, frame.procedure, frame.implementation, Some(Rc::clone(&frame.old)));
        let place = frame.call.map_or(p.span, |(_, span)| span);
        for clause in &p.ensures {
            let t = self.world.term(&clause.expr, &env)?;
            let ending = self.postcondition(state, t, clause, place)?;
            if ending.is_some() {
                return Ok(ending);
            }
        }
        let Some((call, _)) = frame.call else {
            self.again(state, 1);
            return Ok(Some(Ending::Passed));
        };
        let results: Vec<Option<Value>> = frame.implementation.outs.iter().map(|o| state.vars.get(o).copied()).collect();
        let globals = self.globals(state);
        state.frames.pop();
        let mut vars = (*frame.saved).clone();
        vars.extend(globals);
        vars.extend(call.outs.iter().copied().zip(results).filter_map(|(v, x)| x.map(|x| (v, x))));
        state.vars = Rc::new(vars);
        let changed: Vec<VarId> = p.modifies.iter().chain(&call.outs).copied().collect();
        self.record(state, StepKind::Left(p.name.to_string()), place, &changed);
        Ok(None)
    }

    fn postcondition(&mut self, state: &mut State<'p>, t: Term, clause: &'p Clause, place: Span) -> Res<Option<Ending>> {
        if clause.free {
            return self.assume(state, t, clause.span);
        }
        self.assert(state, t, FailureKind::Postcondition, clause.span, place)
    }

    /// Leaves the same path from other inputs to be tried.
    fn again(&mut self, state: &State<'p>, n: usize) {
        if n >= self.world.limits.solutions {
            return;
        }
        let mut same = self.world.terms.tt;
        for (_, value) in state.inputs.iter() {
            let Value::Term(t) = value else { continue };
            let model = Rc::clone(&state.model);
            if !model.is_solved(*t) {
                continue;
            }
            let Ok(c) = self.world.value_of(*t, &model) else { return };
            let c = self.world.terms.constant(c);
            let eq = self.world.terms.eq(*t, c);
            same = self.world.terms.and(same, eq);
        }
        if same == self.world.terms.tt {
            return;
        }
        let mut other = state.clone();
        let not = self.world.terms.not(same);
        other.path = Some(Rc::new(PathNode { term: not, before: other.path.take() }));
        // Other paths first.
        let steps = state.steps.saturating_mul(n + 1);
        self.push(steps, Alternative::Again(other, n + 1));
    }

    /// Makes the numbers of an execution small.
    pub(crate) fn minimize(&mut self, state: &mut State<'p>, queries: usize) -> Res<()> {
        let path = conditions(&state.path);
        let mut order: Vec<Term> = Vec::new();
        for (_, value) in state.inputs.iter() {
            match value {
                Value::Term(t) => order.push(*t),
                Value::Map(m) => order.extend(self.world.entries_of(*m, &state.model)),
                Value::Data(_) => {}
            }
        }
        state.model = self.world.smallest(&mut self.session, &path, Rc::clone(&state.model), &order, queries)?;
        Ok(())
    }

    /// The names of the procedures that are being executed, the outermost first, each with the place of its call.
    pub(crate) fn calls(&self, state: &State<'p>) -> Vec<(String, Span)> {
        let inner = state.frames.iter().skip(1);
        inner.map(|f| (self.world.program.procedure(f.procedure).name.to_string(), f.call.map_or_else(Span::default, |c| c.1))).collect()
    }

    /// Results of the entry and global variables at the end.
    pub(crate) fn outcome(&self, state: &State<'p>) -> Vec<(VarId, Value)> {
        let Some(first) = state.frames.first() else { return Vec::new() };
        let vars = state.frames.get(1).map_or(&state.vars, |f| &f.saved);
        let p = self.world.program.procedure(first.procedure);
        let outs = first.implementation.outs.iter().filter_map(|v| vars.get(v).map(|x| (*v, *x)));
        let changed = p.modifies.iter().filter_map(|v| state.vars.get(v).map(|x| (*v, *x)));
        outs.chain(changed).collect()
    }
}

/// Variables that the loop with that head assigns.
pub(crate) fn changed_in_loop(program: &Program, blocks: &[Block], head: BlockId) -> Rc<[VarId]> {
    let mut out = Vec::new();
    for b in natural_loop(blocks, head) {
        for stmt in blocks.get(b.0 as usize).into_iter().flat_map(|b| &b.stmts) {
            match &stmt.kind {
                StmtKind::Assign(pairs) => out.extend(pairs.iter().map(|(v, _)| *v)),
                StmtKind::Havoc(vars) => out.extend(vars),
                StmtKind::Call(call) => {
                    out.extend(&call.outs);
                    out.extend(&program.procedure(call.procedure).modifies);
                }
                StmtKind::Assert(_) | StmtKind::AssertOnly(_) | StmtKind::Assume(_) | StmtKind::Print(_) | StmtKind::Unsupported(_) => {}
            }
        }
    }
    out.sort();
    out.dedup();
    out.into()
}

/// The blocks of the loop with that head (Aho, Lam, Sethi, Ullman, *Compilers*, 9.6): those from which control comes back to it from below
/// without passing it. Loops around it are none of it.
fn natural_loop(blocks: &[Block], head: BlockId) -> FxHashSet<BlockId> {
    let follows = |b: BlockId| match blocks.get(b.0 as usize).map(|b| &b.end) {
        Some(End::Goto(all)) => all.clone(),
        Some(End::Branch(_, x, y)) => vec![*x, *y],
        Some(End::Return) | None => Vec::new(),
    };
    let reached = |from: BlockId, around: Option<BlockId>| {
        let (mut open, mut out) = (vec![from], FxHashSet::default());
        while let Some(b) = open.pop() {
            if Some(b) != around && out.insert(b) {
                open.extend(follows(b));
            }
        }
        out
    };
    // What is entered without passing the head is not below it.
    let (all, outside) = (reached(BlockId(0), None), reached(BlockId(0), Some(head)));
    let mut before: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    for b in &all {
        follows(*b).into_iter().for_each(|next| before.entry(next).or_default().push(*b));
    }
    let back = before.get(&head).into_iter().flatten().filter(|b| !outside.contains(b));
    let (mut open, mut out): (Vec<BlockId>, FxHashSet<BlockId>) = (back.copied().collect(), FxHashSet::default());
    out.insert(head);
    while let Some(b) = open.pop() {
        if out.insert(b) {
            open.extend(before.get(&b).into_iter().flatten());
        }
    }
    out
}

/// What has no place gets this one.
fn at(stop: Stop, span: Span) -> Stop {
    match stop {
        Stop::Unsupported(what, s) if s == Span::default() => Stop::Unsupported(what, span),
        Stop::Undecided(s) if s == Span::default() => Stop::Undecided(span),
        Stop::Unsupported(..) | Stop::Undecided(_) | Stop::Limit(_) => stop,
    }
}
