//! The machine: an execution follows a model, and stores the alternatives on its way. They are
//! executed later, the shortest first.
//!
//! Key types: [`Machine`], [`State`], [`Alternative`]. Key functions: [`Machine::run`],
//! [`Machine::next`]; `path.rs` decides, assumes and asserts conditions.

mod calls;
mod loops;
mod path;

use std::rc::Rc;

use boogie_resolve::typed::{
    Block, BlockId, Call, End, Expr, Implementation, Printed, ProcedureId, Stmt, StmtKind, Type,
    TypeVar, VarId,
};
use dafny_source::Span;
use dtest_smt::Term;
use dtest_sorted::{SortedMap, SortedSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Env;
use crate::execution::{Ending, Failure, FailureKind, Step, StepKind};
use crate::explore::Options;
use crate::input_values::Given;
use crate::model::Model;
use crate::obligations::Obligation;
use crate::solve::{Outcome, Session};
use crate::value::Value;
use crate::world::{Res, Stop, World};

/// A condition of a path, linked to the earlier ones.
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
        // Paths are long: drop them without recursion.
        let mut next = self.before.take();
        while let Some(node) = next {
            next = Rc::try_unwrap(node).ok().and_then(|mut n| n.before.take());
        }
    }
}

/// An active call.
#[derive(Clone, Debug)]
struct Frame<'p> {
    procedure: ProcedureId,
    implementation: &'p Implementation,
    block: BlockId,
    stmt: usize,
    /// The global variables at its entry.
    old: Rc<FxHashMap<VarId, Value>>,
    types: Rc<FxHashMap<TypeVar, Type>>,
    /// The variables of the caller.
    saved: Rc<FxHashMap<VarId, Value>>,
    /// The call; `None` for the entry.
    call: Option<(&'p Call, Span)>,
    rounds: Rc<FxHashMap<BlockId, usize>>,
    /// Whether the invariants of the current loop head were checked.
    past_head: bool,
}

/// A part of a printed line.
#[derive(Clone, Debug)]
enum Piece<'p> {
    Text(&'p str),
    Value(Value, Type),
}

/// A recorded step with the changed variables, linked to the earlier ones.
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
        // As for paths: drop without recursion.
        let mut next = self.before.take();
        while let Some(step) = next {
            next = Rc::try_unwrap(step).ok().and_then(|mut s| s.before.take());
        }
    }
}

/// The state of an execution.
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
    /// The constants of the program whose values the path fixes.
    fixed: Rc<FxHashMap<VarId, Value>>,
}

/// An alternative execution.
#[derive(Debug)]
enum Alternative<'p> {
    /// A continuation. The flag tells whether a model has to be found first.
    Goes(State<'p>, bool),
    /// A violation of an obligation.
    Fails(State<'p>, Failure),
    /// The same path with other inputs.
    Again(State<'p>, usize),
    /// Another body of the entry.
    Begun(Option<Box<State<'p>>>, Ending),
}

/// The procedures and loops that are represented by their specification.
#[derive(Clone, Debug, Default)]
pub struct Modular {
    /// Procedures that are represented by their contract.
    pub by_contract: Vec<ProcedureId>,
    /// Loops that are represented by their invariants, identified by their keywords.
    pub by_invariant: Vec<Span>,
}

/// The state of the exploration of one procedure.
pub(crate) struct Machine<'p> {
    pub(crate) world: World<'p>,
    session: Session,
    modular: Modular,
    /// The proved obligations of the entry.
    proved: SortedSet<Obligation>,
    given: Vec<Given>,
    /// The configured inputs that do not exist in the program.
    pub(crate) not_given: Vec<String>,
    traced: bool,
    open: SortedMap<(usize, usize), Alternative<'p>>,
    serial: usize,
    known: FxHashSet<Term>,
    /// The variables that loops assign, by loop head.
    changed: FxHashMap<(*const Implementation, BlockId), Rc<[VarId]>>,
    /// The entered blocks, each with the number of its body.
    pub(crate) entered: FxHashSet<(ProcedureId, usize, BlockId)>,
    /// The obligations that were reached, whether they held or not.
    pub(crate) obligations: FxHashSet<(FailureKind, Span)>,
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
            open: SortedMap::new(),
            serial: 0,
            known: FxHashSet::default(),
            changed: FxHashMap::default(),
            entered: FxHashSet::default(),
            obligations: FxHashSet::default(),
        }
    }

    /// Starts an execution of each body, with arbitrary inputs that satisfy the preconditions and
    /// axioms.
    pub(crate) fn enter(
        &mut self,
        procedure: ProcedureId,
        axioms: &[&'p Expr],
    ) -> (Option<State<'p>>, Ending) {
        let p = self.world.program.procedure(procedure);
        let Some((first, others)) = p.implementations.split_first() else {
            let stop = Stop::Unsupported(format!("`{}`, which has no body,", p.name), p.span);
            return (None, Ending::NotDecided(stop));
        };
        // All bodies of the procedure are executed, one after the other.
        let begun = self.enter_body(procedure, first, axioms);
        for body in others {
            let (state, ending) = self.enter_body(procedure, body, axioms);
            self.push(0, Alternative::Begun(state.map(Box::new), ending));
        }
        begun
    }

    fn enter_body(
        &mut self,
        id: ProcedureId,
        body: &'p Implementation,
        axioms: &[&'p Expr],
    ) -> (Option<State<'p>>, Ending) {
        match self.entry(id, body, axioms) {
            Ok(Ok(state)) => (Some(state), Ending::Passed),
            Ok(Err(ending)) => (None, ending),
            Err(stop) => (None, Ending::NotDecided(stop)),
        }
    }

    fn entry(
        &mut self,
        id: ProcedureId,
        implementation: &'p Implementation,
        axioms: &[&'p Expr],
    ) -> Res<Result<State<'p>, Ending>> {
        let program = self.world.program;
        let p = program.procedure(id);
        let mut vars: FxHashMap<VarId, Value> = FxHashMap::default();
        let mut inputs = Vec::new();
        // Inputs are the global variables and parameters; globals whose type has no unknown values
        // are left out.
        for v in &program.globals {
            if let Ok(value) = self
                .world
                .unknown(&program.var(*v).name, &program.var(*v).ty)
            {
                vars.insert(*v, value);
                inputs.push((*v, value));
            }
        }
        let globals = Rc::new(vars.clone());
        for v in &implementation.ins {
            let var = program.var(*v);
            let value = self
                .world
                .unknown(&var.name, &var.ty)
                .map_err(|e| at(e, var.span))?;
            vars.insert(*v, value);
            inputs.insert(
                inputs.len() - program.globals.len().min(inputs.len()),
                (*v, value),
            );
        }
        let mut state = State {
            vars: Rc::new(vars),
            frames: vec![self.frame(
                id,
                implementation,
                globals,
                Rc::default(),
                None,
                Rc::default(),
            )],
            path: None,
            steps: 0,
            model: Rc::default(),
            printed: Rc::default(),
            trace: None,
            inputs: Rc::new(inputs),
            fixed: Rc::default(),
        };
        // The initial path: configured inputs, axioms, `where` clauses, preconditions.
        self.give(&mut state);
        let mut last = p.span;
        for axiom in axioms {
            let env = Env {
                fixed: Rc::clone(&state.fixed),
                ..Env::default()
            };
            last = axiom.span;
            let t = self.world.term(axiom, &env)?;
            self.add(&mut state, t);
        }
        self.locals(&mut state, implementation)?;
        // The `where` clauses of all variables hold initially.
        let all: Vec<VarId> = program
            .globals
            .iter()
            .chain(&implementation.ins)
            .chain(&implementation.outs)
            .chain(&implementation.locals)
            .copied()
            .collect();
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
        // The first model fixes the first path; without one, the procedure is unreachable.
        match self.world.solve(
            &mut self.session,
            &conditions(&state.path),
            &state.model,
            false,
        )? {
            Outcome::Model(model) => state.model = model,
            Outcome::Infeasible => return Ok(Err(Ending::Infeasible(last))),
            Outcome::Undecided(stop) => return Ok(Err(Ending::NotDecided(stop))),
        }
        Ok(Ok(state))
    }

    /// Adds the conditions that inputs have their configured values.
    fn give(&mut self, state: &mut State<'p>) {
        let constants = self
            .world
            .program
            .constants
            .iter()
            .filter_map(|c| Some((*c, *self.world.constants.get(c)?)));
        let inputs: Vec<(VarId, Value)> = state.inputs.iter().copied().chain(constants).collect();
        for given in self.given.clone() {
            match self.world.given(&given, &inputs) {
                Some(t) => self.add(state, t),
                None => self.not_given.push(given.name.clone()),
            }
        }
    }

    /// Records a step, if steps are requested.
    fn record(&self, state: &mut State<'p>, kind: StepKind, span: Span, vars: &[VarId]) {
        if self.traced {
            let changed = vars
                .iter()
                .filter_map(|v| Some((*v, *state.vars.get(v)?)))
                .collect();
            let depth = state.frames.len().saturating_sub(1);
            state.trace = Some(Rc::new(Recorded {
                kind,
                span,
                depth,
                changed,
                before: state.trace.take(),
            }));
        }
    }

    /// Returns the steps of an execution. The values depend on the final model.
    pub(crate) fn steps(&mut self, state: &State<'p>) -> Vec<Step> {
        let (mut out, mut at) = (Vec::new(), &state.trace);
        // The trace is a list from the last step backwards.
        while let Some(step) = at {
            // Showing values does not count towards the limits.
            let changed = self.world.free_of_charge(|world| {
                let lines = |(v, value): &(VarId, Value)| {
                    world.lines(*v, *value, &state.model).unwrap_or_default()
                };
                step.changed.iter().flat_map(lines).collect()
            });
            out.push(Step {
                kind: step.kind.clone(),
                span: step.span,
                depth: step.depth,
                changed,
            });
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
        Frame {
            procedure,
            implementation,
            block: BlockId(0),
            stmt: 0,
            old,
            types,
            saved,
            call,
            rounds: Rc::default(),
            past_head: false,
        }
    }

    /// Gives arbitrary values to the results and local variables of a body.
    fn locals(&mut self, state: &mut State<'p>, implementation: &'p Implementation) -> Res<()> {
        let types = state
            .frames
            .last()
            .map(|f| Rc::clone(&f.types))
            .unwrap_or_default();
        for v in implementation.outs.iter().chain(&implementation.locals) {
            let var = self.world.program.var(*v);
            let ty = crate::types::substitute(&var.ty, &types);
            // A variable of an unsupported type is harmless if it is not used.
            let value = if var.assumption {
                Ok(Value::Term(self.world.terms.tt))
            } else {
                self.world.unknown(&var.name, &ty)
            };
            if let Ok(value) = value {
                Rc::make_mut(&mut state.vars).insert(*v, value);
            }
        }
        Ok(())
    }

    fn env(&self, state: &State<'p>) -> Env {
        let (old, types) = state
            .frames
            .last()
            .map(|f| (Rc::clone(&f.old), Rc::clone(&f.types)))
            .unwrap_or_default();
        Env {
            now: Rc::clone(&state.vars),
            old,
            bound: Vec::new(),
            types,
            fixed: Rc::clone(&state.fixed),
            in_old: false,
        }
    }

    /// Returns the environment of a contract, whose parameters have other names than those of the
    /// body.
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
        // The contract refers to the parameters of the procedure, and the state to those of the
        // body.
        let pairs = p
            .ins
            .iter()
            .chain(&p.outs)
            .zip(implementation.ins.iter().chain(&implementation.outs));
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

    /// Whether no alternative is left.
    pub(crate) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the next alternative; `None` if all were executed.
    pub(crate) fn next(&mut self) -> Option<(Option<State<'p>>, Ending)> {
        // Alternatives are taken in the order of their priority.
        let (_, alternative) = self.open.pop_first()?;
        let (mut state, failure, again) = match alternative {
            Alternative::Begun(state, ending) => return Some((state.map(|s| *s), ending)),
            Alternative::Goes(state, false) => return Some((Some(state), Ending::Passed)),
            Alternative::Goes(state, true) => (state, None, None),
            Alternative::Fails(state, failure) => (state, Some(failure), None),
            Alternative::Again(state, n) => (state, None, Some(n)),
        };
        let path = conditions(&state.path);
        let span = state.frames.last().map_or_else(Span::default, |f| {
            self.block_of(f).map_or_else(Span::default, |b| b.span)
        });
        // An alternative needs a new model, since it contradicts that of the path it was split
        // from.
        let outcome = self
            .world
            .solve(&mut self.session, &path, &state.model, false);
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
                        // The negated branch condition is now known.
                        if let Some(last) = state.path.as_ref().map(|p| p.term) {
                            self.substitute(&mut state, last);
                        }
                        (Some(state), Ending::Passed)
                    }
                }
            }
            Ok(Outcome::Infeasible) => {
                (None, Ending::Infeasible(failure.map_or(span, |f| f.clause)))
            }
            Ok(Outcome::Undecided(stop)) | Err(stop) => match failure {
                Some(failure) => (None, Ending::ObligationNotDecided(failure, stop)),
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
        let Some(frame) = state.frames.last() else {
            return Span::default();
        };
        let block = self.block_of(frame);
        block.map_or_else(Span::default, |b| {
            b.stmts.get(frame.stmt).map_or(b.span, |s| s.span)
        })
    }

    fn step(&mut self, state: &mut State<'p>) -> Res<Option<Ending>> {
        state.steps += 1;
        // Limits are checked at every step, because a path may be infinite.
        if state.steps > self.world.limits.steps {
            return Err(Stop::Limit("steps"));
        }
        if let Some(limit) = self.world.account.over {
            return Err(Stop::Limit(limit));
        }
        let Some(frame) = state.frames.last() else {
            return Ok(Some(Ending::Passed));
        };
        let Some(block) = self.block_of(frame) else {
            return Err(Stop::Limit("blocks"));
        };
        // The head of a loop is handled once per entry of the block.
        if frame.stmt == 0 && !frame.past_head {
            let bodies = &self
                .world
                .program
                .procedure(frame.procedure)
                .implementations;
            let body = bodies
                .iter()
                .position(|b| std::ptr::eq(b, frame.implementation))
                .unwrap_or(0);
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

    fn stmt(&mut self, state: &mut State<'p>, stmt: &'p Stmt) -> Res<Option<Ending>> {
        let env = self.env(state);
        match &stmt.kind {
            // A statement is recorded before it may end the execution.
            StmtKind::Assert(e) => {
                self.record(state, StepKind::Statement, stmt.span, &[]);
                let t = self.world.term(e, &env)?;
                self.assert(state, t, FailureKind::Assertion, stmt.span, stmt.span)
            }
            StmtKind::AssertOnly(e) => {
                self.record(state, StepKind::Statement, stmt.span, &[]);
                let t = self.world.term(e, &env)?;
                self.assert_only(
                    state,
                    t,
                    Failure {
                        kind: FailureKind::Assertion,
                        clause: stmt.span,
                        at: stmt.span,
                    },
                )
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
            // All values are evaluated before any variable changes.
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
                // New values must satisfy the `where` clauses of their variables.
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
                Printed::Value(e) => {
                    Piece::Value(self.world.eval(e, env)?, self.world.ground(&e.ty, env))
                }
            });
        }
        Rc::make_mut(&mut state.printed).push(line);
        Ok(())
    }

    /// Returns the printed lines of an execution. The values depend on the final model.
    pub(crate) fn printed(&mut self, state: &State<'p>) -> Vec<String> {
        self.world.free_of_charge(|world| {
            let mut shown = |piece: &Piece<'p>| match piece {
                Piece::Text(text) => (*text).to_owned(),
                Piece::Value(value, ty) => world
                    .shown(*value, ty, &state.model)
                    .unwrap_or_else(|_| "_".into()),
            };
            state
                .printed
                .iter()
                .map(|line| line.iter().map(&mut shown).collect())
                .collect()
        })
    }

    fn havoc(&mut self, state: &mut State<'p>, v: VarId) -> Res<()> {
        let var = self.world.program.var(v);
        let types = state
            .frames
            .last()
            .map(|f| Rc::clone(&f.types))
            .unwrap_or_default();
        let ty = crate::types::substitute(&var.ty, &types);
        let value = self.world.unknown(&var.name, &ty)?;
        let before = Rc::make_mut(&mut state.vars).insert(v, value);
        // An assumption variable that is false stays false.
        if let (true, Some(Value::Term(before)), Value::Term(now)) = (var.assumption, before, value)
        {
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
                let Some(chosen) = self.choose(state, targets)? else {
                    return Ok(Some(Ending::Infeasible(self.place(state))));
                };
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
                    // Both outcomes are possible: continue with that of the model, and store the
                    // other one as an alternative.
                    None => {
                        let b = self.resolved(state, t)?;
                        let not = self.world.terms.not(t);
                        let (mine, theirs) = if b { (t, not) } else { (not, t) };
                        let mut turned = state.clone();
                        self.record(&mut turned, StepKind::Condition(!b), condition.span, &[]);
                        turned.path = Some(Rc::new(PathNode {
                            term: theirs,
                            before: turned.path.take(),
                        }));
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

    /// Chooses a successor: one that the model can enter, and of these the one that was entered
    /// least often.
    fn choose(&mut self, state: &State<'p>, targets: &[BlockId]) -> Res<Option<BlockId>> {
        let Some(frame) = state.frames.last() else {
            return Ok(None);
        };
        if targets.len() == 1 {
            return Ok(targets.first().copied());
        }
        let mut best: Option<((bool, usize, usize), BlockId)> = None;
        // A successor that begins with an assumption is suitable only if that assumption holds in
        // the model.
        for (i, target) in targets.iter().enumerate() {
            let block = frame.implementation.blocks.get(target.0 as usize);
            let mut fits = true;
            if let Some(Stmt {
                kind: StmtKind::Assume(e),
                ..
            }) = block.and_then(|b| b.stmts.first())
            {
                let env = self.env(state);
                if let Ok(t) = self.world.term(e, &env) {
                    let model = Rc::clone(&state.model);
                    fits = self.world.holds(t, &model).unwrap_or(false);
                }
            }
            // The last successor usually leaves the loop.
            let rank = (
                !fits,
                frame.rounds.get(target).copied().unwrap_or(0),
                targets.len() - i,
            );
            if best.is_none_or(|(r, _)| rank < r) {
                best = Some((rank, *target));
            }
        }
        Ok(best.map(|(_, b)| b))
    }

    fn globals(&self, state: &State<'p>) -> FxHashMap<VarId, Value> {
        self.world
            .program
            .globals
            .iter()
            .filter_map(|v| state.vars.get(v).map(|x| (*v, *x)))
            .collect()
    }

    /// Stores the same path with other inputs as an alternative.
    fn again(&mut self, state: &State<'p>, n: usize) {
        if n >= self.world.limits.solutions {
            return;
        }
        // The alternative differs from the current execution in some relevant input.
        let mut same = self.world.terms.tt;
        for (_, value) in state.inputs.iter() {
            let Value::Term(t) = value else { continue };
            let model = Rc::clone(&state.model);
            if !model.is_solved(*t) {
                continue;
            }
            let Ok(c) = self.world.value_of(*t, &model) else {
                return;
            };
            let c = self.world.terms.constant(c);
            let eq = self.world.terms.eq(*t, c);
            same = self.world.terms.and(same, eq);
        }
        if same == self.world.terms.tt {
            return;
        }
        let mut other = state.clone();
        let not = self.world.terms.not(same);
        other.path = Some(Rc::new(PathNode {
            term: not,
            before: other.path.take(),
        }));
        // Other paths come first.
        let steps = state.steps.saturating_mul(n + 1);
        self.push(steps, Alternative::Again(other, n + 1));
    }

    /// Minimizes the numbers of an execution.
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
        state.model = self.world.smallest(
            &mut self.session,
            &path,
            Rc::clone(&state.model),
            &order,
            queries,
        )?;
        Ok(())
    }

    /// Returns the names of the active procedures with the places of their calls, the outermost
    /// first.
    pub(crate) fn calls(&self, state: &State<'p>) -> Vec<(String, Span)> {
        let inner = state.frames.iter().skip(1);
        inner
            .map(|f| {
                (
                    self.world.program.procedure(f.procedure).name.to_string(),
                    f.call.map_or_else(Span::default, |c| c.1),
                )
            })
            .collect()
    }

    /// Returns the results of the entry and the changed global variables at the end.
    pub(crate) fn outcome(&self, state: &State<'p>) -> Vec<(VarId, Value)> {
        let Some(first) = state.frames.first() else {
            return Vec::new();
        };
        let vars = state.frames.get(1).map_or(&state.vars, |f| &f.saved);
        let p = self.world.program.procedure(first.procedure);
        let outs = first
            .implementation
            .outs
            .iter()
            .filter_map(|v| vars.get(v).map(|x| (*v, *x)));
        let changed = p
            .modifies
            .iter()
            .filter_map(|v| state.vars.get(v).map(|x| (*v, *x)));
        outs.chain(changed).collect()
    }
}

/// Adds a place to a stop without one.
fn at(stop: Stop, span: Span) -> Stop {
    match stop {
        Stop::Unsupported(what, s) if s == Span::default() => Stop::Unsupported(what, span),
        Stop::Undecided(s) if s == Span::default() => Stop::Undecided(span),
        Stop::Unsupported(..) | Stop::Undecided(_) | Stop::Limit(_) => stop,
    }
}
