//! Lowering of assignments, calls and allocations.
//!
//! Key functions: [`Lowerer::parallel_assign`], [`Lowerer::call_stmt`],
//! [`Lowerer::assign_or_fail`].

use num_bigint::Sign;

use super::{Lowerer, build};
use dafny_resolve::typed::{
    self, CallableKind, FieldId, Literal, OnFailure, Rhs, Target, Type, TypeDeclKind,
};
use dafny_source::Span;
use dtest_ir::reason::Construct;
use dtest_ir::{
    ArrayInit, AssertKind, Assumed, Check, Expr, ExprKind, GoalReason, Op, StmtKind, Terminator,
    Var,
};
use dtest_sorted::SortedMap;

/// A target whose object and indices are evaluated.
enum Place {
    Local(Var),
    Field(Expr, FieldId),
    Element(Expr, Vec<Expr>),
    Discard(Type),
}

impl<'p> Lowerer<'p> {
    /// Lowers a parallel assignment: all targets and values are evaluated before the first store.
    pub(super) fn parallel_assign(&mut self, pairs: &'p [(Target, Rhs)], span: Span) {
        if let [(target, rhs)] = pairs {
            let ghost = self.is_ghost_target(target);
            return self.pure_if(ghost, |l| l.single_assign(target, rhs, span));
        }
        let (mut stores, mut havocs) = (Vec::new(), Vec::new());
        for (i, (target, rhs)) in pairs.iter().enumerate() {
            // An arbitrary value is no value that a variable is certainly assigned.
            if let (Target::Local(local), Rhs::Havoc(_)) = (target, rhs) {
                havocs.push(self.local(*local));
                continue;
            }
            let ghost = self.is_ghost_target(target);
            self.pure_if(ghost, |l| {
                let place = l.place(target, true);
                let value = l.rhs(rhs, span);
                let value = if i == 0 {
                    value
                } else {
                    l.steady(value, "$right")
                };
                stores.push((place, value));
            });
        }
        self.assert_apart(
            &stores
                .iter()
                .map(|(place, value)| (place, value))
                .collect::<Vec<_>>(),
            span,
        );
        for (place, value) in stores {
            self.store(place, value, span);
        }
        for var in havocs {
            self.execute(StmtKind::Havoc(var), span);
        }
    }

    /// Asserts that targets which may be the same place get equal values.
    fn assert_apart(&mut self, stores: &[(&Place, &Expr)], span: Span) {
        for (i, (place, value)) in stores.iter().enumerate() {
            for (other, other_value) in stores.iter().take(i) {
                if let Some(differ) = differ(place, other, span) {
                    let same = build::op(
                        Op::Eq,
                        vec![(*value).clone(), (*other_value).clone()],
                        Type::Bool,
                        span,
                    );
                    self.pure(|l| l.assert(build::or(differ, same), AssertKind::Aliasing));
                }
            }
        }
    }

    fn single_assign(&mut self, target: &'p Target, rhs: &'p Rhs, span: Span) {
        match (target, rhs) {
            (Target::Local(local), Rhs::Expr(e)) => {
                let var = self.local(*local);
                self.evaluate(e, var, true);
            }
            (Target::Local(local), Rhs::Havoc(_)) => {
                let var = self.local(*local);
                self.execute(StmtKind::Havoc(var), span);
            }
            (
                Target::Local(_)
                | Target::Field { .. }
                | Target::Element { .. }
                | Target::Discard(_),
                _,
            ) => {
                let place = self.place(target, !matches!(rhs, Rhs::Expr(_)));
                let value = self.rhs(rhs, span);
                self.store(place, value, span);
            }
        }
    }

    /// Lowers `pattern := value`.
    pub(super) fn pattern_assign(&mut self, pattern: &'p typed::Pattern, value: &'p typed::Expr) {
        match Self::sole_variable(pattern) {
            Some(local) => {
                let var = self.local(local);
                self.pure_if(self.program[local].ghost, |l| l.evaluate(value, var, true));
            }
            None => {
                let value = self.expr(value);
                self.assign_parts(pattern, value);
            }
        }
    }

    /// Lowers `var := value`, with an assertion that the value satisfies the constraint of the
    /// variable's type, unless its own type implies that.
    pub(super) fn assign(&mut self, var: Var, value: Expr, span: Span) {
        let target = self.info(var).map_or(Type::Error, |i| i.ty.clone());
        let checked = self.needs_check(&value, &target);
        let from = value.ty.clone();
        self.execute(StmtKind::Assign { var, value }, span);
        if checked {
            self.constrain(var, &from, &target, span);
        }
    }

    fn constrain(&mut self, var: Var, from: &Type, ty: &Type, span: Span) {
        let value = self.var(var, span);
        let cond = self.pure(|l| l.is_of(value, from, ty));
        self.assert(cond, AssertKind::TypeConstraint);
    }

    /// Lowers a call of a method or constructor.
    pub(super) fn call_stmt(&mut self, targets: &'p [Target], call: &'p typed::Call, span: Span) {
        let program = self.program;
        let callee = &program[call.callee];
        // A lemma has no run-time effect; without obligations, only its results matter, which are
        // unknown.
        if callee.kind == CallableKind::Lemma && !self.has_obligations() {
            for target in targets {
                let place = self.pure(|l| l.place(target, false));
                let unknown = build::unsupported(Construct::LemmaResult, Type::Error, span);
                self.store(place, unknown, span);
            }
            return;
        }
        if self.is_super_call(call) {
            return self.unsupported(Construct::CallOfOwn, span);
        }
        // Targets are evaluated before the arguments, as in every assignment.
        let places: Vec<Place> = targets
            .iter()
            .map(|t| self.pure_if(self.is_ghost_target(t), |l| l.place(t, true)))
            .collect();
        let args = self.pure_if(callee.ghost, |l| l.call_args(call));
        let map: typed::Substitution = program
            .all_type_params(call.callee)
            .into_iter()
            .zip(call.type_args.iter().cloned())
            .collect();
        let mut outs = Vec::new();
        let mut stores = Vec::new();
        let mut results: SortedMap<Var, Type> = SortedMap::new();
        let mut places = places.into_iter();
        // A result goes directly into a variable; for fields and elements, it is stored after the
        // call.
        for out in &callee.outs {
            let result = program[out.local].ty.subst(&map);
            let taker = match places.next() {
                None | Some(Place::Discard(_)) => None,
                Some(Place::Local(var)) => {
                    let (target, from) = (
                        self.info(var).map_or(Type::Error, |i| i.ty.clone()),
                        build::unsupported(Construct::CallResult, result.clone(), span),
                    );
                    // A variable whose type is narrower than the result's is checked after the
                    // call.
                    if self.needs_check(&from, &target) {
                        stores.push((Place::Local(var), None));
                        results.insert(var, result);
                    }
                    Some(var)
                }
                Some(place @ (Place::Field(..) | Place::Element(..))) => {
                    let var = self.temp("$result", result, span);
                    stores.push((place, Some(self.var(var, span))));
                    Some(var)
                }
            };
            outs.push(taker);
        }
        // The obligations of the call refer to the evaluated arguments.
        self.oblige_decrease(call, &args, span);
        self.oblige_call_frame(call.callee, &call.type_args, &args, span);
        self.obligation_known_there(call.callee, &args, call.at_label.as_ref());
        let label = call.at_label.clone();
        self.graph.read_labels(label.clone());
        self.execute(
            StmtKind::Call {
                callee: call.callee,
                type_args: call.type_args.clone(),
                args,
                outs,
                label,
            },
            span,
        );
        // Parallel results must not be assigned to the same place.
        self.assert_apart(
            &stores
                .iter()
                .filter_map(|(place, value)| Some((place, value.as_ref()?)))
                .collect::<Vec<_>>(),
            span,
        );
        for (place, value) in stores {
            match (place, value) {
                (place, Some(value)) => self.store(place, value, span),
                (Place::Local(var), None) => {
                    let ty = self.info(var).map_or(Type::Error, |i| i.ty.clone());
                    let from = results.get(&var).cloned().unwrap_or_else(|| ty.clone());
                    self.constrain(var, &from, &ty, span);
                }
                (Place::Field(..) | Place::Element(..) | Place::Discard(_), None) => {}
            }
        }
    }

    /// Lowers `targets :| condition`.
    pub(super) fn such_that(
        &mut self,
        targets: &'p [Target],
        vars: &'p typed::Quantified,
        assumed: bool,
        span: Span,
    ) {
        let places: Vec<Place> = targets
            .iter()
            .map(|t| self.pure_if(self.is_ghost_target(t), |l| l.place(t, true)))
            .collect();
        let chosen = self.quantified(vars);
        let values: Vec<Expr> = chosen.vars.iter().map(|v| self.var(*v, span)).collect();
        if assumed {
            // The existence of a value is assumed: an execution without one does not exist.
            self.oblige_choice_range(&chosen);
            let assume = StmtKind::Assume {
                cond: build::exists(chosen.clone(), span),
                by: Assumed::Statement,
            };
            self.graph.push(assume, span);
            self.graph.push(StmtKind::SuchThat(chosen), span);
        } else {
            self.execute(StmtKind::SuchThat(chosen), span);
        }
        for (place, value) in places.into_iter().zip(values) {
            self.store(place, value, span);
        }
    }

    /// Lowers all forms of `:-`.
    pub(super) fn assign_or_fail(&mut self, a: &'p typed::AssignOrFail, span: Span) {
        // As in every assignment, targets are evaluated before the value.
        let place = a.extract.as_ref().map(|(target, _)| {
            self.pure_if(self.is_ghost_target(target), |l| l.place(target, true))
        });
        self.stmt(&a.compute);
        let cond = self.pure(|l| l.expr(&a.is_failure));
        match &a.on_failure {
            // Both outcomes of a failure check are goals.
            OnFailure::Propagate { out, value } => {
                let at = value_span(&a.compute);
                let failed = self.goal_block(
                    GoalReason::Failure {
                        value: at,
                        failed: true,
                    },
                    span,
                );
                let passed = self.goal_block(
                    GoalReason::Failure {
                        value: at,
                        failed: false,
                    },
                    Span::new(span.end, span.end),
                );
                self.graph.branch(cond, failed, passed);
                self.graph.enter(failed);
                let out = self.local(*out);
                let value = self.pure(|l| l.expr(value));
                // The failure is returned, so the postconditions are due.
                self.assign(out, value, span);
                self.oblige_postconditions(span);
                self.graph.terminate(Terminator::Return);
                self.graph.enter(passed);
            }
            OnFailure::Expect => {
                let temp = self.local(a.temp);
                let message = Some(self.var(temp, span));
                self.execute(
                    StmtKind::Expect {
                        cond: build::not(cond),
                        message,
                    },
                    span,
                );
            }
            OnFailure::Assert => self.assert(build::not(cond), AssertKind::Assert),
            OnFailure::Assume => self.execute(
                StmtKind::Assume {
                    cond: build::not(cond),
                    by: Assumed::Statement,
                },
                span,
            ),
        }
        // The value is extracted only on success.
        if let (Some((target, extract)), Some(place)) = (&a.extract, place) {
            let ghost = self.is_ghost_target(target);
            let value = self.pure_if(ghost, |l| l.expr(extract));
            self.store(place, value, span);
        }
    }

    /// Returns the target of a `forall` statement; `None` for a variable.
    pub(super) fn store_target(&mut self, target: &'p Target) -> Option<dtest_ir::StoreTarget> {
        match self.place(target, false) {
            Place::Field(object, field) => Some(dtest_ir::StoreTarget::Field(object, field)),
            Place::Element(array, indices) => Some(dtest_ir::StoreTarget::Element(array, indices)),
            Place::Local(_) | Place::Discard(_) => None,
        }
    }

    /// Asserts that a `forall` statement gives no place two values for different values of its
    /// variables. Not needed if every variable is an index or the object, so that places differ.
    pub(super) fn oblige_apart(
        &mut self,
        vars: &'p typed::Quantified,
        target: &'p Target,
        value: &'p typed::Expr,
        span: Span,
    ) {
        if !self.has_obligations() || names_its_variables(target, &vars.vars) {
            return;
        }
        let mut lowered = || {
            self.pure(|l| {
                let q = l.quantified(vars);
                (q, l.place(target, false), l.expr(value))
            })
        };
        let ((q, place, value), (others, other, other_value)) = (lowered(), lowered());
        let Some(differ) = differ(&place, &other, span) else {
            return;
        };
        let same = build::op(Op::Eq, vec![value, other_value], Type::Bool, span);
        let all = |vars, body| {
            let kind = ExprKind::Quantifier {
                forall: true,
                vars,
                body: Box::new(body),
            };
            build::expr(kind, Type::Bool, span)
        };
        let cond = all(q, all(others, build::or(differ, same)));
        self.pure(|l| l.assert(cond, AssertKind::Aliasing));
    }

    fn is_ghost_target(&self, target: &Target) -> bool {
        match target {
            Target::Local(local) => self.program[*local].ghost,
            Target::Field { field, .. } => self.program[*field].ghost,
            Target::Element { .. } | Target::Discard(_) => false,
        }
    }

    /// Evaluates the object and indices of a target. With `steady`, they are stored in variables,
    /// because they may change before the store.
    fn place(&mut self, target: &'p Target, steady: bool) -> Place {
        match target {
            Target::Local(local) => Place::Local(self.local(*local)),
            Target::Field { object, field } => {
                Place::Field(self.operand_of_place(object, steady), *field)
            }
            Target::Element { array, indices } => {
                let array = self.operand_of_place(array, steady);
                Place::Element(
                    array,
                    indices
                        .iter()
                        .map(|i| self.operand_of_place(i, steady))
                        .collect(),
                )
            }
            Target::Discard(ty) => Place::Discard(ty.clone()),
        }
    }

    fn operand_of_place(&mut self, e: &'p typed::Expr, steady: bool) -> Expr {
        let value = self.expr(e);
        if steady && !matches!(e.kind, typed::ExprKind::This) {
            self.steady(value, "$left")
        } else {
            value
        }
    }

    fn store(&mut self, place: Place, value: Expr, span: Span) {
        match place {
            Place::Local(var) => self.assign(var, value, span),
            Place::Field(object, field) => {
                self.field_assigned(&object, field, span);
                let value = self.checked_for(&self.field_type(&object.ty, field), value);
                // The frame is checked after the value was evaluated.
                self.oblige_write(&object, Some(field), span);
                self.oblige_that_new_shrinks(&object, field, &value, span);
                self.execute(
                    StmtKind::SetField {
                        object,
                        field,
                        value,
                    },
                    span,
                );
            }
            Place::Element(array, indices) => {
                let value = if matches!(self.program.representation(&array.ty), Type::Array { .. })
                {
                    self.checked_for(&self.element_type(&array.ty), value)
                } else {
                    value
                };
                self.oblige_write(&array, None, span);
                self.execute(
                    StmtKind::SetElement {
                        array,
                        indices,
                        value,
                    },
                    span,
                );
            }
            // A discarded value still has to be well-formed.
            Place::Discard(ty) => {
                if !build::is_atom(&value) {
                    let ty = if ty == Type::Error {
                        value.ty.clone()
                    } else {
                        ty
                    };
                    let var = self.temp("$dropped", ty, span);
                    self.execute(StmtKind::Assign { var, value }, span);
                }
            }
        }
    }

    /// Stores the value in a variable that is asserted to satisfy the constraint of `target`, if
    /// that is necessary.
    fn checked_for(&mut self, target: &Type, value: Expr) -> Expr {
        if !self.needs_check(&value, target) {
            return value;
        }
        let span = value.span;
        let var = self.temp("$stored", target.clone(), span);
        let from = value.ty.clone();
        self.execute(StmtKind::Assign { var, value }, span);
        self.constrain(var, &from, target, span);
        self.var(var, span)
    }

    fn rhs(&mut self, rhs: &'p Rhs, span: Span) -> Expr {
        match rhs {
            Rhs::Expr(e) => self.expr(e),
            // An arbitrary value is assigned to a temporary variable first.
            Rhs::Havoc(ty) => {
                let var = self.temp("$any", ty.clone(), span);
                self.execute(StmtKind::Havoc(var), span);
                self.var(var, span)
            }
            Rhs::New { ty, ctor } => self.new_object(ty, ctor.as_ref(), span),
            Rhs::NewArray { elem, dims, init } => {
                let mut dims = self.exprs(dims);
                // The checks of an initializer refer to the lengths, which must not be evaluated
                // again.
                let init = match init {
                    typed::ArrayInit::Default => {
                        self.oblige_initial_values(&mut dims, elem, span);
                        ArrayInit::Default
                    }
                    typed::ArrayInit::Function(f) => {
                        self.probe_initializer(&dims, f);
                        let init = self.expr(f);
                        ArrayInit::Function(self.oblige_initializer(&mut dims, init, elem, span))
                    }
                    typed::ArrayInit::Elements(es) => {
                        let values = self.exprs(es);
                        if let [size] = dims.as_mut_slice() {
                            self.oblige_size(size, values.len(), span);
                        }
                        ArrayInit::Elements(
                            values
                                .into_iter()
                                .map(|value| self.admitted(value, elem))
                                .collect(),
                        )
                    }
                };
                let ty = Type::Array {
                    dims: dims.len() as u32,
                    nullable: false,
                    elem: Box::new(elem.clone()),
                };
                let var = self.temp("$new", ty, span);
                self.execute(
                    StmtKind::NewArray {
                        var,
                        elem: elem.clone(),
                        dims,
                        init,
                    },
                    span,
                );
                self.var(var, span)
            }
        }
    }

    /// Asserts that an array has no elements if its element type need not have a value.
    fn oblige_initial_values(&mut self, lengths: &mut [Expr], elem: &Type, span: Span) {
        let of_elem = self.program.characteristics_of(elem);
        if !self.has_obligations()
            || of_elem.auto_init
            || !self.evaluation.is_executed && of_elem.nonempty
        {
            return;
        }
        for length in lengths.iter_mut() {
            *length = self.steady(length.clone(), "$length");
        }
        let is_zero = |length: &Expr| {
            let zero = build::int(0, length.ty.clone(), span);
            build::op(Op::Eq, vec![length.clone(), zero], Type::Bool, span)
        };
        let is_empty = lengths.iter().map(is_zero).reduce(build::or);
        if let Some(is_empty) = is_empty {
            self.pure(|l| l.assert(is_empty, AssertKind::Size));
        }
    }

    /// Asserts that the size of an array is the number of written elements.
    fn oblige_size(&mut self, size: &mut Expr, count: usize, span: Span) {
        let is_that =
            |n: &num_bigint::BigInt| usize::try_from(n).is_ok_and(|written| written == count);
        if !self.has_obligations()
            || matches!(&size.kind, ExprKind::Literal(Literal::Int(n)) if is_that(n))
        {
            return;
        }
        *size = self.steady(size.clone(), "$length");
        let count = build::int(
            i64::try_from(count).unwrap_or(i64::MAX),
            size.ty.clone(),
            span,
        );
        let agrees = build::op(Op::Eq, vec![size.clone(), count], Type::Bool, span);
        self.pure(|l| l.assert(agrees, AssertKind::Size));
    }

    /// Returns the function that initializes an array, after assertions that it does so for every
    /// element.
    fn oblige_initializer(
        &mut self,
        lengths: &mut [Expr],
        init: Expr,
        elem: &Type,
        span: Span,
    ) -> Expr {
        let may_miss = matches!(self.program.strip_subset(&init.ty), Type::Arrow { result, .. } if self.may_miss(&result, elem));
        if !self.has_obligations() && !may_miss {
            return init;
        }
        for length in lengths.iter_mut() {
            *length = self.steady(length.clone(), "$length");
        }
        let init = self.steady(init, "$function");
        for (check, cond) in self.pure(|l| l.initializer(lengths, &init, elem, span)) {
            let kind = match check {
                Check::Type | Check::Result => AssertKind::TypeConstraint,
                Check::Reads => AssertKind::Reads,
                Check::Application => AssertKind::Application,
                Check::Assert
                | Check::Termination
                | Check::Decreases
                | Check::Allocated
                | Check::Aliasing
                | Check::Case
                | Check::Unique
                | Check::Constructor
                | Check::Precondition(_)
                | Check::WellFormed
                | Check::Assume => AssertKind::Assert,
            };
            self.pure(|l| l.assert(cond, kind));
        }
        init
    }

    fn new_object(&mut self, ty: &Type, ctor: Option<&'p typed::Call>, span: Span) -> Expr {
        let class = self.program.strip_subset(ty);
        let args = ctor.map(|c| self.call_args(c));
        let var = self.temp("$new", class.clone(), span);
        self.execute(StmtKind::New { var, ty: class }, span);
        let object = self.var(var, span);
        if let (Some(call), Some(mut args)) = (ctor, args) {
            args.insert(0, object.clone());
            let outs = self.program[call.callee]
                .outs
                .iter()
                .map(|_| None)
                .collect();
            self.oblige_decrease(call, &args, span);
            self.oblige_call_frame(call.callee, &call.type_args, &args, span);
            self.execute(
                StmtKind::Call {
                    callee: call.callee,
                    type_args: call.type_args.clone(),
                    args,
                    outs,
                    label: None,
                },
                span,
            );
        }
        object
    }

    /// Returns the type of a field of objects of a type.
    fn field_type(&self, object: &Type, field: FieldId) -> Type {
        let field = &self.program[field];
        let map = field.owner.map(|owner| {
            self.program
                .substitution(owner, &self.owner_args(object, owner))
        });
        map.map_or_else(|| field.ty.clone(), |map| field.ty.subst(&map))
    }

    /// Returns the element type of an array.
    fn element_type(&self, ty: &Type) -> Type {
        if let Type::Array { elem, .. } = self.program.strip_subset(ty) {
            *elem
        } else {
            Type::Error
        }
    }

    /// Whether a value must be proved to be in `target`: a subset type, or a non-null type.
    pub(super) fn needs_check(&self, value: &Expr, target: &Type) -> bool {
        if matches!(
            target,
            Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. } | Type::Tuple(_)
        ) {
            return self.may_miss(&value.ty, target);
        }
        if self.has_obligations() && self.may_misfit(&value.ty, target) {
            return true;
        }
        match target {
            Type::Named { decl, nullable, .. } => match &self.program[*decl].kind {
                TypeDeclKind::Subset(_) => {
                    !self.is_below(&value.ty, target) && !self.is_plainly_nat(value, *decl)
                }
                TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => {
                    !nullable && self.is_nullable(&value.ty)
                        || self.has_obligations()
                            && (!self.is_subtype(&value.ty, target)
                                || self.are_apart(&value.ty, target))
                }
                TypeDeclKind::Datatype { .. } => self.may_miss(&value.ty, target),
                // Operators and literals at newtypes over booleans, characters and collections may
                // have the base type.
                TypeDeclKind::Newtype(_) => {
                    self.has_obligations() && self.program.strip_subset(&value.ty) != *target
                }
                TypeDeclKind::Abstract => false,
            },
            Type::Array { nullable, .. } | Type::Object { nullable } => {
                !nullable && self.is_nullable(&value.ty)
                    || self.has_obligations() && self.are_apart(&value.ty, target)
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    pub(super) fn is_nullable(&self, ty: &Type) -> bool {
        match self.program.strip_subset(ty) {
            Type::Named { nullable, .. }
            | Type::Array { nullable, .. }
            | Type::Object { nullable } => nullable,
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    /// Whether `ty` is `target` or a subset type of it. Unresolved types pass.
    pub(super) fn is_below(&self, ty: &Type, target: &Type) -> bool {
        let mut ty = ty.clone();
        loop {
            if ty == *target || ty == Type::Error {
                return true;
            }
            let Type::Named { decl, args, .. } = &ty else {
                return false;
            };
            let TypeDeclKind::Subset(c) = &self.program[*decl].kind else {
                return false;
            };
            ty = c.base.subst(&self.program.substitution(*decl, args));
        }
    }

    fn is_plainly_nat(&self, value: &Expr, target: typed::TypeId) -> bool {
        let natural = match &value.kind {
            ExprKind::Literal(Literal::Int(n)) => n.sign() != Sign::Minus,
            ExprKind::Op(op, _) => matches!(op, Op::Cardinality(_) | Op::ArrayLength(_)),
            ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
            | ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Call { .. }
            | ExprKind::Const { .. }
            | ExprKind::Apply(..)
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::FunctionRef { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Checked(..)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => false,
        };
        natural && self.program.nat == Some(target)
    }
}

/// Returns the condition that two places are different; `None` if they always are.
fn differ(a: &Place, b: &Place, span: Span) -> Option<Expr> {
    let unequal =
        |x: &Expr, y: &Expr| build::op(Op::Ne, vec![x.clone(), y.clone()], Type::Bool, span);
    let literal = |e: &Expr| {
        if let ExprKind::Literal(l) = &e.kind {
            Some(l.clone())
        } else {
            None
        }
    };
    match (a, b) {
        (Place::Field(x, f), Place::Field(y, g)) => (f == g).then(|| unequal(x, y)),
        (Place::Element(x, is), Place::Element(y, js)) => {
            let apart = |(i, j): (&Expr, &Expr)| matches!((literal(i), literal(j)), (Some(i), Some(j)) if i != j);
            if is.len() != js.len() || x.ty != y.ty || is.iter().zip(js).any(apart) {
                return None;
            }
            Some(
                is.iter()
                    .zip(js)
                    .fold(unequal(x, y), |all, (i, j)| build::or(all, unequal(i, j))),
            )
        }
        (Place::Local(_) | Place::Field(..) | Place::Element(..) | Place::Discard(_), _) => None,
    }
}

/// Returns the place of the value that may be a failure.
pub fn value_span(compute: &typed::Stmt) -> Span {
    if let typed::StmtKind::Assign { pairs, .. } = &compute.kind
        && let Some((_, Rhs::Expr(e))) = pairs.first()
    {
        return e.span;
    }
    compute.span
}

/// Whether different values of the variables give different places, because the object or the
/// indices are the variables themselves.
fn names_its_variables(target: &Target, vars: &[typed::LocalId]) -> bool {
    let names = |e: &typed::Expr| {
        if let typed::ExprKind::Local(x) = &e.kind {
            Some(*x)
        } else {
            None
        }
    };
    let named: Vec<typed::LocalId> = match target {
        Target::Field { object, .. } => names(object).into_iter().collect(),
        Target::Element { array, indices } => names(array)
            .into_iter()
            .chain(indices.iter().filter_map(names))
            .collect(),
        Target::Local(_) | Target::Discard(_) => Vec::new(),
    };
    vars.iter().all(|v| named.contains(v))
}
