//! Obligations about older states: locations and objects that are read, called or passed there were
//! allocated there (reference manual, sections "Old and Old@ Expressions" and "Unchanged
//! Expressions", and those on two-state functions and lemmas).

use super::frames::only_if;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, CallableId, Type};
use dafny_source::{Name, Span};
use dtest_ir::reason::Construct;
use dtest_ir::{self as ir, AssertKind, Check, Expr, ExprKind, Op, Var};

/// The state in which something has to be allocated.
enum There {
    /// The state that is being read.
    Here,
    /// The earlier state, or that of a label.
    Before(Option<Name>),
}

/// The arguments of a call with their obligations.
pub(super) struct Known {
    pub(super) args: Vec<Expr>,
    /// The bindings around the call.
    pub(super) bindings: Vec<(Var, Expr)>,
    /// The conditions that they were allocated.
    pub(super) needs: Vec<Expr>,
}

impl<'p> Lowerer<'p> {
    /// Adds the obligation of a read or an application in an older state: its operands were
    /// allocated there.
    pub(super) fn known_there(&mut self, e: Expr) -> Expr {
        if !self.evaluation.is_older || !self.has_obligations() {
            return e;
        }
        let mut bindings = Vec::new();
        let mut needs = Vec::new();
        let Expr { kind, ty, span } = e;
        // Each operand that denotes an object must exist in the older state.
        let mut one =
            |l: &mut Self, operand: Expr| l.need(operand, &There::Here, &mut bindings, &mut needs);
        let kind = match kind {
            ExprKind::ReadField(object, field) => {
                ExprKind::ReadField(Box::new(one(self, *object)), field)
            }
            ExprKind::ReadElement(array, indices) => {
                ExprKind::ReadElement(Box::new(one(self, *array)), indices)
            }
            ExprKind::Const {
                field,
                type_args,
                object: Some(object),
            } => ExprKind::Const {
                field,
                type_args,
                object: Some(Box::new(one(self, *object))),
            },
            ExprKind::Op(op @ (Op::Destruct(_) | Op::ArrayLength(_) | Op::ArraySlice), args) => {
                let mut args = args.into_iter();
                let first = args.next().map(|a| one(self, a));
                ExprKind::Op(op, first.into_iter().chain(args).collect())
            }
            // A function value may read objects, which must exist there as well.
            ExprKind::Apply(function, args) => {
                let args = args.into_iter().map(|a| one(self, a)).collect();
                let (function, args) =
                    self.need_what_it_reads(*function, args, &mut bindings, &mut needs);
                ExprKind::Apply(Box::new(function), args)
            }
            kind @ (ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Op(..)
            | ExprKind::Const { .. }
            | ExprKind::FunctionRef { .. }) => kind,
            kind @ (ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)) => kind,
            kind @ (ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)) => kind,
            kind @ (ExprKind::MapComp(..)
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::Call { .. }) => kind,
            kind @ (ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)) => kind,
            kind @ (ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Checked(..)
            | ExprKind::OfContract { .. }) => kind,
            kind @ ExprKind::Unsupported(_) => kind,
        };
        build::lets(bindings, asserting(needs, build::expr(kind, ty, span)))
    }

    /// Adds the obligations of a read: the object exists in the state of evaluation, and the frame
    /// allows it.
    pub(super) fn readable_there(&mut self, value: Expr) -> Expr {
        let value = self.known_there(value);
        self.reading(value)
    }

    /// Adds the obligations of a function call's arguments. In an older state, all of them were
    /// allocated there; the arguments of a two-state function were allocated in its earlier state,
    /// except for `new` parameters.
    pub(super) fn known_arguments(
        &mut self,
        callee: CallableId,
        args: Vec<Expr>,
        label: Option<&Name>,
    ) -> Known {
        let Some(news) = self.needs_of_call(callee) else {
            return Known {
                args,
                bindings: Vec::new(),
                needs: Vec::new(),
            };
        };
        let there = if self.evaluation.is_older {
            There::Here
        } else {
            There::Before(label.cloned())
        };
        let (mut bindings, mut needs) = (Vec::new(), Vec::new());
        let is_free = |i: usize| news.get(i).is_some_and(|is_new| *is_new);
        let numbered = args.into_iter().enumerate();
        let args = numbered
            .map(|(i, a)| {
                if is_free(i) {
                    a
                } else {
                    self.need(a, &there, &mut bindings, &mut needs)
                }
            })
            .collect();
        Known {
            args,
            bindings,
            needs,
        }
    }

    /// Adds the same obligations as assertions, for a call of a two-state lemma or of a method in
    /// an older state.
    pub(super) fn obligation_known_there(
        &mut self,
        callee: CallableId,
        args: &[Expr],
        label: Option<&Name>,
    ) {
        let Some(news) = self.needs_of_call(callee) else {
            return;
        };
        for (i, arg) in args.iter().enumerate() {
            let is_free = news.get(i).is_some_and(|is_new| *is_new);
            if is_free || self.program.holds_no_references(&arg.ty) {
                continue;
            }
            let there = if self.evaluation.is_older {
                There::Here
            } else {
                There::Before(label.cloned())
            };
            let cond = allocated(arg.clone(), &there);
            self.pure(|l| l.assert(cond, AssertKind::Allocated));
        }
    }

    /// Adds the obligation of a two-state function as a value: its receiver was allocated in the
    /// earlier state.
    pub(super) fn receiver_known_there(&mut self, e: Expr) -> Expr {
        let ExprKind::FunctionRef { callee, .. } = &e.kind else {
            return e;
        };
        let is_two_state = self.program[*callee].is_two_state;
        if !self.has_obligations() || !(is_two_state || self.evaluation.is_older) {
            return e;
        }
        // A two-state function reads its own earlier state; another function reads the state in
        // which it is named.
        let there = if is_two_state {
            There::Before(None)
        } else {
            There::Here
        };
        let Expr {
            kind:
                ExprKind::FunctionRef {
                    callee,
                    type_args,
                    receiver,
                },
            ty,
            span,
        } = e
        else {
            return e;
        };
        let (mut bindings, mut needs) = (Vec::new(), Vec::new());
        let receiver = receiver.map(|r| Box::new(self.need(*r, &there, &mut bindings, &mut needs)));
        let value = match self.is_old_demanded(callee) {
            true => build::unsupported(Construct::TwoStateValue, ty, span),
            false => {
                let kind = ExprKind::FunctionRef {
                    callee,
                    type_args,
                    receiver,
                };
                build::expr(kind, ty, span)
            }
        };
        build::lets(bindings, asserting(needs, value))
    }

    /// Returns for each argument of a call, the receiver first, whether it need not be allocated.
    /// `None`: there are no obligations.
    fn needs_of_call(&self, callee: CallableId) -> Option<Vec<bool>> {
        if !self.has_obligations() {
            return None;
        }
        let callee = &self.program[callee];
        match (self.evaluation.is_older, callee.is_two_state) {
            (true, _) => Some(Vec::new()),
            (false, true) => {
                let receiver = (!callee.is_static).then_some(false);
                Some(
                    receiver
                        .into_iter()
                        .chain(callee.ins.iter().map(|f| f.is_new))
                        .collect(),
                )
            }
            (false, false) => None,
        }
    }

    /// Binds an operand to an atom, and adds the condition that it was allocated.
    fn need(
        &mut self,
        operand: Expr,
        there: &There,
        bindings: &mut Vec<(Var, Expr)>,
        needs: &mut Vec<Expr>,
    ) -> Expr {
        let is_function = matches!(self.program.strip_subset(&operand.ty), Type::Arrow { .. });
        if self.program.holds_no_references(&operand.ty)
            || is_function && !self.may_read_heap(&operand.ty)
        {
            return operand;
        }
        let operand = self.share(operand, "$known", bindings);
        needs.push(allocated(operand.clone(), there));
        operand
    }

    /// Binds a function value and its arguments to atoms, and adds the condition that everything it
    /// reads was allocated. A function that reads nothing is the same in all states.
    fn need_what_it_reads(
        &mut self,
        function: Expr,
        args: Vec<Expr>,
        bindings: &mut Vec<(Var, Expr)>,
        needs: &mut Vec<Expr>,
    ) -> (Expr, Vec<Expr>) {
        if !self.may_read_heap(&function.ty) {
            return (function, args);
        }
        let function = self.share(function, "$function", bindings);
        let args: Vec<Expr> = args
            .into_iter()
            .map(|a| self.share(a, "$argument", bindings))
            .collect();
        let (span, operands) = (
            function.span,
            std::iter::once(function.clone())
                .chain(args.iter().cloned())
                .collect(),
        );
        let objects = Type::Set {
            finite: true,
            elem: Box::new(Type::Object { nullable: false }),
        };
        needs.push(allocated(
            build::op(Op::FunctionReads, operands, objects, span),
            &There::Here,
        ));
        (function, args)
    }

    /// Lowers `unchanged(…)`.
    pub(super) fn unchanged(
        &mut self,
        label: &Option<Name>,
        frame: &'p [typed::Frame],
        ty: Type,
        span: Span,
    ) -> Expr {
        let label = self.older_state(label);
        let frames = self.frames(frame);
        let value = build::expr(ExprKind::Unchanged(label.clone(), frames.clone()), ty, span);
        let value = self.reading_unchanged(&frames, value);
        self.unchanged_known_there(&frames, label.as_ref(), value)
    }

    /// Adds the obligations of `unchanged`: all objects of the frames were allocated in the older
    /// state.
    fn unchanged_known_there(
        &mut self,
        frames: &[ir::Frame],
        label: Option<&Name>,
        value: Expr,
    ) -> Expr {
        if !self.has_obligations() {
            return value;
        }
        let there = There::Before(label.cloned());
        let objects = frames.iter().filter_map(|f| f.object.clone());
        let needs = objects
            .filter(|o| !matches!(self.program.representation(&o.ty), Type::Arrow { .. }))
            .map(|o| allocated(o, &there));
        asserting(needs.collect(), value)
    }
}

/// Returns the condition that the references in an atom were allocated in a state.
fn allocated(value: Expr, there: &There) -> Expr {
    let span = value.span;
    let here = build::expr(ExprKind::Allocated(Box::new(value)), Type::Bool, span);
    match there {
        There::Here => here,
        There::Before(label) => build::expr(
            ExprKind::Old(label.clone(), Box::new(here)),
            typed::Type::Bool,
            span,
        ),
    }
}

/// Returns a value behind assertions.
pub(super) fn asserting(needs: Vec<Expr>, value: Expr) -> Expr {
    needs.into_iter().rev().fold(value, |value, cond| {
        let span: Span = cond.span;
        only_if(Check::Allocated, Some(cond), Expr { span, ..value })
    })
}
