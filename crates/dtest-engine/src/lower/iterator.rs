//! Iterators: a constructor, `Valid`, and a `MoveNext` that goes on where the body was left.
//!
//! An iterator is an object. Between two calls of `MoveNext` its body waits at a `yield`: fields that the source
//! does not have hold which one it is (0: the start; negative: the body has ended) and the variables of the body. `MoveNext`
//! begins by going there. To keep loops natural (one entry each), it does so loop by loop: the head of every loop
//! around the `yield` passes control on to the next one inside.
//!
//! What tests drive is a procedure of its own: it makes an iterator and runs its body straight through, up to a
//! number of `yield`s that is an input like the iterator's parameters. That is what the same number of `MoveNext`
//! calls does when nothing happens between them, and it needs no state of a body that waits.

use super::graph::Graph;
use super::{Lowerer, build};
use crate::ir::{
    self, AssertKind, Assumed, Block, BlockId, Coll, Expr, ExprKind, GoalReason, Num, Op, StmtKind,
    Terminator, Var,
};
use crate::reason::Construct;
use dafny_resolve::typed::{
    self, FieldId, FieldKind, IteratorFrames, IteratorMembers, IteratorParts, Type, TypeId,
};
use dafny_syntax::source::{Name, Span};
use dtest_sorted::SortedSet;

/// The label of the state in which an iterator that is driven begins: it was just made.
const STARTED: &str = "$started";
/// The label of the state in which the body waits.
const WAITS: &str = "$waits";
/// The label of the state in which the body goes on.
const CALLED: &str = "$called";
/// The label of the state before something that may allocate.
const BEFORE: &str = "$before";

/// The iterator whose body is lowered.
pub(super) struct Running<'p> {
    parts: &'p IteratorParts,
    this: Expr,
    /// What `MoveNext` gives.
    more: Var,
    /// Where a body that ends goes.
    end: BlockId,
    way: Way,
}

/// How a body goes on after a `yield`.
enum Way {
    /// By the next call of `MoveNext`.
    Resumed {
        /// The hidden field that says where.
        at: FieldId,
        /// The `yield` on the way to which control is; 0: none.
        goal: Var,
        /// Places that pass control on, outermost first.
        dispatches: Vec<Dispatch>,
        /// How many `yield`s there are so far.
        points: i64,
    },
    /// At once, this many times.
    Straight { left: Var, stop: BlockId },
}

/// A place from which control goes on to `yield`s in numbered ranges.
struct Dispatch {
    block: BlockId,
    /// Where control goes that is on the way to none.
    rest: BlockId,
    targets: Vec<(i64, i64, BlockId)>,
    /// The number of the first `yield` within.
    first: i64,
}

/// The callables of an iterator, lowered.
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
        let at = self.hide(id, "$at", Type::Int, false);
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

    /// A field of an iterator that the source does not have.
    fn hide(&mut self, owner: TypeId, name: &str, ty: Type, ghost: bool) -> FieldId {
        let decl = &self.program[owner];
        let field = typed::Field {
            name: Name::from(name),
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
        self.hidden.push(field);
        FieldId((self.program.fields.len() + self.hidden.len()) as u32 - 1)
    }

    /// `Valid` of an iterator holds until its body has ended.
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
        let blocks = std::mem::take(&mut self.graph).finish(&SortedSet::new());
        let type_params = decl.type_params.clone();
        ir::Procedure {
            callable: members.constructor,
            type_params,
            params,
            outs: Vec::new(),
            blocks,
            probes: self.take_probes(),
            vars: self.close(),
        }
    }

    /// Gives the fields of a new iterator their values; `c` has the parameters.
    fn initialize(
        &mut self,
        this: &Expr,
        parts: &'p IteratorParts,
        c: &'p typed::Callable,
        span: Span,
    ) {
        for (field, formal) in parts.ins.iter().zip(&c.ins) {
            let var = self.local(formal.local);
            let value = self.var(var, span);
            self.set(this, *field, value);
        }
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
    }

    /// The objects of a frame as a set.
    fn objects(&mut self, frames: &'p [typed::Frame], ty: &Type, span: Span) -> Expr {
        let none = build::op(Op::Display(Coll::Set), Vec::new(), ty.clone(), span);
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
        self.running = Some(Running {
            parts,
            this: this.clone(),
            more,
            end,
            way,
        });
        self.graph.enter(start);
        self.block(body);
        self.graph.goto(end);
        self.close_dispatch(body.span);
        self.running = None;
        self.graph.enter(end);
        self.set(&this, at, build::int(-1, Type::Int, body.span));
        self.graph.goto(over);
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
            probes: self.take_probes(),
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
        self.graph.push(StmtKind::New { var: this, ty }, body.span);
        let this = self.this(decl.span);
        self.initialize(&this, parts, &program[members.constructor], decl.span);
        self.graph
            .push(StmtKind::Snapshot(STARTED.into()), body.span);
        self.driven_since = Some(STARTED);
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
        let (start, end, stop) = (
            self.body_block(body),
            self.graph.block(None, body.span),
            self.graph.block(None, body.span),
        );
        self.graph
            .branch(self.is_done(left, body.span), stop, start);
        self.running = Some(Running {
            parts,
            this: this.clone(),
            more,
            end,
            way: Way::Straight { left, stop },
        });
        self.graph.enter(start);
        self.wait(parts, &this, body.span);
        self.block(body);
        self.graph.goto(end);
        self.running = None;
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
        self.driven_since = None;
        self.graph.terminate(Terminator::Return);
        let blocks = self.finish_graph();
        ir::Procedure {
            callable: members.drive,
            type_params: decl.type_params.clone(),
            params,
            outs,
            blocks,
            probes: self.take_probes(),
            vars: self.close(),
        }
    }

    fn begin(&mut self, decl: &typed::TypeDecl, span: Span) {
        self.open(decl.type_params.clone());
        self.executed = true;
        self.jumps.clear();
        self.labels_read.clear();
        self.graph = Graph::new(span, false);
    }

    fn finish_graph(&mut self) -> Vec<Block> {
        self.executed = false;
        std::mem::take(&mut self.graph).finish(&self.labels_read)
    }

    fn body_block(&mut self, body: &typed::Block) -> BlockId {
        self.goal_block(GoalReason::Entry, body.span)
    }

    /// Whether no call is left: a condition that the source does not have.
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
        let outer = self.driven_since.replace(CALLED);
        for clause in self.clauses(clauses) {
            self.assert(clause.cond, AssertKind::Assert);
        }
        self.driven_since = outer;
    }

    /// The state that `old` without a label means here: in the body of an iterator that is driven the one in which it was made, in what that
    /// obligations the one in which it was called.
    pub(super) fn older_state(&mut self, label: &Option<Name>) -> Option<Name> {
        let state = label.clone().or_else(|| self.driven_since.map(Name::from));
        self.labels_read.extend(state.clone());
        state
    }

    /// The frame of the iterator whose body runs straight through, over the parameters of what drives it. `None`: there is none.
    pub(super) fn driven_frames(&self) -> Option<&'p [typed::Frame]> {
        self.running
            .as_ref()
            .filter(|r| matches!(r.way, Way::Straight { .. }))
            .map(|r| &r.parts.spec.modifies[..])
    }

    /// Whether an object is the iterator whose body runs straight through.
    pub(super) fn is_driven_iterator(&self, object: &Expr) -> bool {
        let this = |r: &Running<'_>| matches!((&r.this.kind, &object.kind), (ExprKind::Var(a), ExprKind::Var(b)) if a == b);
        self.driven_frames().is_some() && self.running.as_ref().is_some_and(this)
    }

    /// `return` in an iterator; false: this is no iterator.
    pub(super) fn end_iterator(&mut self) -> bool {
        let end = self.running.as_ref().map(|r| r.end);
        end.map(|end| self.graph.goto(end)).is_some()
    }

    /// `yield`, after its values were stored.
    pub(super) fn yields(&mut self, span: Span) {
        let Some(running) = self.running.take() else {
            return self.unsupported(Construct::YieldOutside, span);
        };
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
        self.running = Some(match running.way {
            Way::Resumed {
                at,
                goal,
                dispatches,
                points,
            } => {
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
            Way::Straight { left, stop } => {
                self.assert_clauses(&running.parts.yield_ensures);
                self.count_down(left, stop, span);
                self.wait(running.parts, &running.this, span);
                for clause in self.clauses(&running.parts.yield_requires) {
                    self.graph.push(
                        StmtKind::Assume {
                            cond: clause.cond,
                            by: Assumed::Caller,
                        },
                        clause.span,
                    );
                }
                Running {
                    way: Way::Straight { left, stop },
                    ..running
                }
            }
        });
    }

    /// Leaves the body at `yield` number `point`, and goes on there.
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

    /// Goes on at once, unless this was the last `yield`.
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

    /// What may happen to the heap while the body waits: other code has run, which left alone the iterator, what its `reads` clause names and
    /// what it has allocated, as `Valid` asks for (reference manual, "Iterator types").
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
        self.graph
            .push(StmtKind::HavocHeap(vec![frame(others)]), span);
        for (field, value) in own {
            self.set(this, field, value);
        }
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

    /// A variable that has what a field holds.
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

    /// What the body assigns to `_new` itself only makes it smaller.
    pub(super) fn oblige_that_new_shrinks(
        &mut self,
        object: &Expr,
        field: FieldId,
        value: &Expr,
        span: Span,
    ) {
        let is_new = self
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

    /// Lowers what may allocate. What the body of an iterator allocates, also in what it calls, is in its `_new` then.
    pub(super) fn allocating(&mut self, span: Span, work: impl FnOnce(&mut Self)) {
        let of_running = |r: &Running<'_>| Some((r.this.clone(), r.parts.frames?.new));
        let Some((this, field)) = self
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
        self.labels_read.insert(label.into());
        self.graph.push(StmtKind::Snapshot(label.into()), span);
    }

    /// Those of all objects of which something holds, as a set.
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

    /// Within a head of a loop: a place that passes control on.
    pub(super) fn open_dispatch(&mut self, head: BlockId, span: Span) {
        let Some(Running {
            way: Way::Resumed {
                dispatches, points, ..
            },
            ..
        }) = &mut self.running
        else {
            return;
        };
        let rest = self.graph.block(None, span);
        dispatches.push(Dispatch {
            block: head,
            rest,
            targets: Vec::new(),
            first: *points + 1,
        });
        self.graph.enter(rest);
    }

    /// The end of what the innermost open place passes control on to. Control is nowhere then.
    pub(super) fn close_dispatch(&mut self, span: Span) {
        let Some(Running {
            way:
                Way::Resumed {
                    dispatches,
                    points,
                    goal,
                    ..
                },
            ..
        }) = &mut self.running
        else {
            return;
        };
        let (goal, last) = (*goal, *points);
        let Some(mut d) = dispatches.pop() else {
            return;
        };
        if let (Some(outer), true) = (dispatches.last_mut(), d.first <= last) {
            outer.targets.push((d.first, last, d.block));
        }
        self.graph.enter(d.block);
        let on_the_way = self.var(goal, span);
        let number = |n: i64| build::int(n, Type::Int, span);
        d.targets.insert(0, (0, 0, d.rest));
        let (last, others) = (d.targets.pop(), d.targets);
        for (low, high, to) in others {
            // The targets are in ascending order.
            let here = build::op(
                Op::Le(Num::Int),
                vec![on_the_way.clone(), number(high)],
                Type::Bool,
                span,
            );
            let here = if low == high {
                build::op(
                    Op::Eq,
                    vec![on_the_way.clone(), number(high)],
                    Type::Bool,
                    span,
                )
            } else {
                here
            };
            let next = self.graph.block(None, span);
            self.graph.branch(here, to, next);
            self.graph.enter(next);
        }
        if let Some((.., to)) = last {
            self.graph.goto(to);
        }
    }

    /// Keeps the variables that some block reads as another one left them while the body waits.
    fn keep_variables(
        &mut self,
        id: TypeId,
        blocks: &mut [Block],
        vars: &[ir::VarInfo],
        known: &SortedSet<Var>,
    ) {
        let mut kept = SortedSet::new();
        for block in blocks.iter() {
            super::uses::exposed(block, &mut kept);
        }
        let kept: Vec<(FieldId, Var)> = kept
            .difference(known)
            .filter_map(|v| {
                vars.get(v.0 as usize).map(|i| {
                    (
                        self.hide(id, &format!("${}", i.name), i.ty.clone(), i.ghost),
                        *v,
                    )
                })
            })
            .collect();
        for block in blocks {
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

/// Whether the body has not ended.
fn is_running(this: &Expr, at: FieldId) -> Expr {
    let zero = build::int(0, Type::Int, this.span);
    build::op(
        Op::Le(Num::Int),
        vec![zero, read(this, at, Type::Int)],
        Type::Bool,
        this.span,
    )
}
