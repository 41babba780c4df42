//! Lowering of iterators to a constructor, `Valid`, and a `MoveNext` that resumes the body.
//!
//! An iterator is an object. Between two calls of `MoveNext` its body waits at a `yield`. Hidden
//! fields hold the number of that `yield` (0: the start; negative: the body has ended) and the
//! variables of the body. `MoveNext` begins with a jump to the place where the body waits. To keep
//! loops natural (one entry each), the jump proceeds loop by loop: the head of every loop around
//! the `yield` passes control on to the next inner one.
//!
//! Tests drive a separate procedure, which creates an iterator and runs its body without
//! interruption up to a number of `yield`s. That number is an input like the iterator's parameters.
//! The result equals that of as many calls of `MoveNext` if nothing happens between them, and no
//! state of a waiting body is needed.

mod dispatch;

use dispatch::Dispatch;

use super::graph::Graph;
use super::{Lowerer, build};
use dafny_resolve::typed::{
    self, CallableId, FieldId, FieldKind, IteratorFrames, IteratorMembers, IteratorParts, Type,
    TypeId,
};
use dafny_source::{Name, Span};
use dtest_ir::reason::Construct;
use dtest_ir::{
    self as ir, AssertKind, Assumed, Block, BlockId, Changed, Coll, Expr, ExprKind, GoalReason,
    Num, Op, StmtKind, Terminator, Var,
};
use dtest_sorted::SortedSet;
use std::sync::Arc;

/// The label of the state in which a driven iterator begins, just after its creation.
const STARTED: &str = "$started";
/// The label of the state in which the body waits.
const WAITS: &str = "$waits";
/// The label of the state in which the body resumes.
const CALLED: &str = "$called";
/// The label of the state before a possible allocation.
const BEFORE: &str = "$before";

/// The prefix of the names of hidden fields. No name of the source has it.
const HIDDEN: char = '$';

/// Returns a program without the hidden fields that an earlier lowering of it appended. Variants of
/// a program are made from its lowered form, and each lowering adds the fields of its own bodies.
pub(super) fn without_hidden_fields(mut program: Arc<typed::Program>) -> Arc<typed::Program> {
    let is_hidden = |f: &typed::Field| f.name.starts_with(HIDDEN);
    let hidden = program.fields.iter().rev().take_while(|f| is_hidden(f));
    let kept = program.fields.len() - hidden.count();
    if kept < program.fields.len() {
        Arc::make_mut(&mut program).fields.truncate(kept);
    }
    program
}

/// The iterator whose body is being lowered.
pub(super) struct Running<'p> {
    parts: &'p IteratorParts,
    this: Expr,
    /// The result of `MoveNext`.
    more: Var,
    /// The block that follows the end of the body.
    end: BlockId,
    way: Way,
}

/// The iterator around the current place.
#[derive(Default)]
pub(super) struct Iteration<'p> {
    /// The iterator whose body is being lowered.
    running: Option<Running<'p>>,
    /// The state that `old` refers to in the driver of an iterator.
    since: Option<&'static str>,
}

impl Iteration<'_> {
    /// Whether the body of an iterator is being lowered.
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns the `MoveNext` of the iterator whose body is being lowered, on whose behalf it calls.
    pub(super) fn move_next(&self) -> Option<CallableId> {
        let members = self.running.as_ref()?.parts.members?;
        Some(members.move_next)
    }
}

/// The continuation of a body after a `yield`.
enum Way {
    /// The body continues at the next call of `MoveNext`.
    Resumed {
        /// The hidden field with the number of the `yield` at which the body waits.
        at: FieldId,
        /// The number of the `yield` to which control is passed; 0 if none.
        goal: Var,
        /// The dispatches that are open, outermost first.
        dispatches: Vec<Dispatch>,
        /// The number of `yield`s so far.
        points: i64,
    },
    /// The body continues at once, until the number of calls in `left` is used up.
    Straight { left: Var, stop: BlockId },
}

pub(super) struct Lowered {
    pub(super) valid: ir::Function,
    pub(super) constructor: ir::Procedure,
    pub(super) move_next: Option<ir::Procedure>,
    pub(super) drive: Option<ir::Procedure>,
}

impl<'p> Lowerer<'p> {
    pub(super) fn iterator(
        &mut self,
        id: TypeId,
        parts: &'p IteratorParts,
        members: IteratorMembers,
    ) -> Lowered {
        let at = self.hide(id, "at", Type::Int, false);
        let valid = self.valid(id, at);
        let constructor = self.iterator_constructor(id, parts, members, at);
        let body = parts.body.as_ref();
        let move_next = body.map(|body| self.move_next(id, parts, members, at, body));
        let drive = body.map(|body| self.drive(id, parts, members, body));
        Lowered {
            valid,
            constructor,
            move_next,
            drive,
        }
    }

    /// Adds a field to an iterator that the source does not have.
    fn hide(&mut self, owner: TypeId, name: &str, ty: Type, ghost: bool) -> FieldId {
        let decl = &self.program[owner];
        let field = typed::Field {
            name: Name::from(format!("{HIDDEN}{name}")),
            kind: FieldKind::Mutable,
            owner: Some(owner),
            module: decl.module,
            ty,
            ghost,
            is_static: false,
            attributes: Vec::new(),
            doc: None,
            span: decl.span,
        };
        self.added.field(self.program, field)
    }

    /// Lowers `Valid` of an iterator, which holds until the body has ended.
    fn valid(&mut self, id: TypeId, at: FieldId) -> ir::Function {
        let decl = &self.program[id];
        self.open(decl.type_params.clone());
        let params = vec![self.declare_this(id)];
        let this = self.this(decl.span);
        let body = is_running(&this, at);
        ir::Function {
            type_params: decl.type_params.clone(),
            params,
            body,
            vars: self.close(),
        }
    }

    fn iterator_constructor(
        &mut self,
        id: TypeId,
        parts: &'p IteratorParts,
        members: IteratorMembers,
        at: FieldId,
    ) -> ir::Procedure {
        let program = self.program;
        let (decl, c) = (&program[id], &program[members.constructor]);
        self.open(decl.type_params.clone());
        let params = self.params(c);
        self.graph = Graph::new(decl.span, false);
        let this = self.this(decl.span);
        self.initialize(&this, parts, c, decl.span);
        self.set(&this, at, build::int(0, Type::Int, decl.span));
        self.graph.terminate(Terminator::Return);
        let blocks = std::mem::take(&mut self.graph).finish();
        let type_params = decl.type_params.clone();
        ir::Procedure {
            callable: members.constructor,
            type_params,
            params,
            outs: Vec::new(),
            blocks,
            probes: self.goals.take(),
            vars: self.close(),
        }
    }

    /// Initializes the fields of a new iterator; `c` has the parameters.
    fn initialize(
        &mut self,
        this: &Expr,
        parts: &'p IteratorParts,
        c: &'p typed::Callable,
        span: Span,
    ) {
        // The parameters of the iterator are fields that keep their values.
        for (field, formal) in parts.ins.iter().zip(&c.ins) {
            let var = self.local(formal.local);
            let value = self.var(var, span);
            self.set(this, *field, value);
        }
        // No value has been yielded yet.
        for history in &parts.histories {
            let none = build::op(
                Op::Display(Coll::Seq),
                Vec::new(),
                self.program[*history].ty.clone(),
                span,
            );
            self.set(this, *history, none);
        }
        let frames = parts.frames.into_iter();
        // The frames are evaluated once, when the iterator is created.
        for (field, frame) in frames.flat_map(|f| {
            [
                (f.reads, &parts.spec.reads[..]),
                (f.modifies, &parts.spec.modifies),
                (f.new, &[]),
            ]
        }) {
            let objects = self.objects(frame, &self.program[field].ty, span);
            self.set(this, field, objects);
        }
        for (field, measure) in parts.decreases.iter().zip(&parts.spec.decreases) {
            let value = self.pure(|l| l.expr(measure));
            self.set(this, *field, value);
        }
        if parts.spec.decreases.is_empty() {
            let has_order = |f: &&FieldId| self.program.has_order(&self.program[**f].ty);
            let ordered: Vec<FieldId> = parts.ins.iter().filter(has_order).copied().collect();
            for (field, param) in parts.decreases.iter().zip(ordered) {
                let value = read(this, param, self.program[param].ty.clone());
                self.set(this, *field, value);
            }
        }
    }

    /// Lowers a frame to the set of its objects.
    fn objects(&mut self, frames: &'p [typed::Frame], ty: &Type, span: Span) -> Expr {
        let none = build::op(Op::Display(Coll::Set), Vec::new(), ty.clone(), span);
        // A frame may be one object or a set of objects.
        frames.iter().fold(none, |all, f| {
            let Some(object) = &f.object else {
                return build::unsupported(Construct::FrameOfAll, ty.clone(), f.span);
            };
            let object = self.pure(|l| l.expr(object));
            let own = self.program.strip_subset(&object.ty);
            let part = if matches!(own, Type::Set { .. }) {
                object
            } else if self.program.is_reference(&own) {
                build::op(Op::Display(Coll::Set), vec![object], ty.clone(), f.span)
            } else {
                build::unsupported(Construct::FrameAsSet, ty.clone(), f.span)
            };
            build::op(Op::Union(Coll::Set), vec![all, part], ty.clone(), span)
        })
    }

    fn move_next(
        &mut self,
        id: TypeId,
        parts: &'p IteratorParts,
        members: IteratorMembers,
        at: FieldId,
        body: &'p typed::Block,
    ) -> ir::Procedure {
        let program = self.program;
        let (decl, c) = (&program[id], &program[members.move_next]);
        self.begin(decl, body.span);
        let params = self.params(c);
        let outs = self.outs(c);
        let this = self.this(decl.span);
        let goal = self.temp("$goal", Type::Int, decl.span);
        let (start, end, over) = (
            self.body_block(body),
            self.graph.block(None, body.span),
            self.graph.block(None, body.span),
        );
        let go = self.graph.block(None, body.span);
        // An iterator whose body has ended returns false.
        self.graph.branch(is_running(&this, at), go, over);
        self.graph.enter(over);
        let more = outs.first().copied().unwrap_or(goal);
        self.graph.push(
            StmtKind::Assign {
                var: more,
                value: build::boolean(false, body.span),
            },
            body.span,
        );
        self.graph.terminate(Terminator::Return);
        // The number of the `yield` at which the body waits selects the way to it.
        self.graph.enter(go);
        self.graph.push(
            StmtKind::Assign {
                var: goal,
                value: read(&this, at, Type::Int),
            },
            body.span,
        );
        let entry = Dispatch {
            block: go,
            rest: start,
            targets: Vec::new(),
            first: 1,
        };
        let way = Way::Resumed {
            at,
            goal,
            dispatches: vec![entry],
            points: 0,
        };
        let running = Running {
            parts,
            this: this.clone(),
            more,
            end,
            way,
        };
        // The body is lowered as a whole; each `yield` registers itself with the innermost open
        // dispatch.
        self.graph.enter(start);
        self.while_running(running, |l| {
            l.block(body);
            l.graph.goto(end);
            l.close_dispatch(body.span);
        });
        // At its end, the body marks the iterator as exhausted, and `MoveNext` returns false.
        self.graph.enter(end);
        self.assert_for_caller(&parts.spec.ensures);
        self.set(&this, at, build::int(-1, Type::Int, body.span));
        self.graph.goto(over);
        // Variables of the body that are read after a `yield` are kept in hidden fields while the
        // body waits.
        let mut blocks = self.finish_graph();
        let vars = self.close();
        let known: SortedSet<Var> = params.iter().chain(&outs).chain([&goal]).copied().collect();
        self.keep_variables(id, &mut blocks, &vars, &known);
        ir::Procedure {
            callable: members.move_next,
            type_params: decl.type_params.clone(),
            params,
            outs,
            blocks,
            probes: self.goals.take(),
            vars,
        }
    }

    fn drive(
        &mut self,
        id: TypeId,
        parts: &'p IteratorParts,
        members: IteratorMembers,
        body: &'p typed::Block,
    ) -> ir::Procedure {
        let program = self.program;
        let (decl, c) = (&program[id], &program[members.drive]);
        self.begin(decl, body.span);
        let params = self.params(c);
        let outs = self.outs(c);
        let this = self.declare_this(id);
        let ty = self.info(this).map_or(Type::Error, |i| i.ty.clone());
        // The driver creates the iterator itself, as the constructor does.
        self.graph.push(StmtKind::New { var: this, ty }, body.span);
        let this = self.this(decl.span);
        self.initialize(&this, parts, &program[members.constructor], decl.span);
        self.graph
            .push(StmtKind::Snapshot(STARTED.into()), body.span);
        self.scoped(
            |l| &mut l.iterator.since,
            Some(STARTED),
            |l| {
                l.drive_body(parts, body, &this, &params, &outs);
            },
        );
        // The results are the histories of the compiled `yield` parameters, whether the body has
        // ended or waits.
        let compiled = parts
            .yields
            .iter()
            .zip(&parts.histories)
            .filter(|(y, _)| !program[**y].ghost)
            .map(|(_, h)| h);
        for (history, out) in compiled.zip(outs.iter().skip(1)) {
            let value = read(&this, *history, program[*history].ty.clone());
            self.graph
                .push(StmtKind::Assign { var: *out, value }, body.span);
        }
        self.graph.terminate(Terminator::Return);
        let mut blocks = self.finish_graph();
        let mut vars = self.close();
        if self.has_obligations() {
            self.oblige_assignment(&mut blocks, &mut vars, &params);
        }
        ir::Procedure {
            callable: members.drive,
            type_params: decl.type_params.clone(),
            params,
            outs,
            blocks,
            probes: self.goals.take(),
            vars,
        }
    }

    /// Lowers the body of an iterator for a driver: runs it up to the number of `yield`s that the
    /// last parameter holds. The first result tells whether the body still waits.
    fn drive_body(
        &mut self,
        parts: &'p IteratorParts,
        body: &'p typed::Block,
        this: &Expr,
        params: &[Var],
        outs: &[Var],
    ) {
        // The last parameter is the number of calls of `MoveNext`.
        let calls = params.last().copied().unwrap_or(Var(0));
        let left = self.temp("$left", Type::Int, body.span);
        self.graph.push(
            StmtKind::Assign {
                var: left,
                value: self.var(calls, body.span),
            },
            body.span,
        );
        let more = outs.first().copied().unwrap_or(left);
        self.graph.push(
            StmtKind::Assign {
                var: more,
                value: build::boolean(true, body.span),
            },
            body.span,
        );
        // No call at all leaves the body untouched.
        let (start, end, stop) = (
            self.body_block(body),
            self.graph.block(None, body.span),
            self.graph.block(None, body.span),
        );
        self.graph
            .branch(self.is_done(left, body.span), stop, start);
        let running = Running {
            parts,
            this: this.clone(),
            more,
            end,
            way: Way::Straight { left, stop },
        };
        self.graph.enter(start);
        self.while_running(running, |l| {
            l.wait(parts, this, body.span);
            l.assume_resumed(parts);
            l.block(body);
            l.graph.goto(end);
        });
        // If the body ends before the calls are used up, the last call returns false, and the
        // postcondition holds.
        self.graph.enter(end);
        self.graph.push(
            StmtKind::Assign {
                var: more,
                value: build::boolean(false, body.span),
            },
            body.span,
        );
        self.assert_clauses(&parts.spec.ensures);
        self.graph.goto(stop);
        self.graph.enter(stop);
    }

    /// Assumes `yield requires`, a precondition of each call of `MoveNext`, of the first one too.
    fn assume_resumed(&mut self, parts: &'p IteratorParts) {
        for clause in self.clauses(&parts.yield_requires) {
            self.graph.push(
                StmtKind::Assume {
                    cond: clause.cond,
                    by: Assumed::Caller,
                },
                clause.span,
            );
        }
    }

    /// Lowers a part of the body of an iterator.
    fn while_running(&mut self, running: Running<'p>, work: impl FnOnce(&mut Self)) {
        self.scoped(|l| &mut l.iterator.running, Some(running), work);
    }

    fn begin(&mut self, decl: &typed::TypeDecl, span: Span) {
        self.open(decl.type_params.clone());
        self.evaluation.is_executed = true;
        self.jumps.clear();
        self.graph = Graph::new(span, false);
    }

    fn finish_graph(&mut self) -> Vec<Block> {
        self.evaluation.is_executed = false;
        std::mem::take(&mut self.graph).finish()
    }

    fn body_block(&mut self, body: &typed::Block) -> BlockId {
        self.goal_block(GoalReason::Entry, body.span)
    }

    /// Returns the condition that no call is left; its span is empty, since the source does not
    /// have it.
    fn is_done(&self, left: Var, span: Span) -> Expr {
        let span = Span::new(span.end, span.end);
        build::op(
            Op::Le(Num::Int),
            vec![self.var(left, span), build::int(0, Type::Int, span)],
            Type::Bool,
            span,
        )
    }

    fn set(&mut self, object: &Expr, field: FieldId, value: Expr) {
        let span = value.span;
        self.graph.push(
            StmtKind::SetField {
                object: object.clone(),
                field,
                value,
            },
            span,
        );
    }

    fn assert_clauses(&mut self, clauses: &'p [typed::Clause]) {
        self.scoped(
            |l| &mut l.iterator.since,
            Some(CALLED),
            |l| {
                for clause in l.clauses(clauses) {
                    l.assert(clause.cond, AssertKind::Assert);
                }
            },
        );
    }

    /// Asserts clauses at a place where `MoveNext` returns, if obligations are goals. They are
    /// obligations of the driven iterator; here, a violation keeps that of a caller from being
    /// certain.
    fn assert_for_caller(&mut self, clauses: &'p [typed::Clause]) {
        if !self.has_obligations() {
            return;
        }
        for clause in self.clauses(clauses) {
            let (cond, kind) = (clause.cond, AssertKind::Assert);
            self.graph
                .push(StmtKind::Assert { cond, kind }, clause.span);
        }
    }

    /// Returns the state denoted by `old` without a label.
    ///
    /// In the body of a driven iterator, this is the state in which the iterator was created; in
    /// its obligations, the state of the latest call.
    pub(super) fn older_state(&mut self, label: &Option<Name>) -> Option<Name> {
        let state = label
            .clone()
            .or_else(|| self.iterator.since.map(Name::from));
        self.graph.read_labels(state.clone());
        state
    }

    /// Returns the frame of the driven iterator, over the parameters of the driver; `None` outside
    /// of one.
    pub(super) fn driven_frames(&self) -> Option<&'p [typed::Frame]> {
        self.iterator
            .running
            .as_ref()
            .filter(|r| matches!(r.way, Way::Straight { .. }))
            .map(|r| &r.parts.spec.modifies[..])
    }

    /// Whether an object is the driven iterator.
    pub(super) fn is_driven_iterator(&self, object: &Expr) -> bool {
        let this = |r: &Running<'_>| matches!((&r.this.kind, &object.kind), (ExprKind::Var(a), ExprKind::Var(b)) if a == b);
        self.driven_frames().is_some() && self.iterator.running.as_ref().is_some_and(this)
    }

    /// Lowers `return` in an iterator; returns false outside of an iterator.
    pub(super) fn end_iterator(&mut self) -> bool {
        let end = self.iterator.running.as_ref().map(|r| r.end);
        end.map(|end| self.graph.goto(end)).is_some()
    }

    /// Lowers `yield`, after its values were stored.
    pub(super) fn yields(&mut self, span: Span) {
        let Some(running) = self.iterator.running.take() else {
            return self.unsupported(Construct::YieldOutside, span);
        };
        // The history of each `yield` parameter grows by its current value.
        for (field, history) in running.parts.yields.iter().zip(&running.parts.histories) {
            let (ty, all) = (
                self.program[*field].ty.clone(),
                self.program[*history].ty.clone(),
            );
            let last = build::op(
                Op::Display(Coll::Seq),
                vec![read(&running.this, *field, ty)],
                all.clone(),
                span,
            );
            let value = build::op(
                Op::Union(Coll::Seq),
                vec![read(&running.this, *history, all.clone()), last],
                all,
                span,
            );
            self.set(&running.this, *history, value);
        }
        self.iterator.running = Some(match running.way {
            Way::Resumed {
                at,
                goal,
                dispatches,
                points,
            } => {
                self.assert_for_caller(&running.parts.yield_ensures);
                let way = self.suspend(
                    &running.this,
                    running.more,
                    (at, goal),
                    dispatches,
                    points + 1,
                    span,
                );
                Running { way, ..running }
            }
            // A driven iterator must establish `yield ensures`, and may assume `yield requires` at
            // the next call.
            Way::Straight { left, stop } => {
                self.assert_clauses(&running.parts.yield_ensures);
                self.count_down(left, stop, span);
                self.wait(running.parts, &running.this, span);
                self.assume_resumed(running.parts);
                Running {
                    way: Way::Straight { left, stop },
                    ..running
                }
            }
        });
    }

    /// Leaves the body at the `yield` with number `point`, and resumes it there at the next call.
    fn suspend(
        &mut self,
        this: &Expr,
        more: Var,
        (at, goal): (FieldId, Var),
        mut dispatches: Vec<Dispatch>,
        point: i64,
        span: Span,
    ) -> Way {
        self.set(this, at, build::int(point, Type::Int, span));
        self.graph.push(
            StmtKind::Save {
                object: this.clone(),
                vars: Vec::new(),
            },
            span,
        );
        self.graph.push(
            StmtKind::Assign {
                var: more,
                value: build::boolean(true, span),
            },
            span,
        );
        self.graph.terminate(Terminator::Return);
        // The innermost open dispatch passes control on to the block after the `yield`.
        let back = self.graph.block(None, span);
        if let Some(d) = dispatches.last_mut() {
            d.targets.push((point, point, back));
        }
        self.graph.enter(back);
        self.graph.push(
            StmtKind::Restore {
                object: this.clone(),
                vars: Vec::new(),
            },
            span,
        );
        // Control has arrived: loops that start from here on must not pass it on again.
        self.graph.push(
            StmtKind::Assign {
                var: goal,
                value: build::int(0, Type::Int, span),
            },
            span,
        );
        Way::Resumed {
            at,
            goal,
            dispatches,
            points: point,
        }
    }

    /// Continues at once, unless this was the last `yield`.
    fn count_down(&mut self, left: Var, stop: BlockId, span: Span) {
        let one = build::int(1, Type::Int, span);
        let value = build::op(
            Op::Sub(Num::Int),
            vec![self.var(left, span), one],
            Type::Int,
            span,
        );
        self.graph.push(StmtKind::Assign { var: left, value }, span);
        let on = self.graph.block(None, span);
        self.graph.branch(self.is_done(left, span), stop, on);
        self.graph.enter(on);
    }

    /// Models the heap changes while the body waits.
    ///
    /// Other code has run. It has left unchanged the iterator, the objects of its `reads` clause,
    /// and the objects that the iterator has allocated, as `Valid` requires (reference manual,
    /// "Iterator types").
    fn wait(&mut self, parts: &'p IteratorParts, this: &Expr, span: Span) {
        if let Some(frames) = parts.frames.filter(|_| self.has_obligations()) {
            self.others_run(frames, this, span);
        }
        self.remember(CALLED, span);
    }

    fn others_run(&mut self, frames: IteratorFrames, this: &Expr, span: Span) {
        let own: Vec<(FieldId, Expr)> = self
            .fields_of(this)
            .into_iter()
            .map(|field| (field, self.noted(this, field, span)))
            .collect();
        let noted = |field: FieldId| {
            own.iter()
                .filter(move |(f, _)| *f == field)
                .map(|(_, value)| value.clone())
        };
        // Everything but the iterator and the objects in `_reads` and `_new` becomes arbitrary.
        let kept: Vec<Expr> = noted(frames.reads).chain(noted(frames.new)).collect();
        let ty = self.program[frames.reads].ty.clone();
        let iterator = build::op(Op::Display(Coll::Set), vec![this.clone()], ty.clone(), span);
        let all = kept.iter().fold(iterator, |all, part| {
            build::op(
                Op::Union(Coll::Set),
                vec![all, part.clone()],
                ty.clone(),
                span,
            )
        });
        let others = self.objects_such_that(&ty, span, |object| {
            build::not(build::op(
                Op::In(Coll::Set),
                vec![object, all],
                Type::Bool,
                span,
            ))
        });
        self.remember(WAITS, span);
        let frame = |object| ir::Frame {
            object: Some(object),
            field: None,
            span,
        };
        self.graph.push(
            StmtKind::HavocHeap(vec![frame(others)], Changed::Elsewhere),
            span,
        );
        // The iterator's own fields get their noted values back.
        for (field, value) in own {
            self.set(this, field, value);
        }
        // `Valid` guarantees to the body that the kept objects are unchanged.
        let unchanged =
            ExprKind::Unchanged(Some(WAITS.into()), kept.into_iter().map(frame).collect());
        self.graph.push(
            StmtKind::Assume {
                cond: build::expr(unchanged, Type::Bool, span),
                by: Assumed::Caller,
            },
            span,
        );
    }

    fn fields_of(&self, object: &Expr) -> Vec<FieldId> {
        let Type::Named { decl, .. } = &object.ty else {
            return Vec::new();
        };
        let fields = self.program[*decl].fields.iter().copied();
        fields
            .filter(|f| {
                matches!(
                    self.program[*f].kind,
                    FieldKind::Mutable | FieldKind::Const(None)
                ) && !self.program[*f].is_static
            })
            .collect()
    }

    /// Assigns the value of a field to a new variable.
    fn noted(&mut self, object: &Expr, field: FieldId, span: Span) -> Expr {
        let ty = self.program[field].ty.clone();
        let var = self.temp("$noted", ty.clone(), span);
        self.graph.push(
            StmtKind::Assign {
                var,
                value: read(object, field, ty),
            },
            span,
        );
        self.var(var, span)
    }

    /// Asserts that an assignment of the body to `_new` only makes it smaller.
    pub(super) fn oblige_that_new_shrinks(
        &mut self,
        object: &Expr,
        field: FieldId,
        value: &Expr,
        span: Span,
    ) {
        let is_new = self
            .iterator
            .running
            .as_ref()
            .and_then(|r| r.parts.frames)
            .is_some_and(|frames| frames.new == field);
        if self.has_obligations() && is_new {
            let operands = vec![value.clone(), read(object, field, value.ty.clone())];
            let cond = build::op(Op::SubsetEq(Coll::Set), operands, Type::Bool, span);
            self.assert(cond, AssertKind::Frame);
        }
    }

    /// Lowers a statement that may allocate, and adds the objects that it allocates, also in its
    /// callees, to `_new` of the running iterator.
    pub(super) fn allocating(&mut self, span: Span, work: impl FnOnce(&mut Self)) {
        let of_running = |r: &Running<'_>| Some((r.this.clone(), r.parts.frames?.new));
        let Some((this, field)) = self
            .iterator
            .running
            .as_ref()
            .filter(|_| self.has_obligations())
            .and_then(of_running)
        else {
            return work(self);
        };
        self.remember(BEFORE, span);
        work(self);
        let ty = self.program[field].ty.clone();
        let made = self.objects_such_that(&ty, span, |object| {
            build::expr(
                ExprKind::Fresh(Some(BEFORE.into()), Box::new(object)),
                Type::Bool,
                span,
            )
        });
        let all = build::op(
            Op::Union(Coll::Set),
            vec![read(&this, field, ty.clone()), made],
            ty,
            span,
        );
        self.set(&this, field, all);
    }

    fn remember(&mut self, label: &str, span: Span) {
        self.graph.read_labels([label.into()]);
        self.graph.push(StmtKind::Snapshot(label.into()), span);
    }

    /// Returns the set of all objects that satisfy a predicate.
    pub(super) fn objects_such_that(
        &mut self,
        ty: &Type,
        span: Span,
        holds: impl FnOnce(Expr) -> Expr,
    ) -> Expr {
        let object = self.temp("$object", Type::Object { nullable: false }, span);
        let one = self.var(object, span);
        let range = Some(Box::new(holds(one.clone())));
        let vars = ir::Quantified {
            vars: vec![object],
            range,
            bounds: Some(vec![(object, ir::Domain::Allocated)]),
        };
        build::expr(ExprKind::SetComp(vars, Box::new(one)), ty.clone(), span)
    }

    /// Saves, while the body waits, the variables that some block reads before it assigns them.
    fn keep_variables(
        &mut self,
        id: TypeId,
        blocks: &mut [Block],
        vars: &[ir::VarInfo],
        known: &SortedSet<Var>,
    ) {
        // A variable must be kept if some block reads it before assigning it.
        let mut kept = SortedSet::new();
        for block in blocks.iter() {
            super::uses::exposed(block, &mut kept);
        }
        let kept: Vec<(FieldId, Var)> = kept
            .difference(known)
            .filter_map(|v| {
                vars.get(v.0 as usize)
                    .map(|i| (self.hide(id, &i.name, i.ty.clone(), i.ghost), *v))
            })
            .collect();
        for block in blocks {
            // A loop that resumes the body changes all kept variables.
            if let Some(l) = &mut block.loop_head {
                l.assigned = l
                    .assigned
                    .iter()
                    .copied()
                    .chain(kept.iter().map(|(_, v)| *v))
                    .collect::<SortedSet<_>>()
                    .into_iter()
                    .collect();
            }
            for stmt in &mut block.stmts {
                if let StmtKind::Save { vars, .. } | StmtKind::Restore { vars, .. } = &mut stmt.kind
                {
                    vars.clone_from(&kept);
                }
            }
        }
    }
}

fn read(object: &Expr, field: FieldId, ty: Type) -> Expr {
    build::expr(
        ExprKind::ReadField(Box::new(object.clone()), field),
        ty,
        object.span,
    )
}

/// Returns the condition that the body has not ended.
fn is_running(this: &Expr, at: FieldId) -> Expr {
    let zero = build::int(0, Type::Int, this.span);
    build::op(
        Op::Le(Num::Int),
        vec![zero, read(this, at, Type::Int)],
        Type::Bool,
        this.span,
    )
}
