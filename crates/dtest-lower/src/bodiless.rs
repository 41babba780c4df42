//! Loops without bodies, which do what their specification allows (reference manual, "Loops without
//! bodies").
//!
//! A local variable or out-parameter in the guard, the invariants or the measure gets an arbitrary
//! value. So does the heap within the frame, if the loop has a `modifies` clause or one of these
//! reads the heap; without that clause, so do the objects that the method allocated, and new
//! objects may exist. Afterwards the invariants hold and the guard does not.

use super::{Lowerer, build};
use dafny_resolve::typed::visit::{Visit, walk_call, walk_expr};
use dafny_resolve::typed::{
    self, Call, ExprKind, FieldKind, Guard, LocalId, LoopSpec, Origin, Temporal, Type,
};
use dafny_source::Span;
use dtest_ir::{self as ir, AssertKind, Assumed, Changed, Expr, Frame, Num, Op, StmtKind};
use dtest_sorted::SortedSet;

/// The locations that a specification mentions.
struct Mentions<'p> {
    program: &'p typed::Program,
    locals: SortedSet<LocalId>,
    heap: bool,
}

impl<'p> Visit<'p> for Mentions<'p> {
    fn expr(&mut self, e: &'p typed::Expr) {
        match e.kind.origin() {
            Some(Origin::Local(local)) => {
                if self.program[local].mutable {
                    self.locals.insert(local);
                }
            }
            Some(Origin::Field(field)) => {
                self.heap |= matches!(self.program[field].kind, FieldKind::Mutable)
            }
            // Handled in `call`.
            Some(Origin::Call(_)) => {}
            Some(Origin::Function(_) | Origin::Ctor(..)) | None => {}
        }
        if let ExprKind::Index { object, .. } | ExprKind::Slice { object, .. } = &e.kind {
            self.heap |= matches!(self.program.strip_subset(&object.ty), Type::Array { .. });
        }
        self.heap |= matches!(
            e.kind.temporal(),
            Some(Temporal::Unchanged(_) | Temporal::Allocated(_))
        );
        let before = self.heap;
        walk_expr(self, e);
        // Reading an older state does not mention the current one.
        if let ExprKind::Old { .. } = e.kind {
            self.heap = before;
        }
    }

    fn call(&mut self, c: &'p Call) {
        self.heap |= !self.program[c.callee].spec.reads.is_empty();
        walk_call(self, c);
    }
}

impl<'p> Lowerer<'p> {
    /// Lowers a `while` loop without a body.
    pub(super) fn bodiless_while(&mut self, guard: &'p Guard, spec: &'p LoopSpec, span: Span) {
        self.oblige_invariants(&spec.invariants, AssertKind::Invariant);
        let mut mentions = self.mentions(spec);
        match guard {
            Guard::Expr(e) => mentions.expr(e),
            Guard::Binding(q) => mentions.quantified(q),
            Guard::Star => {}
        }
        self.forget_mentioned(&mentions, spec, span);
        self.grant_invariants(spec);
        let holds = match guard {
            Guard::Expr(e) => Some(self.pure(|l| l.expr(e))),
            Guard::Binding(q) => {
                let vars = self.quantified(q);
                Some(build::exists(vars, q.span))
            }
            Guard::Star => None,
        };
        if let Some(holds) = holds {
            self.grant(build::not(holds), span);
        }
    }

    /// Lowers a `for` loop without a body.
    pub(super) fn bodiless_for(&mut self, l: &super::loops::For<'p>, span: Span) {
        let from = self.expr(l.from);
        let from = self.steady(from, "$from");
        let to = l.to.map(|e| self.expr(e)).map(|e| self.steady(e, "$to"));
        let index = self.local(l.index);
        self.assign(index, from.clone(), span);
        let i = self.var(index, self.program[l.index].span);
        let num = self.num(&i.ty).unwrap_or(Num::Int);
        if let Some(to) = &to {
            let (low, high) = if l.down { (to, &from) } else { (&from, to) };
            let ordered = build::op(
                Op::Le(num),
                vec![low.clone(), high.clone()],
                Type::Bool,
                span,
            );
            self.assert(ordered, AssertKind::LoopRange);
        }
        self.oblige_invariants(&l.spec.invariants, AssertKind::Invariant);
        let mut mentions = self.mentions(l.spec);
        mentions.locals.remove(&l.index);
        self.forget_mentioned(&mentions, l.spec, span);
        match to {
            Some(to) => self.assign(index, to, span),
            None => self.grant(build::boolean(false, span), span),
        }
        self.grant_invariants(l.spec);
    }

    fn mentions(&self, spec: &'p LoopSpec) -> Mentions<'p> {
        let mut mentions = Mentions {
            program: self.program,
            locals: SortedSet::new(),
            heap: spec.modifies.is_some(),
        };
        spec.invariants.iter().for_each(|c| mentions.expr(&c.cond));
        spec.decreases.iter().for_each(|e| mentions.expr(e));
        mentions
    }

    /// Gives arbitrary values to everything that is mentioned.
    fn forget_mentioned(&mut self, mentions: &Mentions<'p>, spec: &'p LoopSpec, span: Span) {
        // A variable may denote an object created by the omitted body, so one object of each
        // possible type is allocated.
        if mentions.heap {
            let types: SortedSet<Type> = mentions
                .locals
                .iter()
                .flat_map(|l| self.new_objects_of(&self.program[*l].ty))
                .collect();
            types.into_iter().for_each(|ty| drop(self.made(ty, span)));
        }
        for local in &mentions.locals {
            // Each variable is a choice of its own.
            if let Some(var) = self.known_local(*local) {
                self.graph
                    .push(StmtKind::Havoc(var), self.program[*local].span);
            }
        }
        if !mentions.heap {
            return;
        }
        // The `modifies` clause of the loop, of an enclosing loop or of the callable, in this
        // order, bounds the changes.
        let frames = match &spec.modifies {
            Some(frames) => {
                let frames = self.frames(frames);
                let to = frames.last().map_or(span.end, |f| f.span.end);
                self.oblige_modify(&frames, Span::new(span.start, to));
                frames
            }
            None => self.changed_by_loop(span),
        };
        self.graph
            .push(StmtKind::HavocHeap(frames, Changed::Here), span);
    }

    /// Returns what a loop may change at the current place: the frame of the innermost loop that
    /// has one, or else that of the callable with the objects that it allocated.
    pub(super) fn changed_by_loop(&mut self, span: Span) -> Vec<Frame> {
        if let Some(frames) = self.frames_around() {
            return frames;
        }
        let Some(caller) = self.callable.id else {
            return Vec::new();
        };
        let program = self.program;
        let mut frames = self.without_obligations(|l| l.frames(&program[caller].spec.modifies));
        for frame in &mut frames {
            let old = |e: Expr| {
                let (ty, span) = (e.ty.clone(), e.span);
                build::expr(ir::ExprKind::Old(None, Box::new(e)), ty, span)
            };
            frame.object = frame.object.take().map(old);
        }
        // Objects allocated in the callable may change as well.
        frames.push(self.allocated_here(span));
        frames
    }

    /// Returns the objects that the current callable allocated, as a frame.
    fn allocated_here(&mut self, span: Span) -> Frame {
        let objects = Type::Set {
            finite: true,
            elem: Box::new(Type::Object { nullable: false }),
        };
        let is_new = |object| {
            build::expr(
                ir::ExprKind::Fresh(None, Box::new(object)),
                Type::Bool,
                span,
            )
        };
        Frame {
            object: Some(self.objects_such_that(&objects, span, is_new)),
            field: None,
            span,
        }
    }

    fn grant_invariants(&mut self, spec: &'p LoopSpec) {
        for clause in self.clauses(&spec.invariants) {
            self.grant(clause.cond, clause.span);
        }
    }

    /// Adds an assumption of the language.
    fn grant(&mut self, cond: Expr, span: Span) {
        self.graph.push(
            StmtKind::Assume {
                cond,
                by: Assumed::Caller,
            },
            span,
        );
    }
}
