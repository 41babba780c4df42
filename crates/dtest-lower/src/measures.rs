//! Termination obligations.
//!
//! If obligations are goals, the measures of loops and of recursive callables must decrease
//! (reference manual, sections 5.1.4, *Decreases clause*, and 8.15.3; default measures are those
//! that Dafny shows).
//!
//! A measure is a lexicographic tuple; a missing component, compared with a longer tuple, is larger
//! than any value. Values of different kinds are incomparable. For datatypes and sequences of which
//! neither is a part of the other, the language does not define the order, so the obligation
//! remains undecided. Key functions: [`Lowerer::measure`], [`Lowerer::call_decreases`],
//! [`Lowerer::measure_loop`]. The hard part is to guess the measure of a loop from its guard as
//! Dafny does.

use super::termination::is_ordered;
use super::{Lowerer, build};
use dafny_resolve::typed::visit::{Visit, walk_stmt};
use dafny_resolve::typed::{
    self, BinaryOp, Body, CallableId, CallableKind, ExprKind as T, FieldId, LoopSpec, Type,
    TypeDeclKind, UnaryOp,
};
use dafny_source::Span;
use dtest_desugar::GeneratedCode as _;
use dtest_ir::reason::Construct;
use dtest_ir::{AssertKind, Coll, ContractPart, Expr, ExprKind, Num, Op, StmtKind, Var};

/// The measure of a loop at the beginning of an iteration.
pub(super) struct Measured<'p> {
    /// The components, given in the source or derived from the guard, and the variables with their
    /// values at the beginning.
    measure: Measure<'p>,
    before: Vec<Var>,
}

/// The measure of a loop.
enum Measure<'p> {
    Given(&'p [typed::Expr]),
    /// Derived from the conjuncts of a guard.
    Guard(&'p typed::Expr),
    /// No measure: none is given, and the loop has no guard.
    None,
}

/// A comparison of a guard.
type Comparison<'p> = (BinaryOp, &'p typed::Expr, &'p typed::Expr);

impl<'p> Lowerer<'p> {
    /// Returns the measure of a callable, given or default, in a scope with its parameters.
    pub(super) fn measure(&mut self, id: CallableId) -> Vec<Expr> {
        let c = &self.program[id];
        if let Some(parts) = self.program.resumed_by(id) {
            // Ghost fields hold the measure of an iterator at its creation.
            let this = self.this(c.span);
            let field = |f: &FieldId| {
                let kind = ExprKind::ReadField(Box::new(this.clone()), *f);
                build::expr(kind, self.program[*f].ty.clone(), c.span)
            };
            return parts.decreases.iter().map(field).collect();
        }
        let mut measure = Vec::new();
        if let Some(rank) = self.program.corecursive.get(&id) {
            // A call that is not co-recursive may target a function that is called only
            // co-recursively otherwise; the rank orders such functions. It precedes a `decreases`
            // clause, too.
            measure.push(build::int(i64::from(*rank), Type::Int, c.span));
        }
        if !c.spec.decreases.is_empty() {
            measure.extend(
                self.pure(|l| -> Vec<Expr> {
                    c.spec.decreases.iter().map(|e| l.expr(e)).collect()
                }),
            );
            return measure;
        }
        // The default measure: the objects in the `reads` clause, the receiver, and every parameter
        // with an order.
        if c.kind.is_function() && !c.spec.reads.is_empty() {
            measure.push(self.frame_as_set(&c.spec.reads, c.span));
        }
        if let (Some(owner), false, true) = (c.owner, c.is_static, c.overrides.is_empty()) {
            match self.program[owner].kind {
                TypeDeclKind::Datatype { .. } | TypeDeclKind::Newtype(_) => {
                    let this = self.this(c.span);
                    measure.extend(is_ordered(self.program, &this.ty).then_some(this));
                }
                TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Subset(_) => {}
            }
        }
        for formal in &c.ins {
            let local = &self.program[formal.local];
            if is_ordered(self.program, &local.ty) {
                let var = self.local(formal.local);
                measure.push(self.var(var, local.span));
            }
        }
        measure
    }

    /// Returns the objects of a frame as one set.
    fn frame_as_set(&mut self, frames: &'p [typed::Frame], span: Span) -> Expr {
        let ty = Type::Set {
            finite: true,
            elem: Box::new(Type::Object { nullable: true }),
        };
        let mut whole: Option<Expr> = None;
        for frame in self.frames(frames) {
            let Some(object) = frame.object else { continue };
            let part = match self.coll(&object.ty) {
                Some(Coll::Set) => object,
                Some(Coll::Seq | Coll::Multiset | Coll::Map) => {
                    build::unsupported(Construct::FrameAsMeasure, ty.clone(), span)
                }
                None => build::op(Op::Display(Coll::Set), vec![object], ty.clone(), span),
            };
            whole = Some(match whole {
                Some(whole) => build::op(Op::Union(Coll::Set), vec![whole, part], ty.clone(), span),
                None => part,
            });
        }
        whole.unwrap_or_else(|| build::op(Op::Display(Coll::Set), Vec::new(), ty, span))
    }

    /// Returns the condition that the measure decreases at a recursive call; `None` if Dafny
    /// requires no proof.
    pub(super) fn call_decreases(
        &mut self,
        caller: CallableId,
        callee: CallableId,
        type_args: &[Type],
        args: &[Expr],
        span: Span,
    ) -> Option<Expr> {
        if !self.has_obligations() || !self.program.is_recursive_call(caller, callee) {
            return None;
        }
        let (from, to) = (&self.program[caller], &self.program[callee]);
        let is_in_lambda = self.scopes.is_in_lambda() && !from.kind.is_function();
        if !self.has_measure(caller)
            || !self.has_measure(callee)
            || to.spec.decreases_star
            || is_in_lambda
        {
            return None;
        }
        // A method's measure refers to the state in which it was called; a function has only one
        // state, and that of an iterator is kept in constants.
        let mut before = self.without_obligations(|l| l.measure(caller));
        if !from.kind.is_function() && self.program.resumed_by(caller).is_none() {
            before = before.into_iter().map(old).collect();
        }
        let component = |(i, ty): (u32, Type)| {
            let kind = ExprKind::OfContract {
                callee,
                part: ContractPart::Measure(i),
                type_args: type_args.to_vec(),
                args: args.to_vec(),
            };
            build::expr(kind, ty, span)
        };
        let after: Vec<Expr> = (0..)
            .zip(self.types_of_measure(callee, type_args))
            .map(component)
            .collect();
        Some(self.lexicographic(&after, &before, span))
    }

    /// Asserts that the measure of an overriding declaration is at most the measure of the overridden
    /// one. `id` is the code that calls the former under the contract of the latter.
    pub(super) fn oblige_override_measure(&mut self, id: CallableId, params: &[Var]) {
        let Some((own, parent)) = self.program.override_of(id) else {
            return;
        };
        if self.program[own].spec.decreases_star || self.program[parent].spec.decreases_star {
            return;
        }
        let span = self.program[id].span;
        let args: Vec<Expr> = params.iter().map(|p| self.var(*p, span)).collect();
        let own_types = self.type_params_as_types(own);
        let Some(parent_types) = self.inherited_types(own, parent) else {
            return;
        };
        let after = self.measure_of_call(own, own_types, &args, span);
        let before = self.measure_of_call(parent, parent_types, &args, span);
        let cond = self.lexicographic_or(&after, &before, after.len() >= before.len(), span);
        self.assert(Expr { span, ..cond }, AssertKind::Decreases);
    }

    /// Returns the components of the measure of a call with these arguments.
    fn measure_of_call(
        &self,
        callee: CallableId,
        type_args: Vec<Type>,
        args: &[Expr],
        span: Span,
    ) -> Vec<Expr> {
        let component = |(i, ty)| {
            let kind = ExprKind::OfContract {
                callee,
                part: ContractPart::Measure(i),
                type_args: type_args.clone(),
                args: args.to_vec(),
            };
            build::expr(kind, ty, span)
        };
        (0..)
            .zip(self.types_of_measure(callee, &type_args))
            .map(component)
            .collect()
    }

    /// Returns the type parameters in scope of a callable as types.
    fn type_params_as_types(&self, id: CallableId) -> Vec<Type> {
        let params = self.program.all_type_params(id);
        params.into_iter().map(Type::Param).collect()
    }

    /// Returns the type arguments of an overridden declaration in terms of the type parameters of
    /// the overriding one.
    fn inherited_types(&self, own: CallableId, parent: CallableId) -> Option<Vec<Type>> {
        let (own, parent) = (&self.program[own], &self.program[parent]);
        let mut types = match (own.owner, parent.owner) {
            (Some(class), Some(decl)) => {
                let params = &self.program[class].type_params;
                let this = Type::named(class, params.iter().copied().map(Type::Param).collect());
                self.program.supertype_args(&this, decl)?
            }
            (None, _) | (_, None) => Vec::new(),
        };
        types.extend(own.type_params.iter().copied().map(Type::Param));
        Some(types)
    }

    /// Whether termination of a callable is proved by measures. Extreme predicates and their lemmas
    /// are proved by their prefixes instead.
    fn has_measure(&self, id: CallableId) -> bool {
        let c = &self.program[id];
        let is_resumed = self.program.resumed_by(id).is_some();
        let by_measure = match c.kind {
            CallableKind::Function
            | CallableKind::Method
            | CallableKind::Constructor
            | CallableKind::Lemma => true,
            CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate => false,
        };
        // A declaration without a body is recursive through an overriding one.
        let is_overridden = || {
            self.program
                .callables
                .iter()
                .any(|c| c.overrides.contains(&id))
        };
        let recurses = !matches!(c.body, Body::None) || is_resumed || is_overridden();
        by_measure && !c.name.contains('#') && recurses
    }

    /// Returns the types of the components of a callee's measure.
    fn types_of_measure(&self, callee: CallableId, type_args: &[Type]) -> Vec<Type> {
        let map = self
            .program
            .all_type_params(callee)
            .into_iter()
            .zip(type_args.iter().cloned())
            .collect();
        self.measure_types(callee)
            .into_iter()
            .map(|t| t.subst(&map))
            .collect()
    }

    fn measure_types(&self, id: CallableId) -> Vec<Type> {
        // Only the types are needed, so a separate lowerer opens the scope of the contract.
        let mut other = Lowerer::new(self.program, self.criteria.clone());
        other.open(self.program.all_type_params(id));
        other.params(&self.program[id]);
        other.measure(id).into_iter().map(|e| e.ty).collect()
    }

    /// Asserts that the measure decreases at the call of a method.
    pub(super) fn oblige_decrease(&mut self, call: &typed::Call, args: &[Expr], span: Span) {
        let Some(caller) = self.callable.id.or_else(|| self.iterator.move_next()) else {
            return;
        };
        let cond = self.call_decreases(caller, call.callee, &call.type_args, args, span);
        if let Some(cond) = cond {
            self.assert(Expr { span, ..cond }, AssertKind::Decreases);
        }
    }

    /// Stores the measure of a loop at the beginning of an iteration; `None` if there is nothing to
    /// prove: `decreases *`, or a loop of an iterator that yields (`bodies` are the loop's).
    pub(super) fn measure_loop(
        &mut self,
        guard: Option<&'p typed::Expr>,
        spec: &'p LoopSpec,
        bodies: &[&'p typed::Block],
    ) -> Option<Measured<'p>> {
        if !self.has_obligations() || spec.decreases_star {
            return None;
        }
        if self.iterator.is_running() && bodies.iter().any(|body| yields(body)) {
            return None;
        }
        let measure = match (spec.decreases.as_slice(), guard) {
            ([], Some(guard)) => Measure::Guard(guard),
            ([], None) => Measure::None,
            (given, _) => Measure::Given(given),
        };
        let mut before = Vec::new();
        for value in self.components(&measure) {
            let (ty, span) = (value.ty.clone(), value.span);
            let var = self.temp("$measure", ty, span);
            self.execute(StmtKind::Assign { var, value }, span);
            before.push(var);
        }
        Some(Measured { measure, before })
    }

    /// Asserts, at the end of an iteration, that the measure is smaller than at its beginning.
    pub(super) fn loop_decreases(&mut self, measured: Option<&Measured<'p>>, span: Span) {
        let Some(measured) = measured else { return };
        let before: Vec<Expr> = measured.before.iter().map(|v| self.var(*v, span)).collect();
        let after = self.components(&measured.measure);
        let cond = self.lexicographic(&after, &before, span);
        self.assert(Expr { span, ..cond }, AssertKind::Decreases);
    }

    fn components(&mut self, measure: &Measure<'p>) -> Vec<Expr> {
        match measure {
            Measure::Given(es) => self.pure(|l| es.iter().map(|e| l.expr(e)).collect()),
            Measure::Guard(guard) => self.pure(|l| l.guessed(guard)),
            Measure::None => Vec::new(),
        }
    }

    /// Returns components derived from the conjuncts of a guard; each counts only if the preceding
    /// conjuncts hold.
    fn guessed(&mut self, guard: &'p typed::Expr) -> Vec<Expr> {
        let mut conjuncts = Vec::new();
        split(self.program, guard, true, &mut conjuncts);
        // A component counts only while the preceding conjuncts hold.
        let mut prefix: Option<Expr> = None;
        let mut guesses = Vec::new();
        for conjunct in conjuncts {
            let (holds, guess) = match conjunct {
                Conjunct::Comparison((op, left, right)) => {
                    let (left, right) = (self.expr(left), self.expr(right));
                    let span = left.span.to(right.span);
                    (
                        self.binary(op, left.clone(), right.clone(), Type::Bool, span),
                        self.guess(op, left, right, span),
                    )
                }
                Conjunct::Holds(e) => (self.expr(e), None),
                Conjunct::HoldsNot(e) => (build::not(self.expr(e)), None),
            };
            if let Some(guess) = guess {
                let (ty, span) = (guess.ty.clone(), guess.span);
                guesses.push(match prefix.clone() {
                    Some(prefix) => {
                        let neutral = self.neutral(&ty, span);
                        build::choose(prefix, guess, neutral, ty, span)
                    }
                    None => guess,
                });
            }
            prefix = Some(match prefix {
                Some(prefix) => build::and(prefix, holds),
                None => holds,
            });
        }
        guesses
    }

    /// Returns the value of a component if a preceding conjunct does not hold.
    fn neutral(&self, ty: &Type, span: Span) -> Expr {
        match (self.program.representation(ty), self.coll(ty)) {
            (_, Some(coll)) => build::op(Op::Display(coll), Vec::new(), ty.clone(), span),
            (Type::Real, None) => build::op(
                Op::Neg(Num::Real),
                vec![self.converted(build::int(1, Type::Int, span), &Type::Real)],
                Type::Real,
                span,
            ),
            (Type::Int, None) => build::int(-1, Type::Int, span),
            (_other, None) => build::unsupported(Construct::MeasureBeyondGuard, ty.clone(), span),
        }
    }

    /// Returns the expression that Dafny guesses to decrease from a comparison.
    fn guess(&self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let (low, high) = match op {
            BinaryOp::Lt | BinaryOp::Le => (left, right),
            BinaryOp::Gt | BinaryOp::Ge => (right, left),
            BinaryOp::Ne => return self.guess_of_difference(left, right, span),
            BinaryOp::Iff
            | BinaryOp::Eq
            | BinaryOp::In
            | BinaryOp::NotIn
            | BinaryOp::Disjoint
            | BinaryOp::Above
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or => return None,
        };
        match (self.coll(&low.ty), self.program.representation(&low.ty)) {
            (Some(Coll::Set), Type::Set { finite: false, .. }) => None,
            (Some(coll @ (Coll::Set | Coll::Multiset)), _) => {
                Some(self.count_of_difference(coll, high, low, span))
            }
            (Some(Coll::Seq), _) => (is_empty_display(&low)
                && matches!(op, BinaryOp::Lt | BinaryOp::Le))
            .then_some(high),
            (Some(Coll::Map), _) => None,
            (None, Type::Ordinal) => Some(high),
            (None, _) => self.difference(high, low, span),
        }
    }

    fn guess_of_difference(&self, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        match (self.coll(&left.ty), self.program.representation(&left.ty)) {
            (Some(Coll::Set), Type::Set { finite: false, .. }) | (Some(Coll::Map), _) => None,
            (Some(Coll::Set | Coll::Multiset | Coll::Seq), _) if is_empty_display(&left) => {
                Some(right)
            }
            (Some(Coll::Set | Coll::Multiset | Coll::Seq), _) if is_empty_display(&right) => {
                Some(left)
            }
            (Some(coll @ (Coll::Set | Coll::Multiset)), _) => {
                let one = self.count_of_difference(coll, left.clone(), right.clone(), span);
                let other = self.count_of_difference(coll, right, left, span);
                Some(build::op(
                    Op::Add(Num::Int),
                    vec![one, other],
                    Type::Int,
                    span,
                ))
            }
            (Some(Coll::Seq), _) => None,
            (None, Type::Ordinal) if build::is_literal(&left) => Some(right),
            (None, Type::Ordinal) => build::is_literal(&right).then_some(left),
            (None, _) => {
                let up = self.difference(right.clone(), left.clone(), span)?;
                let down = self.difference(left, right, span)?;
                let ty = up.ty.clone();
                let zero = self.converted(build::int(0, Type::Int, span), &ty);
                let is_up = build::op(
                    Op::Le(self.num(&ty)?),
                    vec![zero, up.clone()],
                    Type::Bool,
                    span,
                );
                Some(build::choose(is_up, up, down, ty, span))
            }
        }
    }

    fn count_of_difference(&self, coll: Coll, a: Expr, b: Expr, span: Span) -> Expr {
        let ty = a.ty.clone();
        let rest = build::op(Op::Difference(coll), vec![a, b], ty, span);
        build::op(Op::Cardinality(coll), vec![rest], Type::Int, span)
    }

    /// Returns `a - b` as an unbounded number.
    fn difference(&self, a: Expr, b: Expr, span: Span) -> Option<Expr> {
        let (ty, num) = match self.num(&a.ty)? {
            Num::Int | Num::Bv(_) | Num::Char => (Type::Int, Num::Int),
            Num::Real => (Type::Real, Num::Real),
            Num::Ordinal => return None,
        };
        Some(build::op(
            Op::Sub(num),
            vec![self.converted(a, &ty), self.converted(b, &ty)],
            ty,
            span,
        ))
    }

    fn converted(&self, e: Expr, ty: &Type) -> Expr {
        let span = e.span;
        if e.ty == *ty {
            e
        } else {
            build::expr(ExprKind::Convert(Box::new(e)), ty.clone(), span)
        }
    }

    /// Returns the condition that one tuple is below another.
    fn lexicographic(&self, after: &[Expr], before: &[Expr], span: Span) -> Expr {
        self.lexicographic_or(after, before, after.len() > before.len(), span)
    }

    /// Whether one tuple is below another one; `of_tie`: if all components of the other one are the same.
    fn lexicographic_or(&self, after: &[Expr], before: &[Expr], of_tie: bool, span: Span) -> Expr {
        let pairs: Vec<_> = after
            .iter()
            .zip(before)
            .map_while(|(a, b)| self.below(a, b, span))
            .collect();
        let of_tie = pairs.len() == before.len() && of_tie;
        pairs
            .into_iter()
            .rev()
            .fold(build::boolean(of_tie, span), |rest, (below, same)| {
                build::or(below, build::and(same, rest))
            })
    }

    /// Returns the conditions that one component is below another and that they are equal; `None`
    /// if they are of different kinds.
    fn below(&self, after: &Expr, before: &Expr, span: Span) -> Option<(Expr, Expr)> {
        let both = |op: Op| build::op(op, vec![after.clone(), before.clone()], Type::Bool, span);
        // The order on numbers is well-founded because the previous value must not be negative;
        // reals must decrease by at least one.
        let numbers = |ty: &Type, num: Num| {
            let (a, b) = (
                self.converted(after.clone(), ty),
                self.converted(before.clone(), ty),
            );
            let zero = self.converted(build::int(0, Type::Int, span), ty);
            let is_bounded = build::op(Op::Le(num), vec![zero, b.clone()], Type::Bool, span);
            let is_less = match num {
                Num::Real => {
                    let step = self.converted(build::int(1, Type::Int, span), ty);
                    let below = build::op(Op::Sub(num), vec![b.clone(), step], ty.clone(), span);
                    build::op(Op::Le(num), vec![a.clone(), below], Type::Bool, span)
                }
                Num::Int | Num::Bv(_) | Num::Char | Num::Ordinal => {
                    build::op(Op::Lt(num), vec![a.clone(), b.clone()], Type::Bool, span)
                }
            };
            (
                build::and(is_bounded, is_less),
                build::op(Op::Eq, vec![a, b], Type::Bool, span),
            )
        };
        let never = || build::boolean(false, span);
        let kind = |ty: &Type| self.program.representation(ty);
        Some(match (kind(&after.ty), kind(&before.ty)) {
            (Type::Bool, Type::Bool) => (
                build::and(build::not(after.clone()), before.clone()),
                both(Op::Eq),
            ),
            (Type::Int, Type::Int) | (Type::Bv(_), Type::Bv(_)) => numbers(&Type::Int, Num::Int),
            (Type::Real, Type::Real) => numbers(&Type::Real, Num::Real),
            (Type::Char, Type::Char) => (both(Op::Lt(Num::Char)), both(Op::Eq)),
            (Type::Ordinal, Type::Ordinal) => (both(Op::Lt(Num::Ordinal)), both(Op::Eq)),
            (Type::Set { finite: true, .. }, Type::Set { finite: true, .. }) => {
                (both(Op::Subset(Coll::Set)), both(Op::Eq))
            }
            (Type::Set { .. }, Type::Set { .. }) | (Type::Arrow { .. }, Type::Arrow { .. }) => {
                (never(), both(Op::Eq))
            }
            (Type::Multiset(_), Type::Multiset(_)) => {
                (both(Op::Subset(Coll::Multiset)), both(Op::Eq))
            }
            // Maps are compared by their keys.
            (
                Type::Map {
                    finite: true, key, ..
                },
                Type::Map { finite: true, .. },
            ) => {
                let keys = |e: &Expr| {
                    build::op(
                        Op::Keys,
                        vec![e.clone()],
                        Type::Set {
                            finite: true,
                            elem: key.clone(),
                        },
                        span,
                    )
                };
                let operands = vec![keys(after), keys(before)];
                (
                    build::op(Op::Subset(Coll::Set), operands.clone(), Type::Bool, span),
                    build::op(Op::Eq, operands, Type::Bool, span),
                )
            }
            (Type::Map { finite: false, .. }, Type::Map { finite: false, .. }) => {
                (never(), both(Op::Eq))
            }
            (a, b) if a == b && self.is_opaque(&a) => (never(), both(Op::Eq)),
            // Structures are ordered by the part-of relation, even across types; equality needs a
            // common type.
            (a, b) if self.is_structure(&a) && self.is_structure(&b) => {
                (both(Op::Below), if a == b { both(Op::Eq) } else { never() })
            }
            // A null reference is below every object, and objects are equal to one another.
            (a, b) if is_reference(self.program, &a) && is_reference(self.program, &b) => {
                let is_null = |e: &Expr| {
                    let null =
                        build::expr(ExprKind::Literal(typed::Literal::Null), e.ty.clone(), span);
                    if self.is_nullable(&e.ty) {
                        build::op(Op::Eq, vec![e.clone(), null], Type::Bool, span)
                    } else {
                        never()
                    }
                };
                let (a, b) = (is_null(after), is_null(before));
                (
                    build::and(a.clone(), build::not(b.clone())),
                    build::op(Op::Eq, vec![a, b], Type::Bool, span),
                )
            }
            (_, _) => return None,
        })
    }

    /// Whether nothing but equality is known about the values of a type.
    fn is_opaque(&self, ty: &Type) -> bool {
        let is_opaque = |kind: &TypeDeclKind| {
            matches!(
                kind,
                TypeDeclKind::Abstract
                    | TypeDeclKind::Trait {
                        is_reference: false
                    }
            )
        };
        matches!(ty, Type::Param(_))
            || matches!(ty, Type::Named { decl, .. } if is_opaque(&self.program[*decl].kind))
    }

    /// Whether values of a type have parts that are below them.
    fn is_structure(&self, ty: &Type) -> bool {
        match ty {
            Type::Seq(_) | Type::Tuple(_) => true,
            Type::Named { decl, .. } => {
                matches!(self.program[*decl].kind, TypeDeclKind::Datatype { .. })
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Set { .. }
            | Type::Multiset(_) => false,
            Type::Map { .. }
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }
}

fn is_reference(program: &typed::Program, ty: &Type) -> bool {
    match ty {
        Type::Array { .. } | Type::Object { .. } => true,
        Type::Named { decl, .. } => match program[*decl].kind {
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => true,
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract => false,
        },
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. } => false,
        Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Param(_)
        | Type::Error => false,
    }
}

fn is_empty_display(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Op(Op::Display(_), parts) if parts.is_empty())
}

/// Returns the value that an expression had when the callable was called.
/// Whether a body of an iterator's loop contains a `yield`.
fn yields(body: &typed::Block) -> bool {
    struct Yields(bool);
    impl<'p> Visit<'p> for Yields {
        fn stmt(&mut self, s: &'p typed::Stmt) {
            self.0 |= matches!(s.kind, typed::StmtKind::Yield);
            walk_stmt(self, s);
        }
    }
    let mut found = Yields(false);
    found.block(body);
    found.0
}

fn old(e: Expr) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    build::expr(ExprKind::Old(None, Box::new(e)), ty, span)
}

/// A part of a guard.
enum Conjunct<'p> {
    Comparison(Comparison<'p>),
    Holds(&'p typed::Expr),
    HoldsNot(&'p typed::Expr),
}

/// Appends the conjuncts of a guard, or of its negation, in order.
fn split<'p>(
    program: &typed::Program,
    guard: &'p typed::Expr,
    holds: bool,
    into: &mut Vec<Conjunct<'p>>,
) {
    let whole = if holds {
        Conjunct::Holds(guard)
    } else {
        Conjunct::HoldsNot(guard)
    };
    stacker::maybe_grow(128 * 1024, 1024 * 1024, || match &guard.kind {
        T::Unary(UnaryOp::Not, negated) => split(program, negated, !holds, into),
        // De Morgan: a disjunction that does not hold is a conjunction of negations.
        T::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right)
            if holds == (*op == BinaryOp::And) =>
        {
            split(program, left, holds, into);
            split(program, right, holds, into);
        }
        T::Binary(BinaryOp::Implies, left, right) | T::Binary(BinaryOp::Explies, right, left)
            if !holds =>
        {
            split(program, left, true, into);
            split(program, right, false, into);
        }
        T::Binary(BinaryOp::And | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::Or, ..) => {
            into.push(whole)
        }
        T::Binary(op, left, right) if holds => into.push(Conjunct::Comparison((*op, left, right))),
        T::Binary(op, left, right) => {
            into.push(
                negated(*op, &program.representation(&left.ty))
                    .map_or(whole, |op| Conjunct::Comparison((op, left, right))),
            );
        }
        T::Chain { first, rest }
            if holds && !rest.iter().any(|(op, _)| *op == BinaryOp::Disjoint) =>
        {
            let mut left: &typed::Expr = first;
            for (op, right) in rest {
                into.push(Conjunct::Comparison((*op, left, right)));
                left = right;
            }
        }
        T::Literal(_)
        | T::Local(_)
        | T::This
        | T::Field { .. }
        | T::Builtin { .. }
        | T::CtorTest { .. }
        | T::TupleField { .. }
        | T::Construct { .. }
        | T::Delayed(_)
        | T::Call(_)
        | T::FunctionRef { .. }
        | T::Apply { .. }
        | T::Index { .. }
        | T::Slice { .. }
        | T::SliceLengths { .. }
        | T::Update { .. }
        | T::DatatypeUpdate { .. }
        | T::TupleUpdate { .. }
        | T::Unary(..)
        | T::Chain { .. }
        | T::PrefixEq { .. }
        | T::Convert(_)
        | T::Is(..)
        | T::Cardinality(_)
        | T::Tuple(_)
        | T::SeqDisplay(_)
        | T::SetDisplay(_)
        | T::MultisetDisplay(_)
        | T::MultisetFrom(_)
        | T::MapDisplay(_)
        | T::SeqConstruct { .. }
        | T::SetComp { .. }
        | T::MapComp { .. }
        | T::Quantifier { .. }
        | T::Lambda(_)
        | T::If { .. }
        | T::IfBinding { .. }
        | T::Match { .. }
        | T::Let { .. }
        | T::LetSuchThat { .. }
        | T::LetOrFail(_)
        | T::StmtExpr { .. }
        | T::Old { .. }
        | T::Fresh { .. }
        | T::Allocated(_)
        | T::Unchanged { .. }
        | T::Assigned(_)
        | T::Wildcard
        | T::Error => into.push(whole),
    });
}

/// Returns the comparison that holds if the given one does not, if there is one.
fn negated(op: BinaryOp, operands: &Type) -> Option<BinaryOp> {
    let is_total = matches!(operands, Type::Int | Type::Real | Type::Bv(_) | Type::Char);
    if matches!(op, BinaryOp::Eq) {
        Some(BinaryOp::Ne)
    } else if matches!(op, BinaryOp::Ne) {
        Some(BinaryOp::Eq)
    } else if matches!(op, BinaryOp::Lt) && is_total {
        Some(BinaryOp::Ge)
    } else if matches!(op, BinaryOp::Le) && is_total {
        Some(BinaryOp::Gt)
    } else if matches!(op, BinaryOp::Gt) && is_total {
        Some(BinaryOp::Le)
    } else if matches!(op, BinaryOp::Ge) && is_total {
        Some(BinaryOp::Lt)
    } else {
        None
    }
}
