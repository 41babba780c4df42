//! Obligations: the proof obligations of Dafny's verifier, as goals that a violation reaches
//! ([`Criterion::Obligation`]).
//!
//! An obligation of a statement (an assertion, a postcondition at the end of a body) becomes a
//! probe of its negation just before the statement. An obligation of an expression (an index, a
//! divisor, a precondition of a function) is found by a traversal of the expression: its condition
//! is put into the context in which the expression is evaluated, so that the probe holds if
//! evaluation reaches it and fails. Obligations are identified by kind, place and clause;
//! duplicates in code that is lowered twice, or in a body with several ends, are merged.
//! [`Lowerer::oblige_statement`] and [`Lowerer::oblige_evaluation`] are the entry points;
//! [`Context`] describes the surroundings of a subexpression.

use super::probes::{Context, in_context};
use super::{Lowerer, build};
use dafny_resolve::typed::{self, CallableId, FieldKind, Type};
use dafny_source::Span;
use dtest_desugar::GeneratedCode as _;
use dtest_ir::reason::Construct;
use dtest_ir::{
    AssertKind, Check, Clause, Coll, ContractPart, Criterion, Expr, ExprKind, Num, ObligationKind,
    Op, Quantified, StmtKind, StoreTarget, ctors_of,
};

/// The identity of an obligation: its kind, its place and the clause that requires it.
pub(super) type ObligationKey = (ObligationKind, Span, Option<Span>);

impl<'p> Lowerer<'p> {
    /// Whether obligations are goals.
    pub(super) fn has_obligations(&self) -> bool {
        self.criteria.has(Criterion::Obligation)
    }

    /// Adds an obligation at the current place; `holds` is its condition.
    fn obligation(&mut self, kind: ObligationKind, holds: Expr, span: Span, clause: Option<Span>) {
        self.obligation_violated(kind, build::not(holds), span, clause);
    }

    fn obligation_violated(
        &mut self,
        obligation: ObligationKind,
        broken: Expr,
        span: Span,
        clause: Option<Span>,
    ) {
        if obligation != ObligationKind::Reads
            && self
                .callable
                .id
                .is_some_and(|c| self.program.is_bound_contract(c))
        {
            return; // A bound contract is checked without its preconditions, so only its reads are meaningful.
        }
        let probe = self.goals.obligation((obligation, span, clause));
        self.graph.push(
            StmtKind::Probe {
                probe,
                cond: broken,
            },
            span,
        );
    }

    /// Adds the obligation of an assertion and those of its condition.
    pub(super) fn oblige_assertion(&mut self, cond: &Expr, kind: AssertKind) {
        if !self.has_obligations() {
            return;
        }
        self.oblige_evaluation(cond);
        let obligation = match kind {
            AssertKind::Assert => ObligationKind::Assertion,
            AssertKind::Termination => ObligationKind::Decreases,
            AssertKind::LoopRange => ObligationKind::LoopRange,
            AssertKind::Invariant => ObligationKind::InvariantOnEntry,
            AssertKind::InvariantKept => ObligationKind::InvariantKept,
            AssertKind::Decreases => ObligationKind::Decreases,
            AssertKind::Frame => ObligationKind::Frame,
            AssertKind::Reads => ObligationKind::Reads,
            AssertKind::CallPrecondition => ObligationKind::Precondition,
            AssertKind::TypeConstraint => ObligationKind::Type,
            AssertKind::MissingCase => ObligationKind::Case,
            AssertKind::Aliasing => ObligationKind::Aliasing,
            AssertKind::Unique => ObligationKind::Uniqueness,
            AssertKind::Constructor => ObligationKind::Constructor,
            AssertKind::Postcondition => ObligationKind::Postcondition,
            AssertKind::Assigned => ObligationKind::Assigned,
            AssertKind::Allocated => ObligationKind::Allocated,
            AssertKind::Override => ObligationKind::Override,
            AssertKind::Witness => ObligationKind::Witness,
            AssertKind::Inhabited => ObligationKind::Inhabited,
            AssertKind::Size => ObligationKind::Domain,
            AssertKind::Application => ObligationKind::Application,
        };
        self.obligation(obligation, cond.clone(), cond.span, None);
    }

    /// Adds, at the end of a body, the obligations that results are assigned and postconditions
    /// hold.
    pub(super) fn oblige_postconditions(&mut self, end: Span) {
        if !self.has_obligations() || self.iterator.is_running() {
            return;
        }
        self.oblige_results(end);
        if self.callable.id.is_some_and(|c| self.has_two_states(c)) {
            return self.assert_postconditions();
        }
        let clauses = self.callable.ensured;
        for clause in clauses {
            let cond = self.pure(|l| l.expr(&clause.cond));
            self.obligation(ObligationKind::Postcondition, cond, clause.span, None);
        }
        self.oblige_older();
    }

    /// Adds the obligation that `older` parameters of a predicate are older than the others if it
    /// holds; it remains for the interpreter.
    fn oblige_older(&mut self) {
        let Some(caller) = self.callable.id else {
            return;
        };
        let program = self.program;
        for formal in program[caller].ins.iter().filter(|f| f.older) {
            let local = &program[formal.local];
            if !program.holds_no_references(&local.ty) {
                let holds = build::unsupported(Construct::OlderProof, Type::Bool, local.span);
                self.obligation(ObligationKind::Postcondition, holds, local.span, None);
            }
        }
    }

    /// Adds the obligations of a statement's expressions and of the statement itself.
    pub(super) fn oblige_statement(&mut self, kind: &StmtKind, span: Span) {
        if !self.has_obligations() {
            return;
        }
        match kind {
            StmtKind::Assume { cond, .. } => self.oblige_evaluation(cond),
            // The message is evaluated if the expectation fails.
            StmtKind::Expect { cond, message } => {
                self.oblige_evaluation(cond);
                if let Some(message) = message {
                    let fails = Context::If(build::not(cond.clone()));
                    self.oblige_under(fails, message, &mut Vec::new());
                }
            }
            StmtKind::Assign { value, .. } => self.oblige_evaluation(value),
            StmtKind::Call {
                callee,
                type_args,
                args,
                ..
            } => {
                args.iter().for_each(|a| self.oblige_evaluation(a));
                self.oblige_receiver(*callee, args.first(), span, &[]);
                self.oblige_preconditions(*callee, type_args, args, span, &[]);
            }
            // The size of an array must not be negative.
            StmtKind::NewArray { dims, .. } => {
                for n in dims {
                    self.oblige_evaluation(n);
                    let holds =
                        self.at_most_ints(build::int(0, Type::Int, n.span), self.as_integer(n));
                    self.obligation(ObligationKind::Domain, holds, n.span, None);
                }
            }
            StmtKind::SetField { object, value, .. } => {
                self.oblige_evaluation(object);
                self.oblige_evaluation(value);
                self.oblige_not_null(object, span, &[]);
            }
            // The store requires the same as a read: an array that is not null, and valid indices.
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => {
                let place = build::expr(
                    ExprKind::ReadElement(Box::new(array.clone()), indices.clone()),
                    value.ty.clone(),
                    span,
                );
                self.oblige_evaluation(&place);
                self.oblige_evaluation(value);
            }
            StmtKind::SuchThat(vars) => {
                self.oblige_choice(vars, span, &[]);
            }
            StmtKind::Print(es) => es.iter().for_each(|e| self.oblige_evaluation(e)),
            StmtKind::Assert { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(..)
            | StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => {}
        }
    }

    /// Adds the obligations of evaluating an expression.
    pub(super) fn oblige_evaluation(&mut self, e: &Expr) {
        if self.has_obligations() {
            self.oblige_within(e, &mut Vec::new());
        }
    }

    fn oblige_within(&mut self, e: &Expr, context: &mut Vec<Context>) {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.oblige_parts(e, context));
    }

    fn oblige_under(&mut self, c: Context, e: &Expr, context: &mut Vec<Context>) {
        context.push(c);
        self.oblige_within(e, context);
        context.pop();
    }

    /// Adds the obligations of the parts of an expression, each in its context, and then its own.
    fn oblige_parts(&mut self, e: &Expr, context: &mut Vec<Context>) {
        match &e.kind {
            // A right operand is evaluated only under the condition that the left one does not
            // decide the result.
            ExprKind::And(a, b) | ExprKind::Implies(a, b) => {
                self.oblige_within(a, context);
                self.oblige_under(Context::If((**a).clone()), b, context);
            }
            ExprKind::Or(a, b) => {
                self.oblige_within(a, context);
                self.oblige_under(Context::If(build::not((**a).clone())), b, context);
            }
            ExprKind::If(c, a, b) => {
                self.oblige_within(c, context);
                self.oblige_under(Context::If((**c).clone()), a, context);
                self.oblige_under(Context::If(build::not((**c).clone())), b, context);
            }
            ExprKind::Let(v, value, body) => {
                self.oblige_within(value, context);
                // An obligation in the body is violated if it fails for some chosen value.
                self.oblige_under(Context::Let(*v, (**value).clone()), body, context);
            }
            ExprKind::LetSuchThat(q, body) => {
                self.oblige_choice(q, e.span, context);
                self.oblige_under(Context::Some(q.clone()), body, context);
            }
            // In the second alternative, no value satisfies the condition.
            ExprKind::IfSuchThat(q, a, b) => {
                self.oblige_range(q, context);
                self.oblige_under(Context::Some(q.clone()), a, context);
                let none = build::not(build::exists(q.clone(), e.span));
                self.oblige_under(Context::If(none), b, context);
            }
            ExprKind::Quantifier { vars, body, .. } | ExprKind::SetComp(vars, body) => {
                self.oblige_range(vars, context);
                self.oblige_under(Context::Some(vars.clone()), body, context);
            }
            ExprKind::MapComp(vars, key, value) => {
                self.oblige_range(vars, context);
                self.oblige_under(Context::Some(vars.clone()), key, context);
                self.oblige_under(Context::Some(vars.clone()), value, context);
            }
            ExprKind::Old(label, inner) => {
                self.oblige_under(Context::Old(label.clone()), inner, context)
            }
            ExprKind::Checked(check, clause, inner) => {
                self.oblige_check(*check, clause, inner, context);
            }
            ExprKind::Op(_, _)
            | ExprKind::Call { .. }
            | ExprKind::Apply(..)
            | ExprKind::ReadElement(..)
            | ExprKind::ReadField(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Const { .. }
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::FunctionRef { .. }
            | ExprKind::OfContract { .. }
            | ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::Unsupported(_) => {
                for part in e.children() {
                    self.oblige_within(part, context);
                }
                self.oblige_own(e, context);
            }
        }
    }

    /// Adds a check before an expression as an obligation of its own kind, and the obligations of
    /// the expression, where the condition of the check holds.
    fn oblige_check(
        &mut self,
        check: Check,
        clause: &Clause,
        inner: &Expr,
        context: &mut Vec<Context>,
    ) {
        self.oblige_within(&clause.cond, context);
        let kind = match check {
            Check::Assert => Some(ObligationKind::Assertion),
            Check::Type => Some(ObligationKind::Type),
            Check::Termination | Check::Decreases => Some(ObligationKind::Decreases),
            Check::Reads => Some(ObligationKind::Reads),
            Check::Allocated => Some(ObligationKind::Allocated),
            Check::Application => Some(ObligationKind::Application),
            Check::Aliasing => Some(ObligationKind::Aliasing),
            Check::Case => Some(ObligationKind::Case),
            Check::Unique => Some(ObligationKind::Uniqueness),
            Check::Constructor => Some(ObligationKind::Constructor),
            Check::Precondition(_) => Some(ObligationKind::Precondition),
            // The result is an obligation of the callable's procedure.
            Check::Result | Check::WellFormed => return self.oblige_within(inner, context),
            Check::Assume => None,
        };
        let of_callee = if let Check::Precondition(of_callee) = check {
            Some(of_callee)
        } else {
            None
        };
        // A value exists before it can be unique; the choice within shares this obligation.
        if let (Check::Unique, ExprKind::LetSuchThat(q, _)) = (check, &inner.kind) {
            self.oblige_choice(q, inner.span, context);
        }
        if let Some(kind) = kind {
            self.oblige_in(kind, clause.cond.clone(), clause.span, of_callee, context);
        }
        self.oblige_under(Context::If(clause.cond.clone()), inner, context);
    }

    /// Adds the obligations of a range, which is evaluated for every value of its variables.
    fn oblige_range(&mut self, q: &Quantified, context: &mut Vec<Context>) {
        if let Some(range) = &q.range {
            let free = Quantified {
                range: None,
                ..q.clone()
            };
            self.oblige_under(Context::Some(free), range, context);
        }
    }

    /// Adds the obligations of a `forall` statement that assigns: for every value of its variables,
    /// the place and the value are well-formed. Returns the value, with a check that it belongs to
    /// the type of the place.
    pub(super) fn obliged_store(
        &mut self,
        vars: &Quantified,
        target: &StoreTarget,
        value: Expr,
        span: Span,
    ) -> Expr {
        if !self.has_obligations() {
            return value;
        }
        let mut context = Vec::new();
        self.oblige_range(vars, &mut context);
        let inner = || Context::Some(vars.clone());
        let ty = match target {
            StoreTarget::Field(object, field) => {
                self.oblige_under(inner(), object, &mut context);
                self.oblige_not_null(object, span, &[inner()]);
                self.program.field_type(&object.ty, *field)
            }
            // The store requires the same as a read.
            StoreTarget::Element(array, indices) => {
                let ty = if let Type::Array { elem, .. } = self.program.strip_subset(&array.ty) {
                    *elem
                } else {
                    value.ty.clone()
                };
                let kind = ExprKind::ReadElement(Box::new(array.clone()), indices.clone());
                let place = build::expr(kind, ty.clone(), span);
                self.oblige_under(inner(), &place, &mut context);
                ty
            }
        };
        let value = self.pure(|l| l.admitted(value, &ty));
        self.oblige_under(inner(), &value, &mut context);
        value
    }

    /// Adds the obligation that the condition of `:|` is well-formed.
    pub(super) fn oblige_choice_range(&mut self, q: &Quantified) {
        if self.has_obligations() {
            self.oblige_range(q, &mut Vec::new());
        }
    }

    /// Adds the obligations of a choice: its condition is well-formed, and a value satisfies it.
    pub(super) fn oblige_choice(&mut self, q: &Quantified, span: Span, context: &[Context]) {
        let mut inner = context.to_vec();
        self.oblige_range(q, &mut inner);
        self.oblige_in(
            ObligationKind::Existence,
            build::exists(q.clone(), span),
            span,
            None,
            context,
        );
    }

    /// Adds an obligation for an expression that is evaluated in a context.
    fn oblige_in(
        &mut self,
        kind: ObligationKind,
        holds: Expr,
        span: Span,
        clause: Option<Span>,
        context: &[Context],
    ) {
        let broken = in_context(build::not(holds), context);
        self.obligation_violated(kind, broken, span, clause);
    }

    /// Adds the obligations of an expression itself, after its parts were evaluated.
    fn oblige_own(&mut self, e: &Expr, context: &[Context]) {
        match &e.kind {
            ExprKind::Op(op, args) => self.oblige_operator(op, args, e, context),
            ExprKind::Call {
                callee,
                type_args,
                args,
                label: _,
            } => {
                self.oblige_receiver(*callee, args.first(), e.span, context);
                self.oblige_preconditions(*callee, type_args, args, e.span, context);
            }
            ExprKind::FunctionRef {
                callee, receiver, ..
            } => self.oblige_receiver(*callee, receiver.as_deref(), e.span, context),
            ExprKind::Const {
                object: Some(object),
                ..
            } => self.oblige_not_null(object, e.span, context),
            ExprKind::Unchanged(_, frames) => {
                for object in frames.iter().filter_map(|f| f.object.as_ref()) {
                    self.oblige_all_not_null(object, e.span, context);
                }
            }
            // Only functions of a total arrow type accept all arguments.
            ExprKind::Apply(f, args) => {
                let is_total = matches!(
                    self.program.strip_subset(&f.ty),
                    Type::Arrow {
                        kind: typed::ArrowKind::Total,
                        ..
                    }
                );
                if !is_total {
                    let operands = std::iter::once((**f).clone())
                        .chain(args.iter().cloned())
                        .collect();
                    let holds = build::op(Op::FunctionRequires, operands, Type::Bool, e.span);
                    self.oblige_in(ObligationKind::Application, holds, e.span, None, context);
                }
            }
            ExprKind::ReadField(object, _) => self.oblige_not_null(object, e.span, context),
            ExprKind::ReadElement(array, indices) => {
                self.oblige_not_null(array, e.span, context);
                for (d, i) in (0..).zip(indices) {
                    let length = build::op(
                        Op::ArrayLength(d),
                        vec![(**array).clone()],
                        Type::Int,
                        e.span,
                    );
                    let holds = self.is_index(i, length);
                    self.oblige_in(ObligationKind::Index, holds, e.span, None, context);
                }
            }
            ExprKind::Convert(inner) => {
                if inner.ty != e.ty && self.may_miss(&inner.ty, &e.ty) {
                    let holds = self.converts(inner, &e.ty);
                    self.oblige_in(ObligationKind::Type, holds, e.span, None, context);
                }
            }
            ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
            | ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::Old(..)
            | ExprKind::Checked(..)
            | ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Const { object: None, .. }
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Is(..)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => {}
        }
    }

    /// Adds the obligation that the bounds of a slice are ordered and within the length:
    /// `0 <= low <= high <= length`. `length` is the operator that returns the length.
    fn oblige_slice(&mut self, length: Op, args: &[Expr], span: Span, context: &[Context]) {
        let [s, low, high] = args else {
            return;
        };
        let length = build::op(length, vec![s.clone()], Type::Int, span);
        let (low, high) = (self.as_integer(low), self.as_integer(high));
        let zero = build::int(0, Type::Int, span);
        let holds = build::and(
            self.at_most_ints(zero, low.clone()),
            build::and(
                self.at_most_ints(low, high.clone()),
                self.at_most_ints(high, length),
            ),
        );
        self.oblige_in(ObligationKind::Index, holds, span, None, context);
    }

    /// Adds the obligation that a shift does not exceed the width of its bitvector.
    fn oblige_shift(&mut self, value: &Expr, amount: &Expr, span: Span, context: &[Context]) {
        let Some(Num::Bv(width)) = self.num(&value.ty) else {
            return;
        };
        let amount = self.as_integer(amount);
        let holds = build::and(
            self.at_most_ints(build::int(0, Type::Int, span), amount.clone()),
            self.at_most_ints(amount, build::int(i64::from(width), Type::Int, span)),
        );
        self.oblige_in(ObligationKind::Domain, holds, span, None, context);
    }

    /// Adds the obligations of an operator whose operands have values.
    fn oblige_operator(&mut self, op: &Op, args: &[Expr], e: &Expr, context: &[Context]) {
        let span = e.span;
        match (op, args) {
            (Op::PrefixEq, [limit, ..]) if self.num(&limit.ty) == Some(Num::Int) => {
                let zero = build::int(0, Type::Int, span);
                let holds = self.at_most_ints(zero, self.as_integer(limit));
                self.oblige_in(ObligationKind::Domain, holds, span, None, context);
            }
            // Numbers of all kinds share the condition that the divisor is not zero.
            (Op::Div(_) | Op::Mod(_), [_, divisor]) => {
                let zero = build::int(0, divisor.ty.clone(), divisor.span);
                let holds = build::op(Op::Ne, vec![divisor.clone(), zero], Type::Bool, span);
                self.oblige_in(ObligationKind::Divisor, holds, span, None, context);
            }
            (Op::Select(Coll::Seq) | Op::Update(Coll::Seq), [s, i, ..]) => {
                let length =
                    build::op(Op::Cardinality(Coll::Seq), vec![s.clone()], Type::Int, span);
                let holds = self.is_index(i, length);
                self.oblige_in(ObligationKind::Index, holds, span, None, context);
            }
            (Op::Select(Coll::Map), [m, k]) => {
                let holds = build::op(
                    Op::In(Coll::Map),
                    vec![k.clone(), m.clone()],
                    Type::Bool,
                    span,
                );
                self.oblige_in(ObligationKind::Key, holds, span, None, context);
            }
            (Op::Update(Coll::Multiset), [_, _, n]) => {
                let holds = self.at_most_ints(build::int(0, Type::Int, span), self.as_integer(n));
                self.oblige_in(ObligationKind::Domain, holds, span, None, context);
            }
            (Op::Slice, [..]) => self.oblige_slice(Op::Cardinality(Coll::Seq), args, span, context),
            (Op::ArraySlice, [array, ..]) => {
                self.oblige_not_null(array, span, context);
                self.oblige_slice(Op::ArrayLength(0), args, span, context);
            }
            (Op::ArrayLength(_), [array]) => self.oblige_not_null(array, span, context),
            (Op::Destruct(field), [value]) => self.oblige_constructor(*field, value, span, context),
            (Op::SeqInit, [n, _]) => {
                let holds = self.at_most_ints(build::int(0, Type::Int, span), self.as_integer(n));
                self.oblige_in(ObligationKind::Domain, holds, span, None, context);
            }
            (Op::Shl | Op::Shr | Op::RotateLeft | Op::RotateRight, [value, amount]) => {
                self.oblige_shift(value, amount, span, context);
            }
            // The arithmetic of characters must yield a character.
            (Op::Add(Num::Char) | Op::Sub(Num::Char), [a, b]) => {
                let on_ints = if matches!(op, Op::Add(_)) {
                    Op::Add(Num::Int)
                } else {
                    Op::Sub(Num::Int)
                };
                let code = build::op(
                    on_ints,
                    vec![self.as_integer(a), self.as_integer(b)],
                    Type::Int,
                    span,
                );
                self.oblige_in(
                    ObligationKind::Domain,
                    self.converts(&code, &Type::Char),
                    span,
                    None,
                    context,
                );
            }
            // An ordinal minus a natural number is defined if the number is at most the finite part
            // of the ordinal.
            (Op::Sub(Num::Ordinal), [a, b]) => {
                let offset =
                    |e: &Expr| build::op(Op::OrdinalOffset, vec![e.clone()], Type::Int, span);
                let is_natural = build::op(Op::OrdinalIsNat, vec![b.clone()], Type::Bool, span);
                let holds = build::and(is_natural, self.at_most_ints(offset(b), offset(a)));
                self.oblige_in(ObligationKind::Domain, holds, span, None, context);
            }
            _total => {}
        }
        // In addition, the exact result of arithmetic must belong to the newtype.
        let is_arithmetic = matches!(
            op,
            Op::Neg(_) | Op::Add(_) | Op::Sub(_) | Op::Mul(_) | Op::Div(_) | Op::Mod(_)
        );
        if is_arithmetic {
            self.oblige_result(op, args, e, context);
        }
    }

    /// Adds the obligation that the result of arithmetic in a newtype belongs to the newtype.
    fn oblige_result(&mut self, op: &Op, args: &[Expr], e: &Expr, context: &[Context]) {
        let newtype = self.program.strip_subset(&e.ty);
        let base = self.program.representation(&newtype);
        if base == newtype || !matches!(base, Type::Int | Type::Real | Type::Bv(_) | Type::Char) {
            return;
        }
        let on_base =
            |a: &Expr| build::expr(ExprKind::Convert(Box::new(a.clone())), base.clone(), a.span);
        let operands = args
            .iter()
            .map(|a| if a.ty == base { a.clone() } else { on_base(a) })
            .collect();
        let exact = build::op(op.clone(), operands, base.clone(), e.span);
        let holds = build::expr(ExprKind::Is(Box::new(exact), newtype), Type::Bool, e.span);
        self.oblige_in(ObligationKind::Type, holds, e.span, None, context);
    }

    fn oblige_constructor(
        &mut self,
        field: typed::FieldId,
        value: &Expr,
        span: Span,
        context: &[Context],
    ) {
        let FieldKind::Destructor(ctors) = &self.program[field].kind else {
            return;
        };
        let all = ctors.first().map_or(0, |c| {
            ctors_of(self.program, self.program[*c].datatype).len()
        });
        if ctors.len() >= all {
            return;
        }
        let tests = ctors
            .iter()
            .map(|c| build::op(Op::CtorTest(*c), vec![value.clone()], Type::Bool, span));
        if let Some(holds) = tests.reduce(build::or) {
            self.oblige_in(ObligationKind::Constructor, holds, span, None, context);
        }
    }

    /// Adds an obligation for every precondition of a callee, applied to the arguments.
    fn oblige_preconditions(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Expr],
        span: Span,
        context: &[Context],
    ) {
        let program = self.program;
        for (i, clause) in (0..).zip(&program[callee].spec.requires) {
            let requires = ExprKind::OfContract {
                callee,
                part: ContractPart::Requires(i),
                type_args: type_args.to_vec(),
                args: args.to_vec(),
            };
            let holds = build::expr(requires, Type::Bool, span);
            self.oblige_in(
                ObligationKind::Precondition,
                holds,
                span,
                Some(clause.span),
                context,
            );
        }
    }

    fn oblige_not_null(&mut self, object: &Expr, span: Span, context: &[Context]) {
        if !self.is_nullable(&object.ty) {
            return;
        }
        let null = build::expr(
            ExprKind::Literal(typed::Literal::Null),
            object.ty.clone(),
            object.span,
        );
        let holds = build::op(Op::Ne, vec![object.clone(), null], Type::Bool, span);
        self.oblige_in(ObligationKind::NonNull, holds, span, None, context);
    }

    /// Adds the obligation that the receiver of a member is not null.
    fn oblige_receiver(
        &mut self,
        callee: CallableId,
        receiver: Option<&Expr>,
        span: Span,
        context: &[Context],
    ) {
        let is_member = !self.program[callee].is_static && self.program[callee].owner.is_some();
        if let Some(receiver) = receiver.filter(|_| is_member) {
            self.oblige_not_null(receiver, span, context);
        }
    }

    /// Adds the obligation that an object, or every object of a collection, is not null.
    fn oblige_all_not_null(&mut self, objects: &Expr, span: Span, context: &[Context]) {
        let ty = self.program.strip_subset(&objects.ty);
        let (elem, coll) = if let Type::Set { elem, .. } = ty {
            (*elem, Coll::Set)
        } else if let Type::Seq(elem) = ty {
            (*elem, Coll::Seq)
        } else if let Type::Multiset(elem) = ty {
            (*elem, Coll::Multiset)
        } else {
            return self.oblige_not_null(objects, span, context);
        };
        if self.is_nullable(&elem) {
            let null = build::expr(ExprKind::Literal(typed::Literal::Null), elem, span);
            let found = build::op(Op::In(coll), vec![null, objects.clone()], Type::Bool, span);
            self.oblige_in(
                ObligationKind::NonNull,
                build::not(found),
                span,
                None,
                context,
            );
        }
    }

    /// Returns the condition that a conversion has a result.
    fn converts(&self, value: &Expr, to: &Type) -> Expr {
        build::expr(
            ExprKind::Is(Box::new(value.clone()), to.clone()),
            Type::Bool,
            value.span,
        )
    }

    fn as_integer(&self, e: &Expr) -> Expr {
        if e.ty == Type::Int {
            e.clone()
        } else {
            build::expr(ExprKind::Convert(Box::new(e.clone())), Type::Int, e.span)
        }
    }

    fn at_most_ints(&self, a: Expr, b: Expr) -> Expr {
        let span = a.span;
        build::op(Op::Le(Num::Int), vec![a, b], Type::Bool, span)
    }

    /// Returns the condition `0 <= i < length`.
    fn is_index(&self, i: &Expr, length: Expr) -> Expr {
        let (i, span) = (self.as_integer(i), i.span);
        let below = build::op(Op::Lt(Num::Int), vec![i.clone(), length], Type::Bool, span);
        build::and(self.at_most_ints(build::int(0, Type::Int, span), i), below)
    }

    /// Returns a value with a check that it belongs to a type, unless its own type implies that.
    pub(super) fn admitted(&mut self, value: Expr, target: &Type) -> Expr {
        self.admitted_as(Check::Type, value, target)
    }

    /// Returns the body of a function, or the value of a constant, with checks that its results
    /// belong to the declared type. Each stands at the expression that gives the result, as the
    /// obligation of the procedure does.
    pub(super) fn admitted_result(&mut self, body: Expr, target: &Type) -> Expr {
        if !self.has_obligations() {
            return body;
        }
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
            let mut within = |e: Box<Expr>| Box::new(self.admitted_result(*e, target));
            let (ty, span) = (body.ty.clone(), body.span);
            let kind = match body.kind {
                ExprKind::If(c, a, b) => ExprKind::If(c, within(a), within(b)),
                ExprKind::Let(v, value, e) => ExprKind::Let(v, value, within(e)),
                ExprKind::LetSuchThat(q, e) => ExprKind::LetSuchThat(q, within(e)),
                ExprKind::IfSuchThat(q, a, b) => ExprKind::IfSuchThat(q, within(a), within(b)),
                ExprKind::Checked(check, clause, e) => ExprKind::Checked(check, clause, within(e)),
                kind @ (ExprKind::Literal(_)
                | ExprKind::Var(_)
                | ExprKind::Op(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Implies(..)
                | ExprKind::Call { .. }
                | ExprKind::Apply(..)
                | ExprKind::FunctionRef { .. }
                | ExprKind::Lambda { .. }
                | ExprKind::Delay { .. }
                | ExprKind::Const { .. }
                | ExprKind::ReadField(..)
                | ExprKind::ReadElement(..)
                | ExprKind::Quantifier { .. }
                | ExprKind::SetComp(..)
                | ExprKind::MapComp(..)
                | ExprKind::Old(..)
                | ExprKind::Fresh(..)
                | ExprKind::Allocated(_)
                | ExprKind::Unchanged(..)
                | ExprKind::Convert(_)
                | ExprKind::Is(..)
                | ExprKind::OfContract { .. }
                | ExprKind::Unsupported(_)) => {
                    let value = build::expr(kind, ty, span);
                    return self.admitted_as(Check::Result, value, target);
                }
            };
            build::expr(kind, ty, span)
        })
    }

    fn admitted_as(&mut self, check: Check, value: Expr, target: &Type) -> Expr {
        if !(self.has_obligations() || self.evaluation.is_executed)
            || !self.needs_check(&value, target)
        {
            return value;
        }
        let (span, ty) = (value.span, value.ty.clone());
        let mut bindings = Vec::new();
        let atom = if build::is_atom(&value) {
            value
        } else {
            let var = self.temp("$argument", ty.clone(), span);
            bindings.push((var, value));
            build::expr(ExprKind::Var(var), ty.clone(), span)
        };
        let cond = self.is_of(atom.clone(), &ty, target);
        let clause = Box::new(dtest_ir::Clause { cond, span });
        let checked = build::expr(ExprKind::Checked(check, clause, Box::new(atom)), ty, span);
        build::lets(bindings, checked)
    }

    /// Whether a value of type `from`, used as a value of type `to`, may fail to be one, possibly
    /// in a component.
    pub(super) fn may_miss(&self, from: &Type, to: &Type) -> bool {
        if from == to || *from == Type::Error || *to == Type::Error {
            return false;
        }
        match (from, to) {
            // Collections and datatypes are compared by their components.
            (Type::Seq(a), Type::Seq(b)) | (Type::Multiset(a), Type::Multiset(b)) => {
                self.may_miss(a, b)
            }
            (Type::Set { elem: a, .. }, Type::Set { elem: b, .. }) => self.may_miss(a, b),
            (
                Type::Map {
                    key: a, value: v, ..
                },
                Type::Map {
                    key: b, value: w, ..
                },
            ) => self.may_miss(a, b) || self.may_miss(v, w),
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.iter().zip(b).any(|(a, b)| self.may_miss(&a.1, &b.1))
            }
            (
                Type::Named {
                    decl: a, args: x, ..
                },
                Type::Named {
                    decl: b, args: y, ..
                },
            ) if a == b
                && matches!(self.program[*a].kind, typed::TypeDeclKind::Datatype { .. }) =>
            {
                x.iter().zip(y).any(|(x, y)| self.may_miss(x, y))
            }
            // The target decides: a subset type has a constraint, a newtype always needs a check,
            // and a reference type excludes null and other classes.
            (_, Type::Named { decl, nullable, .. }) => match &self.program[*decl].kind {
                typed::TypeDeclKind::Subset(_) => !self.is_below(from, to),
                typed::TypeDeclKind::Newtype(_) => true,
                typed::TypeDeclKind::Class
                | typed::TypeDeclKind::Trait { .. }
                | typed::TypeDeclKind::Iterator(_) => {
                    (!nullable && self.is_nullable(from))
                        || !self.is_subtype(from, to)
                        || self.are_apart(from, to)
                }
                typed::TypeDeclKind::Datatype { .. } | typed::TypeDeclKind::Abstract => {
                    self.program.representation(from) != self.program.representation(to)
                }
            },
            (_, Type::Array { nullable, .. } | Type::Object { nullable }) => {
                (!nullable && self.is_nullable(from)) || self.are_apart(from, to)
            }
            (Type::Named { .. }, _) => {
                self.program.strip_subset(from) != *to
                    && self.program.representation(from) != self.program.representation(to)
            }
            (Type::Arrow { .. }, Type::Arrow { .. }) => {
                self.has_obligations() && self.may_misfit(from, to)
            }
            (_, Type::Arrow { .. } | Type::Param(_) | Type::Error) => false,
            (a, b) => self.program.representation(a) != self.program.representation(b),
        }
    }

    /// Whether no object belongs to both of two reference types, because their type arguments
    /// differ.
    ///
    /// Every object has one type, and references are invariant (reference manual, "Type parameter
    /// variance"). Arguments that contain type parameters may become equal by instantiation.
    pub(super) fn are_apart(&self, from: &Type, to: &Type) -> bool {
        let (from, to) = (
            self.program.strip_subset(from),
            self.program.strip_subset(to),
        );
        match (&from, &to) {
            (
                Type::Array {
                    dims: m, elem: a, ..
                },
                Type::Array {
                    dims: n, elem: b, ..
                },
            ) => m == n && differ(a, b),
            (
                Type::Named {
                    decl: a, args: xs, ..
                },
                Type::Named {
                    decl: b, args: ys, ..
                },
            ) if self.program.is_reference(&from) && self.program.is_reference(&to) => {
                let (of_from, of_to) = (
                    self.program.supertype_args(&from, *b),
                    self.program.supertype_args(&to, *a),
                );
                let differ_in = |found: Option<Vec<Type>>, wanted: &[Type]| {
                    found.is_some_and(|found| found.iter().zip(wanted).any(|(x, y)| differ(x, y)))
                };
                differ_in(of_from, ys) || differ_in(of_to, xs)
            }
            (_, _) => false,
        }
    }

    /// Whether a reference type is declared to be a subtype of another.
    pub(super) fn is_subtype(&self, from: &Type, to: &Type) -> bool {
        let Type::Named { decl, .. } = to else {
            return true;
        };
        let ty = self.program.strip_subset(from);
        if let Type::Named { decl: own, .. } = ty {
            own == *decl || self.program.ancestors(own).iter().any(|(t, _)| t == decl)
        } else {
            matches!(ty, Type::Param(_))
        }
    }
}

/// Whether two types differ for every instantiation of their type parameters.
fn differ(a: &Type, b: &Type) -> bool {
    fn is_open(ty: &Type) -> bool {
        matches!(ty, Type::Param(_) | Type::Error) || ty.parts().any(is_open)
    }
    a != b && !is_open(a) && !is_open(b)
}
