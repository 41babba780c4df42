//! Frame conditions as obligations.
//!
//! If obligations are goals, everything that a callable reads or writes must lie within its `reads`
//! and `modifies` clauses, at each access and at each call (reference manual, sections 5.1.3 and
//! 5.1.5). [`LoopFrame`] holds the frame of a loop. The `oblige_…` functions add assertions about
//! writes; [`Lowerer::reading`] and [`Lowerer::obliged_call`] add checks about reads. The hard part
//! is to find the frame that binds: that of the innermost lambda, of the callable, of a loop or of
//! an iterator.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, CallableId, CallableKind, FieldId, Type};
use dafny_source::{Name, Span};
use dtest_desugar::GeneratedCode as _;
use dtest_ir::reason::Construct;
use dtest_ir::{
    AssertKind, Check, ContractPart, Domain, Expr, ExprKind, Op, Quantified, StmtKind, StoreTarget,
};

/// The kind of an access, which determines the clause that must allow it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Write,
    Read,
}

/// A part of a frame: an object or a collection of objects.
struct Part {
    /// `None` means all objects.
    objects: Option<Expr>,
    field: Option<FieldId>,
}

/// The frame of a loop or of a `modify` statement, evaluated at its entry.
#[derive(Clone)]
pub(super) struct LoopFrame {
    /// The objects; no iteration changes their values.
    frames: Vec<dtest_ir::Frame>,
    /// The label of the state at the entry.
    label: Name,
}

/// The frames of the statements and lambdas around the current place.
#[derive(Default)]
pub(super) struct ActiveFrames<'p> {
    /// The frames of the enclosing loops, outermost first, if obligations are goals. The innermost
    /// one applies.
    loops: Vec<LoopFrame>,
    /// The `reads` clauses of the enclosing lambdas, outermost first.
    lambdas: Vec<&'p [typed::Frame]>,
}

impl ActiveFrames<'_> {
    /// Whether a lambda with a frame of its own surrounds the current place.
    pub(super) fn is_in_lambda(&self) -> bool {
        !self.lambdas.is_empty()
    }
}

impl<'p> Lowerer<'p> {
    /// Lowers a loop, or the body of a `modify` statement, with a frame that restricts it further.
    ///
    /// The frame names the objects that existed at its entry and may be written; it must lie within
    /// the frame that binds at the statement (reference manual, sections 8.15.4 and 8.24). With
    /// `None`, the body may write what the surrounding frame allows.
    pub(super) fn in_frame(
        &mut self,
        frames: Option<&'p Vec<typed::Frame>>,
        span: Span,
        work: impl FnOnce(&mut Self),
    ) {
        let Some(frames) =
            frames.filter(|frames| self.has_obligations() && !frames.iter().any(|f| f.star))
        else {
            return work(self);
        };
        let mut frames = self.frames(frames);
        for frame in &mut frames {
            frame.object = frame
                .object
                .take()
                .map(|object| self.steady(object, "$frame"));
            self.oblige_modify(
                std::slice::from_ref(frame),
                Span::new(span.start, frame.span.end),
            );
        }
        let label: Name = format!("$loop {}", span.start).into();
        self.graph.read_labels([label.clone()]);
        self.execute(StmtKind::Snapshot(label.clone()), span);
        self.frames.loops.push(LoopFrame { frames, label });
        work(self);
        self.frames.loops.pop();
    }

    /// Lowers the body of a lambda, within its `reads` clause.
    pub(super) fn within_reads<T>(
        &mut self,
        reads: &'p [typed::Frame],
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.frames.lambdas.push(reads);
        let result = work(self);
        self.frames.lambdas.pop();
        result
    }

    /// Returns the frame of a loop without a `modifies` clause: that of the surrounding loop, if it
    /// has one.
    pub(super) fn frames_around(&self) -> Option<Vec<dtest_ir::Frame>> {
        self.frames.loops.last().map(|around| around.frames.clone())
    }

    /// Asserts that a field of an object, or an element of an array, may be written.
    pub(super) fn oblige_write(&mut self, object: &Expr, field: Option<FieldId>, span: Span) {
        if let Some(cond) = self.may_touch(Touch::Write, object, field, span) {
            self.assert(Expr { span, ..cond }, AssertKind::Frame);
        }
    }

    /// Asserts that everything that a `forall` statement stores may be written.
    pub(super) fn oblige_writes(&mut self, vars: &Quantified, target: &StoreTarget, span: Span) {
        let cond = match target {
            StoreTarget::Field(object, field) => {
                self.may_touch(Touch::Write, object, Some(*field), span)
            }
            StoreTarget::Element(array, _) => self.may_touch(Touch::Write, array, None, span),
        };
        if let Some(cond) = cond {
            let kind = ExprKind::Quantifier {
                forall: true,
                vars: vars.clone(),
                body: Box::new(cond),
            };
            self.assert(build::expr(kind, Type::Bool, span), AssertKind::Frame);
        }
    }

    /// Asserts that the frame of a `modify` statement may be written.
    pub(super) fn oblige_modify(&mut self, frames: &[dtest_ir::Frame], span: Span) {
        for frame in frames {
            let part = Part {
                objects: frame.object.clone(),
                field: frame.field,
            };
            if let Some(cond) = self.is_within(Touch::Write, part, frame.span) {
                self.assert(Expr { span, ..cond }, AssertKind::Frame);
            }
        }
    }

    /// Asserts that the caller may write everything that the callee may write.
    pub(super) fn oblige_call_frame(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Expr],
        span: Span,
    ) {
        if !self.has_frame(Touch::Write) {
            return;
        }
        for part in self.parts_of_callee(Touch::Write, callee, type_args, args, span) {
            if let Some(cond) = self.is_within(Touch::Write, part, span) {
                self.assert(Expr { span, ..cond }, AssertKind::Frame);
            }
        }
    }

    /// Adds a check that the function being lowered may perform a read of the heap.
    pub(super) fn reading(&mut self, read: Expr) -> Expr {
        if !self.has_frame(Touch::Read) {
            return read;
        }
        let mut bindings = Vec::new();
        let span = read.span;
        let is_of_heap = !matches!(&read.kind, ExprKind::ReadField(_, field) if !self.program[*field].kind.is_mutable());
        // Each form of a read has its own permission. The object is shared between the check and
        // the read.
        let (read, cond) = if is_of_heap && let ExprKind::ReadField(object, field) = read.kind {
            let object = self.share(*object, "$object", &mut bindings);
            let cond = self.may_touch(Touch::Read, &object, Some(field), span);
            (
                Expr {
                    kind: ExprKind::ReadField(Box::new(object), field),
                    ..read
                },
                cond,
            )
        } else if let ExprKind::ReadElement(array, indices) = read.kind {
            let array = self.share(*array, "$object", &mut bindings);
            let cond = self.may_touch(Touch::Read, &array, None, span);
            (
                Expr {
                    kind: ExprKind::ReadElement(Box::new(array), indices),
                    ..read
                },
                cond,
            )
        // A function value reads objects of its own `reads` clause, which depends on the arguments.
        } else if let ExprKind::Apply(function, args) = read.kind {
            let function = self.share(*function, "$object", &mut bindings);
            let args: Vec<Expr> = args
                .into_iter()
                .map(|a| self.share(a, "$argument", &mut bindings))
                .collect();
            let cond = self.may_read_what_is_read(&function, &args, span);
            (
                Expr {
                    kind: ExprKind::Apply(Box::new(function), args),
                    ..read
                },
                cond,
            )
        } else if let ExprKind::Op(op @ (Op::FunctionReads | Op::FunctionRequires), operands) =
            read.kind
        {
            let operands: Vec<Expr> = operands
                .into_iter()
                .map(|a| self.share(a, "$argument", &mut bindings))
                .collect();
            let cond = operands
                .split_first()
                .and_then(|(function, args)| self.may_read_what_is_read(function, args, span));
            (
                Expr {
                    kind: ExprKind::Op(op, operands),
                    ..read
                },
                cond,
            )
        } else if let ExprKind::Op(Op::ArraySlice, args) = read.kind {
            let args: Vec<Expr> = args
                .into_iter()
                .map(|a| self.share(a, "$object", &mut bindings))
                .collect();
            let cond = args
                .first()
                .and_then(|array| self.may_touch(Touch::Read, array, None, span));
            (
                Expr {
                    kind: ExprKind::Op(Op::ArraySlice, args),
                    ..read
                },
                cond,
            )
        } else {
            (read, None)
        };
        build::lets(bindings, only_if(Check::Reads, cond, read))
    }

    /// Returns the condition that the `reads` clause of a function value for these arguments lies
    /// within the frame; `None` if it always does.
    pub(super) fn may_read_what_is_read(
        &mut self,
        function: &Expr,
        args: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        if !self.may_read_heap(&function.ty) {
            return None;
        }
        let objects = Type::Set {
            finite: true,
            elem: Box::new(Type::Object { nullable: false }),
        };
        let operands = std::iter::once(function.clone())
            .chain(args.iter().cloned())
            .collect();
        let objects = build::op(Op::FunctionReads, operands, objects, span);
        self.is_within(
            Touch::Read,
            Part {
                objects: Some(objects),
                field: None,
            },
            span,
        )
    }

    /// Whether functions of a type may read the heap.
    pub(super) fn may_read_heap(&self, ty: &Type) -> bool {
        matches!(
            self.program.strip_subset(ty),
            Type::Arrow {
                kind: typed::ArrowKind::General,
                ..
            }
        )
    }

    /// Lowers `unchanged(…)` with a check that the objects may be read.
    pub(super) fn reading_unchanged(&mut self, frames: &[dtest_ir::Frame], value: Expr) -> Expr {
        if !self.has_frame(Touch::Read) {
            return value;
        }
        let mut whole = value;
        for part in frames.iter().map(|f| Part {
            objects: f.object.clone(),
            field: f.field,
        }) {
            let span = part.objects.as_ref().map_or(whole.span, |o| o.span);
            if let Some(cond) = self.is_within(Touch::Read, part, span) {
                whole = only_if(Check::Reads, Some(cond), Expr { span, ..whole });
            }
        }
        whole
    }

    /// Adds checks to a call of a function: the callee's measure must be smaller than the caller's,
    /// unless the call is co-recursive, and the caller must be allowed to read what the callee
    /// reads.
    pub(super) fn obliged_call(&mut self, call: Expr, is_corecursive: bool) -> Expr {
        let ExprKind::Call { callee, .. } = &call.kind else {
            return call;
        };
        // The specification of a by-method function is no recursive call of its method.
        let recurses = !self.callable.by_method
            && !is_corecursive
            && self.callable.id.is_some_and(|c| {
                self.has_obligations() && self.program.is_recursive_call(c, *callee)
            });
        let reads = self.has_frame(Touch::Read) && !self.program[*callee].spec.reads.is_empty();
        if !recurses && !reads {
            return call;
        }
        let (span, ty) = (call.span, call.ty.clone());
        let ExprKind::Call {
            callee,
            type_args,
            args,
            label,
        } = call.kind
        else {
            return call;
        };
        // The measure, the frame and the call use the same arguments, which must be evaluated once.
        let mut bindings = Vec::new();
        let args: Vec<Expr> = args
            .into_iter()
            .map(|a| self.share(a, "$argument", &mut bindings))
            .collect();
        let caller = self.callable.id.filter(|_| recurses);
        let smaller = caller.and_then(|c| self.call_decreases(c, callee, &type_args, &args, span));
        let parts = self.parts_of_callee(Touch::Read, callee, &type_args, &args, span);
        let mut whole = only_if(
            Check::Decreases,
            smaller,
            build::expr(
                ExprKind::Call {
                    callee,
                    type_args,
                    args,
                    label,
                },
                ty,
                span,
            ),
        );
        for part in parts {
            let cond = self.is_within(Touch::Read, part, span);
            whole = only_if(Check::Reads, cond, whole);
        }
        build::lets(bindings, whole)
    }

    /// Whether a frame binds at this point.
    fn has_frame(&self, touch: Touch) -> bool {
        self.binding(touch).is_some() || self.loop_frame(touch).is_some()
    }

    /// Returns the frame of the innermost loop with a frame, if it binds here.
    fn loop_frame(&self, touch: Touch) -> Option<LoopFrame> {
        let is_followed = !self.iterator.is_running() || self.driven_frames().is_some();
        let binds = touch == Touch::Write && is_followed && !self.frames.is_in_lambda();
        self.frames.loops.last().filter(|_| binds).cloned()
    }

    /// Returns the frame that binds here: that of the innermost lambda or of the callable; `None`
    /// if there is none or if it allows everything.
    fn binding(&self, touch: Touch) -> Option<&'p [typed::Frame]> {
        let program = self.program;
        if self.iterator.is_running() {
            // The frame of an iterator restricts the writes of its body.
            let binds =
                touch == Touch::Write && self.has_obligations() && !self.frames.is_in_lambda();
            return self
                .driven_frames()
                .filter(|frames| binds && !frames.iter().any(|f| f.star));
        }
        let caller = self.callable.id.filter(|_| self.has_obligations())?;
        let (is_bound, is_constant) = (
            program.is_bound_contract(caller),
            program.is_constant_value(caller),
        );
        let caller = &program[caller];
        let frames: &'p [typed::Frame] = match (touch, caller.kind, self.frames.lambdas.last()) {
            // An older state does not change, so reading it needs no permission.
            (Touch::Read, _, _) if self.evaluation.is_older => return None,
            (Touch::Read, _, Some(reads)) => reads,
            (Touch::Read, _, None) if is_bound => &caller.spec.reads,
            (Touch::Read, _, None) if is_constant => &[],
            (Touch::Write, CallableKind::Method | CallableKind::Constructor, None) => {
                &caller.spec.modifies
            }
            // A by-method body writes only what it allocates.
            (Touch::Write, CallableKind::Function, None) if self.callable.by_method => &[],
            // A by-method body may read everything; only the function is restricted.
            (
                Touch::Read,
                CallableKind::Function
                | CallableKind::TwostateFunction
                | CallableKind::LeastPredicate
                | CallableKind::GreatestPredicate,
                None,
            ) if !self.callable.by_method => &caller.spec.reads,
            (Touch::Write | Touch::Read, _, _) => return None,
        };
        (!frames.iter().any(|f| f.star)).then_some(frames)
    }

    /// Returns the condition that an object may be accessed; `None` if it always may.
    fn may_touch(
        &mut self,
        touch: Touch,
        object: &Expr,
        field: Option<FieldId>,
        span: Span,
    ) -> Option<Expr> {
        if touch == Touch::Write && self.is_driven_iterator(object) {
            return None;
        }
        // The frame of a loop replaces that of the callable: it was shown to lie within it.
        if let Some(frame) = self.loop_frame(touch) {
            return Some(self.is_in_loop_frame(frame, object, field, span));
        }
        let frames = self.binding(touch)?;
        let is_constructor = self
            .callable
            .id
            .is_some_and(|c| self.program[c].kind == CallableKind::Constructor);
        let equal = |a: Expr, b: Expr| build::op(Op::Eq, vec![a, b], Type::Bool, span);
        let mut allowed = Vec::new();
        // The null reference denotes no object.
        if self.is_nullable(&object.ty) {
            let null = build::expr(
                ExprKind::Literal(typed::Literal::Null),
                object.ty.clone(),
                span,
            );
            allowed.push(equal(object.clone(), null));
        }
        // A method may also write its new objects, and a constructor the object under construction.
        if touch == Touch::Write {
            if is_constructor {
                let this = self.this(span);
                allowed.push(equal(object.clone(), this));
            }
            allowed.push(build::expr(
                ExprKind::Fresh(None, Box::new(object.clone())),
                Type::Bool,
                span,
            ));
        }
        // The `modifies` clause refers to the state in which the callable was entered.
        for frame in self.without_obligations(|l| l.frames(frames)) {
            let Some(objects) = objects_for(frame, field) else {
                continue;
            };
            let objects = match touch {
                Touch::Write => {
                    let (ty, span) = (objects.ty.clone(), objects.span);
                    build::expr(ExprKind::Old(None, Box::new(objects)), ty, span)
                }
                Touch::Read => objects,
            };
            allowed.push(self.is_among(object, objects, span));
        }
        Some(
            allowed
                .into_iter()
                .reduce(build::or)
                .unwrap_or_else(|| build::boolean(false, span)),
        )
    }

    /// Returns the condition that an object may be written in a loop with a `modifies` clause.
    fn is_in_loop_frame(
        &mut self,
        frame: LoopFrame,
        object: &Expr,
        field: Option<FieldId>,
        span: Span,
    ) -> Expr {
        let is_new = build::expr(
            ExprKind::Fresh(Some(frame.label), Box::new(object.clone())),
            Type::Bool,
            span,
        );
        let objects = frame
            .frames
            .into_iter()
            .filter_map(|f| objects_for(f, field));
        let allowed: Vec<Expr> = objects
            .map(|objects| self.is_among(object, objects, span))
            .collect();
        let allowed = allowed.into_iter().fold(is_new, build::or);
        if !self.is_nullable(&object.ty) {
            return allowed;
        }
        let null = build::expr(
            ExprKind::Literal(typed::Literal::Null),
            object.ty.clone(),
            span,
        );
        build::or(
            build::op(Op::Eq, vec![object.clone(), null], Type::Bool, span),
            allowed,
        )
    }

    /// Returns the condition that an object equals another one or belongs to a collection of
    /// objects.
    fn is_among(&self, object: &Expr, objects: Expr, span: Span) -> Expr {
        match (
            self.coll(&objects.ty),
            self.program.strip_subset(&objects.ty),
        ) {
            (Some(coll), _) => build::op(
                Op::In(coll),
                vec![object.clone(), objects],
                Type::Bool,
                span,
            ),
            (None, Type::Arrow { .. }) => {
                build::unsupported(Construct::FrameFunction, Type::Bool, span)
            }
            (None, _) => build::op(Op::Eq, vec![object.clone(), objects], Type::Bool, span),
        }
    }

    /// Returns the condition that all objects of a part may be accessed; `None` if they always may.
    fn is_within(&mut self, touch: Touch, part: Part, span: Span) -> Option<Expr> {
        if !self.has_frame(touch) {
            return None;
        }
        // A frame of all objects exceeds every other frame.
        let Some(objects) = part.objects else {
            return Some(build::boolean(false, span));
        };
        let own = self.program.representation(&objects.ty);
        let elem = if let Type::Set { elem, .. } | Type::Seq(elem) | Type::Multiset(elem) = own {
            *elem
        } else if matches!(own, Type::Arrow { .. }) {
            return Some(build::unsupported(
                Construct::FrameFunction,
                Type::Bool,
                span,
            ));
        } else {
            return self.may_touch(touch, &objects, part.field, span);
        };
        // For a collection, every element must be allowed.
        let var = self.temp("$object", elem.clone(), span);
        let object = build::expr(ExprKind::Var(var), elem, span);
        let cond = self.may_touch(touch, &object, part.field, span)?;
        let vars = Quantified {
            vars: vec![var],
            range: None,
            bounds: Some(vec![(var, Domain::Elements(Box::new(objects)))]),
        };
        Some(build::expr(
            ExprKind::Quantifier {
                forall: true,
                vars,
                body: Box::new(cond),
            },
            Type::Bool,
            span,
        ))
    }

    /// Returns the parts of a callee's frame for these arguments.
    fn parts_of_callee(
        &mut self,
        touch: Touch,
        callee: CallableId,
        type_args: &[Type],
        args: &[Expr],
        span: Span,
    ) -> Vec<Part> {
        let declared = &self.program[callee];
        let frames = match touch {
            Touch::Write => &declared.spec.modifies,
            Touch::Read => &declared.spec.reads,
        };
        let map = self
            .program
            .all_type_params(callee)
            .into_iter()
            .zip(type_args.iter().cloned())
            .collect();
        let mut parts = Vec::new();
        // A part without an object refers to the receiver; a star, to all objects.
        for (i, frame) in (0..).zip(frames) {
            let ty = match (&frame.object, args.first()) {
                _ if frame.star => None,
                (Some(object), _) => Some(object.ty.subst(&map)),
                (None, this) => this.map(|t| t.ty.clone()),
            };
            let part = match touch {
                Touch::Write => ContractPart::Modifies(i),
                Touch::Read => ContractPart::Reads(i),
            };
            // The callee's clause is evaluated for the arguments.
            let value = |ty: Type| {
                let kind = ExprKind::OfContract {
                    callee,
                    part,
                    type_args: type_args.to_vec(),
                    args: args.to_vec(),
                };
                build::expr(kind, ty, span)
            };
            parts.push(Part {
                objects: ty.map(value),
                field: frame.field,
            });
        }
        parts
    }
}

/// Returns the objects of a frame that allows access to a field, or to all fields if `field` is
/// `None`.
fn objects_for(frame: dtest_ir::Frame, field: Option<FieldId>) -> Option<Expr> {
    frame
        .object
        .filter(|_| frame.field.is_none() || frame.field == field)
}

/// Returns a value after a check, if there is a condition.
pub(super) fn only_if(check: Check, cond: Option<Expr>, value: Expr) -> Expr {
    let Some(cond) = cond else { return value };
    let (ty, span) = (value.ty.clone(), value.span);
    let clause = Box::new(dtest_ir::Clause { cond, span });
    build::expr(ExprKind::Checked(check, clause, Box::new(value)), ty, span)
}
