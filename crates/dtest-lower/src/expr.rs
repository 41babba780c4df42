//! Lowering of expressions.
//!
//! In executed code, [`super::branch`] turns expressions with control flow into blocks; all other
//! expressions, and all expressions in pure contexts, become IR expressions. [`Lowerer::expr`] is
//! the entry point. The hard part is to evaluate shared operands once ([`Lowerer::share`]) and to
//! add the checks of obligations at the right place.

use super::allocation::{Known, asserting};
use super::frames::only_if;
use super::pattern::Taken;
use super::{Lowerer, build, control};
use dafny_resolve::typed::{
    self, BinaryOp, BuiltinMember, FieldId, FieldKind, Type, TypeId, UnaryOp,
};
use dafny_source::Span;
use dtest_ir::reason::{Construct, Reason};
use dtest_ir::{self as ir, AssertKind, Coll, Expr, ExprKind, Op, StmtKind, Var, ctors_of};

impl<'p> Lowerer<'p> {
    /// Lowers an expression; in executed code, its control flow becomes blocks before it.
    pub(super) fn expr(&mut self, e: &'p typed::Expr) -> Expr {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
            let condition = self.not_ghost(e);
            let value = if self.evaluation.is_executed && control::decides(e) {
                self.decided(e)
            } else {
                self.plain(e)
            };
            only_if(ir::Check::Constructor, condition, self.of_newtype(e, value))
        })
    }

    /// Checks that the result of an operation of a newtype over booleans, bitvectors or collections
    /// belongs to the newtype. For arithmetic, the operator itself has this obligation.
    fn of_newtype(&self, e: &typed::Expr, value: Expr) -> Expr {
        if !(self.has_obligations() || self.evaluation.is_executed) || !makes_value(&e.kind) {
            return value;
        }
        let base = self.program.representation(&e.ty);
        // Newtypes over numbers and characters are checked by their operators.
        if base == self.program.strip_subset(&e.ty)
            || matches!(base, Type::Int | Type::Real | Type::Char)
        {
            return value;
        }
        let span = e.span;
        build::expr(
            ExprKind::Convert(Box::new(Expr { ty: base, ..value })),
            e.ty.clone(),
            span,
        )
    }

    fn plain(&mut self, e: &'p typed::Expr) -> Expr {
        use typed::ExprKind as T;
        let (ty, span) = (e.ty.clone(), e.span);
        let kind = match &e.kind {
            T::Literal(l) => return self.literal(l, ty, span),
            T::Local(local) => ExprKind::Var(self.local(*local)),
            T::This => return self.this(span),
            T::Field {
                object,
                field,
                type_args,
                ..
            } => return self.field(object.as_deref(), *field, type_args, ty, span),
            T::Builtin { member, object } => return self.builtin(*member, object, ty, span),
            T::CtorTest { ctor, object } => {
                ExprKind::Op(Op::CtorTest(*ctor), vec![self.expr(object)])
            }
            T::TupleField { object, index } => {
                ExprKind::Op(Op::TupleField(*index), vec![self.expr(object)])
            }
            T::Construct { ctor, args } => {
                ExprKind::Op(Op::Construct(*ctor), self.ctor_args(*ctor, args, &e.ty))
            }
            // The well-formedness of a delayed value is checked now, although its computation is
            // delayed.
            T::Delayed(value) => {
                let evaluated = self.evaluated_delayed(value);
                let delayed = self.delayed(value, ty, span);
                return only_if(ir::Check::WellFormed, evaluated, delayed);
            }
            T::Call(call) => return self.call(call, ty, span),
            T::FunctionRef {
                callee,
                receiver,
                type_args,
                ..
            } => {
                let receiver = receiver.as_ref().map(|r| Box::new(self.expr(r)));
                let kind = ExprKind::FunctionRef {
                    callee: *callee,
                    type_args: type_args.clone(),
                    receiver,
                };
                return self.receiver_known_there(build::expr(kind, ty, span));
            }
            // A read needs two checks: the object exists in the state of evaluation, and the frame
            // allows it.
            T::Apply { function, args } => {
                let value = self.apply(function, args, ty, span);
                let value = self.known_there(value);
                return self.reading(value);
            }
            T::Index { object, indices } => {
                let value = self.index(object, indices, ty, span);
                let value = self.known_there(value);
                return self.reading(value);
            }
            T::Slice { object, from, to } => {
                return self.slice(object, from.as_deref(), to.as_deref(), ty, span);
            }
            T::SliceLengths {
                object,
                lengths,
                rest,
            } => return self.slice_lengths(object, lengths, *rest, ty, span),
            T::Update { object, key, value } => {
                let Some(coll) = self.coll(&object.ty) else {
                    return self.no_form("update", object, ty, span);
                };
                let updated = self.expr(object);
                let (key, value) = (self.expr(key), self.expr(value));
                let (key, value) = self.parts_of(&object.ty, key, value);
                ExprKind::Op(Op::Update(coll), vec![updated, key, value])
            }
            T::DatatypeUpdate {
                object,
                updates,
                ctors,
            } => return self.datatype_update(object, updates, ctors, ty, span),
            T::TupleUpdate { object, updates } => {
                return self.tuple_update(object, updates, ty, span);
            }
            T::Unary(op, operand) => {
                // A negative number is a single literal, unless parentheses separate the sign from
                // the digits.
                let operand = match (op, &operand.kind) {
                    (UnaryOp::Neg, T::Literal(l)) if !has_parens(operand) => build::expr(
                        ExprKind::Literal(l.clone()),
                        operand.ty.clone(),
                        operand.span,
                    ),
                    (UnaryOp::Neg | UnaryOp::Not | UnaryOp::BitNot, _) => self.expr(operand),
                };
                return self.unary(*op, operand, ty, span);
            }
            T::Binary(BinaryOp::And, a, b) => ExprKind::And(self.boxed(a), self.boxed(b)),
            T::Binary(BinaryOp::Or, a, b) => ExprKind::Or(self.boxed(a), self.boxed(b)),
            T::Binary(BinaryOp::Implies, a, b) | T::Binary(BinaryOp::Explies, b, a) => {
                ExprKind::Implies(self.boxed(a), self.boxed(b))
            }
            T::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                return self.binary(*op, a, b, ty, span);
            }
            T::Chain { first, rest } => return self.chain(first, rest, span),
            T::PrefixEq {
                negated,
                limit,
                left,
                right,
            } => {
                let same = build::op(
                    Op::PrefixEq,
                    vec![self.expr(limit), self.expr(left), self.expr(right)],
                    ty,
                    span,
                );
                return if *negated { build::not(same) } else { same };
            }
            T::Convert(e) => ExprKind::Convert(self.boxed(e)),
            T::Is(e, target) => ExprKind::Is(self.boxed(e), target.clone()),
            T::Cardinality(object) => {
                let Some(coll) = self.coll(&object.ty) else {
                    return self.no_form("cardinality", object, ty, span);
                };
                ExprKind::Op(Op::Cardinality(coll), vec![self.expr(object)])
            }
            T::Tuple(parts) => ExprKind::Op(Op::Tuple, self.tuple_parts(&e.ty, parts)),
            T::SeqDisplay(es) => ExprKind::Op(Op::Display(Coll::Seq), self.exprs(es)),
            T::SetDisplay(es) => ExprKind::Op(Op::Display(Coll::Set), self.exprs(es)),
            T::MultisetDisplay(es) => ExprKind::Op(Op::Display(Coll::Multiset), self.exprs(es)),
            T::MultisetFrom(object) => {
                let Some(coll) = self.coll(&object.ty) else {
                    return self.no_form("multiset(…)", object, ty, span);
                };
                ExprKind::Op(Op::MultisetOf(coll), vec![self.expr(object)])
            }
            T::MapDisplay(pairs) => {
                let parts = pairs
                    .iter()
                    .flat_map(|(k, v)| [k, v])
                    .map(|e| self.expr(e))
                    .collect();
                ExprKind::Op(Op::Display(Coll::Map), parts)
            }
            T::SeqConstruct { len, init } => {
                let len = self.expr(len);
                self.probe_initializer(std::slice::from_ref(&len), init);
                let init = self.expr(init);
                return self.sequence_of(len, init, ty, span);
            }
            T::SetComp { vars, term } => self.pure(|l| {
                let vars = l.quantified(vars);
                ExprKind::SetComp(vars, l.boxed(term))
            }),
            T::MapComp { vars, key, value } => {
                return self.map_comprehension(vars, key, value, ty, span);
            }
            T::Quantifier { forall, vars, body } => self.pure(|l| {
                let vars = l.quantified(vars);
                ExprKind::Quantifier {
                    forall: *forall,
                    vars,
                    body: l.boxed(body),
                }
            }),
            T::Lambda(lambda) => {
                let evaluated = self.evaluated_body(lambda, span);
                let value = build::expr(self.lambda(lambda, span), ty, span);
                return only_if(ir::Check::WellFormed, evaluated, value);
            }
            T::If { cond, then, els } => {
                ExprKind::If(self.boxed(cond), self.boxed(then), self.boxed(els))
            }
            T::IfBinding { vars, then, els } => {
                let vars = self.quantified(vars);
                ExprKind::IfSuchThat(vars, self.boxed(then), self.boxed(els))
            }
            T::Match { scrutinee, cases } => return self.pure_match(scrutinee, cases, ty, span),
            T::Let {
                ghost,
                bindings,
                body,
            } => return self.let_in(*ghost, bindings, body),
            T::LetSuchThat {
                ghost: _,
                vars,
                body,
            } => return self.let_such_that(vars, body, span),
            T::LetOrFail(l) => return self.pure_let_or_fail(l, ty, span),
            T::StmtExpr { stmt, body } => return self.after_stmt(stmt, body),
            // In executed code, blocks would evaluate the operand in the current state.
            T::Old { label, expr } => ExprKind::Old(
                self.older_state(label),
                self.pure(|l| l.in_older_state(|l| l.boxed(expr))),
            ),
            T::Fresh { label, expr } => ExprKind::Fresh(self.older_state(label), self.boxed(expr)),
            T::Allocated(e) => ExprKind::Allocated(self.boxed(e)),
            T::Unchanged { label, frame } => {
                let label = self.older_state(label);
                let frames = self.frames(frame);
                let value =
                    build::expr(ExprKind::Unchanged(label.clone(), frames.clone()), ty, span);
                let value = self.reading_unchanged(&frames, value);
                return self.unchanged_known_there(&frames, label.as_ref(), value);
            }
            T::Assigned(_) => ExprKind::Unsupported(Construct::Assigned.into()),
            T::Wildcard => ExprKind::Unsupported(Construct::Wildcard.into()),
            T::Error => ExprKind::Unsupported(Construct::UnresolvedExpression.into()),
        };
        build::expr(kind, ty, span)
    }

    pub(super) fn boxed(&mut self, e: &'p typed::Expr) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    pub(super) fn exprs(&mut self, es: &'p [typed::Expr]) -> Vec<Expr> {
        es.iter().map(|e| self.expr(e)).collect()
    }

    /// Lowers a map comprehension; if obligations are goals, adds a check that no key gets two
    /// values (reference manual, section 9.31.8).
    fn map_comprehension(
        &mut self,
        vars: &'p typed::Quantified,
        key: &'p typed::Expr,
        value: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let is_plain =
            matches!((&key.kind, &vars.vars[..]), (typed::ExprKind::Local(k), [v]) if k == v);
        let (q, k, v) = self.pure(|l| (l.quantified(vars), l.expr(key), l.expr(value)));
        // A second copy of the bound variables ranges over the entries that may give the same key
        // another value.
        let other = (!is_plain && self.has_obligations())
            .then(|| self.pure(|l| (l.quantified(vars), l.expr(key), l.expr(value))));
        let whole = build::expr(
            ExprKind::MapComp(q.clone(), Box::new(k.clone()), Box::new(v.clone())),
            ty,
            span,
        );
        let Some((other, other_key, other_value)) = other else {
            return whole;
        };
        let differ = build::op(Op::Ne, vec![k, other_key], Type::Bool, key.span);
        let same = build::op(Op::Eq, vec![v, other_value], Type::Bool, key.span);
        let all = |vars, body| {
            build::expr(
                ExprKind::Quantifier {
                    forall: true,
                    vars,
                    body: Box::new(body),
                },
                Type::Bool,
                key.span,
            )
        };
        let cond = all(q, all(other, build::or(differ, same)));
        only_if(ir::Check::Aliasing, Some(cond), whole)
    }

    fn no_form(&self, what: &str, object: &typed::Expr, ty: Type, span: Span) -> Expr {
        build::unsupported(
            Reason::Form(what.into(), self.program.show_type(&object.ty).into()),
            ty,
            span,
        )
    }

    /// Returns the value as an atom; a variable is bound to a value that is no atom, and the
    /// binding is added to `bindings`, which must enclose all uses.
    pub(super) fn share(
        &mut self,
        value: Expr,
        name: &str,
        bindings: &mut Vec<(Var, Expr)>,
    ) -> Expr {
        if build::is_atom(&value) {
            return value;
        }
        let var = self.temp(name, value.ty.clone(), value.span);
        let atom = build::expr(ExprKind::Var(var), value.ty.clone(), value.span);
        bindings.push((var, value));
        atom
    }

    /// Lowers the arguments of a constructor; ghost arguments are pure.
    fn ctor_args(&mut self, ctor: typed::CtorId, args: &'p [typed::Expr], ty: &Type) -> Vec<Expr> {
        let program = self.program;
        let map = if let Type::Named { decl, args, .. } = program.strip_subset(ty) {
            Some(program.substitution(decl, &args))
        } else {
            None
        };
        let mut values = Vec::with_capacity(args.len());
        for (i, a) in args.iter().enumerate() {
            let field = program[ctor].fields.get(i).map(|f| &program[*f]);
            let value = self.pure_if(field.is_some_and(|f| f.ghost), |l| l.expr(a));
            values.push(match (&map, field) {
                (Some(map), Some(field)) => self.admitted(value, &field.ty.subst(map)),
                (_, _) => value,
            });
        }
        values
    }

    fn tuple_parts(&mut self, ty: &Type, parts: &'p [typed::Expr]) -> Vec<Expr> {
        let ghost = |i: usize| matches!(ty, Type::Tuple(cs) if cs.get(i).is_some_and(|c| c.0));
        parts
            .iter()
            .enumerate()
            .map(|(i, p)| self.pure_if(ghost(i), |l| l.expr(p)))
            .collect()
    }

    fn field(
        &mut self,
        object: Option<&'p typed::Expr>,
        field: FieldId,
        type_args: &[Type],
        ty: Type,
        span: Span,
    ) -> Expr {
        let decl = &self.program[field];
        let kind = match (&decl.kind, object) {
            (FieldKind::Destructor(_), Some(o)) => {
                ExprKind::Op(Op::Destruct(field), vec![self.expr(o)])
            }
            (FieldKind::Const(_), _) if decl.is_static => ExprKind::Const {
                field,
                type_args: type_args.to_vec(),
                object: None,
            },
            (FieldKind::Const(None), Some(o)) if self.may_be_object(&o.ty) => {
                ExprKind::ReadField(self.boxed(o), field)
            }
            (FieldKind::Mutable, Some(o)) => ExprKind::ReadField(self.boxed(o), field),
            (FieldKind::Const(_), Some(o)) => {
                let type_args = decl
                    .owner
                    .map_or_else(Vec::new, |owner| self.owner_args(&o.ty, owner));
                ExprKind::Const {
                    field,
                    type_args,
                    object: Some(self.boxed(o)),
                }
            }
            (FieldKind::Mutable | FieldKind::Const(_) | FieldKind::Destructor(_), None) => {
                ExprKind::Unsupported(Reason::FieldWithoutObject(decl.name.clone()))
            }
        };
        let value = self.known_there(build::expr(kind, ty, span));
        self.reading(value)
    }

    /// Whether values of a type may be objects of the heap; this includes traits that are not
    /// reference types.
    fn may_be_object(&self, ty: &Type) -> bool {
        let is_trait =
            |t: TypeId| matches!(self.program[t].kind, typed::TypeDeclKind::Trait { .. });
        self.program.is_reference(ty)
            || matches!(self.program.strip_subset(ty), Type::Named { decl, .. } if is_trait(decl))
    }

    /// Returns the type arguments of `owner` in `ty`, which is the owner or a type that extends it.
    pub(super) fn owner_args(&self, ty: &Type, owner: TypeId) -> Vec<Type> {
        self.find_owner_args(ty, owner).unwrap_or_else(|| {
            self.program[owner]
                .type_params
                .iter()
                .map(|p| Type::Param(*p))
                .collect()
        })
    }

    fn find_owner_args(&self, ty: &Type, owner: TypeId) -> Option<Vec<Type>> {
        let find_in = |types: &[Type]| types.iter().find_map(|t| self.find_owner_args(t, owner));
        match ty {
            Type::Named { decl, args, .. } if *decl == owner => Some(args.clone()),
            Type::Named { decl, args, .. } => {
                let map = self.program.substitution(*decl, args);
                let parents: Vec<Type> = self.program[*decl]
                    .parents
                    .iter()
                    .map(|p| p.subst(&map))
                    .collect();
                find_in(&parents).or_else(|| {
                    let base = self.program.strip_subset(ty);
                    (base != *ty)
                        .then(|| self.find_owner_args(&base, owner))
                        .flatten()
                })
            }
            Type::Param(p) => find_in(&self.program[*p].bounds),
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
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Error => None,
        }
    }

    fn builtin(
        &mut self,
        member: BuiltinMember,
        object: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let op = match member {
            BuiltinMember::Keys => Op::Keys,
            BuiltinMember::Values => Op::Values,
            BuiltinMember::Items => Op::Items,
            BuiltinMember::Floor => Op::Floor,
            BuiltinMember::ArrayLength(n) => Op::ArrayLength(n),
            BuiltinMember::IsLimit => Op::OrdinalIsLimit,
            BuiltinMember::IsSucc => Op::OrdinalIsSucc,
            BuiltinMember::OrdinalOffset => Op::OrdinalOffset,
            BuiltinMember::IsNat => Op::OrdinalIsNat,
            BuiltinMember::FunctionRequires => {
                return build::unsupported(Construct::RequiresAsValue, ty, span);
            }
            BuiltinMember::FunctionReads => {
                return build::unsupported(Construct::ReadsAsValue, ty, span);
            }
            BuiltinMember::RotateLeft | BuiltinMember::RotateRight => {
                return build::unsupported(Construct::RotationAsValue, ty, span);
            }
        };
        let value = build::op(op, vec![self.expr(object)], ty, span);
        self.known_there(value)
    }

    /// Lowers a literal. A number must belong to its newtype, which is an obligation.
    fn literal(&self, literal: &typed::Literal, ty: Type, span: Span) -> Expr {
        let kind = ExprKind::Literal(literal.clone());
        let base = self.program.representation(&ty);
        let is_null = matches!(literal, typed::Literal::Null);
        if !self.has_obligations() || is_null || base == self.program.strip_subset(&ty) {
            return build::expr(kind, ty, span);
        }
        build::expr(
            ExprKind::Convert(Box::new(build::expr(kind, base, span))),
            ty,
            span,
        )
    }

    fn apply(
        &mut self,
        function: &'p typed::Expr,
        args: &'p [typed::Expr],
        ty: Type,
        span: Span,
    ) -> Expr {
        if let typed::ExprKind::Builtin { member, object } = &function.kind {
            let op = match member {
                BuiltinMember::FunctionRequires => Some(Op::FunctionRequires),
                BuiltinMember::FunctionReads => Some(Op::FunctionReads),
                BuiltinMember::RotateLeft => Some(Op::RotateLeft),
                BuiltinMember::RotateRight => Some(Op::RotateRight),
                BuiltinMember::Keys
                | BuiltinMember::Values
                | BuiltinMember::Items
                | BuiltinMember::Floor
                | BuiltinMember::ArrayLength(_)
                | BuiltinMember::IsLimit
                | BuiltinMember::IsSucc
                | BuiltinMember::OrdinalOffset
                | BuiltinMember::IsNat => None,
            };
            if let Some(op) = op {
                let function = self.expr(object);
                let args = self.arguments_of(&function.ty.clone(), args);
                let value = build::op(
                    op,
                    std::iter::once(function).chain(args).collect(),
                    ty,
                    span,
                );
                let value = self.required(value);
                return self.reading(value);
            }
        }
        let function = self.boxed(function);
        let args = self.arguments_of(&function.ty.clone(), args);
        build::expr(ExprKind::Apply(function, args), ty, span)
    }

    /// Lowers the arguments of a function value of the given type.
    fn arguments_of(&mut self, function: &Type, args: &'p [typed::Expr]) -> Vec<Expr> {
        let params = if let Type::Arrow { params, .. } = self.program.strip_subset(function) {
            params
        } else {
            Vec::new()
        };
        let args = self
            .exprs(args)
            .into_iter()
            .zip(params.into_iter().map(Some).chain(std::iter::repeat(None)));
        args.map(|(arg, param)| match param {
            Some(param) => self.admitted(arg, &param),
            None => arg,
        })
        .collect()
    }

    fn call(&mut self, call: &'p typed::Call, ty: Type, span: Span) -> Expr {
        if self.is_super_call(call) {
            return build::unsupported(Construct::CallOfOwn, ty, span);
        }
        self.graph.read_labels(call.at_label.clone());
        let args = self.call_args(call);
        let (callee, type_args, label) =
            (call.callee, call.type_args.clone(), call.at_label.clone());
        let Known {
            args,
            bindings,
            needs,
        } = self.known_arguments(callee, args, label.as_ref());
        let value = build::expr(
            ExprKind::Call {
                callee,
                type_args,
                args: args.clone(),
                label,
            },
            ty,
            span,
        );
        let value = self.measured(&args, value);
        let value = self.obliged_call(value, call.is_corecursive);
        build::lets(bindings, asserting(needs, value))
    }

    /// Whether a call names a trait's own body, which an override may hide.
    pub(super) fn is_super_call(&self, call: &typed::Call) -> bool {
        let owner = self.program[call.callee].owner;
        call.is_static_dispatch
            && call.receiver.is_some()
            && owner
                .is_some_and(|t| matches!(self.program[t].kind, typed::TypeDeclKind::Trait { .. }))
    }

    /// Lowers the receiver and the arguments of a call; ghost arguments are pure.
    pub(super) fn call_args(&mut self, call: &'p typed::Call) -> Vec<Expr> {
        let program = self.program;
        let ins = &program[call.callee].ins;
        let receiver: Option<Expr> = call.receiver.as_ref().map(|r| self.expr(r));
        let mut args: Vec<Expr> = receiver.into_iter().collect();
        let map = self.type_arguments_of(call);
        for (i, a) in call.args.iter().enumerate() {
            let ghost = ins.get(i).is_some_and(|f| program[f.local].ghost);
            let value = self.pure_if(ghost, |l| l.expr(a));
            args.push(match ins.get(i) {
                Some(formal) => self.admitted(value, &program[formal.local].ty.subst(&map)),
                None => value,
            });
        }
        args
    }

    /// Returns the substitution of the callee's type parameters in a call.
    fn type_arguments_of(&self, call: &typed::Call) -> typed::Substitution {
        self.program
            .all_type_params(call.callee)
            .into_iter()
            .zip(call.type_args.iter().cloned())
            .collect()
    }

    fn index(
        &mut self,
        object: &'p typed::Expr,
        indices: &'p [typed::Expr],
        ty: Type,
        span: Span,
    ) -> Expr {
        let coll = self.coll(&object.ty);
        let value = self.expr(object);
        let mut operands = self.exprs(indices);
        match coll {
            Some(coll) => {
                operands.insert(0, value);
                build::op(Op::Select(coll), operands, ty, span)
            }
            None => build::expr(ExprKind::ReadElement(Box::new(value), operands), ty, span),
        }
    }

    /// Returns the operators that slice and measure a value of this type.
    fn slicing(&self, object: &typed::Expr) -> (Op, Op) {
        match self.coll(&object.ty) {
            Some(coll) => (Op::Slice, Op::Cardinality(coll)),
            None => (Op::ArraySlice, Op::ArrayLength(0)),
        }
    }

    fn slice(
        &mut self,
        object: &'p typed::Expr,
        from: Option<&'p typed::Expr>,
        to: Option<&'p typed::Expr>,
        ty: Type,
        span: Span,
    ) -> Expr {
        let (slice, length) = self.slicing(object);
        let mut bindings = Vec::new();
        let mut value = self.expr(object);
        if to.is_none() {
            value = self.share(value, "$sliced", &mut bindings);
        }
        let low = from.map_or_else(|| build::int(0, Type::Int, span), |e| self.expr(e));
        let high = match to {
            Some(e) => self.expr(e),
            None => build::op(length, vec![value.clone()], Type::Int, span),
        };
        let part = self.known_there(build::op(slice, vec![value, low, high], ty, span));
        let part = self.reading(part);
        build::lets(bindings, part)
    }

    /// Lowers `s[a : b : c]` to `[s[0..a], s[a..a + b], …]`.
    fn slice_lengths(
        &mut self,
        object: &'p typed::Expr,
        lengths: &'p [typed::Expr],
        rest: bool,
        ty: Type,
        span: Span,
    ) -> Expr {
        let (slice, length) = self.slicing(object);
        let element = if let Type::Seq(e) = &ty {
            (**e).clone()
        } else {
            Type::Error
        };
        let mut bindings = Vec::new();
        let value = self.expr(object);
        // The sliced value occurs in every part.
        let value = self.share(value, "$sliced", &mut bindings);
        let mut low = build::int(0, Type::Int, span);
        let mut parts = Vec::new();
        for e in lengths {
            let step = self.expr(e);
            // Each bound is the sum of the lengths so far, and is evaluated once.
            let sum = if parts.is_empty() {
                step
            } else {
                build::op(
                    Op::Add(ir::Num::Int),
                    vec![low.clone(), step],
                    Type::Int,
                    e.span,
                )
            };
            let high = self.share(sum, "$end", &mut bindings);
            parts.push(build::op(
                slice.clone(),
                vec![value.clone(), low, high.clone()],
                element.clone(),
                e.span,
            ));
            low = high;
        }
        if rest {
            let high = build::op(length, vec![value.clone()], Type::Int, span);
            parts.push(build::op(slice, vec![value, low, high], element, span));
        }
        build::lets(bindings, build::op(Op::Display(Coll::Seq), parts, ty, span))
    }

    /// Returns the key and the value of an update with the obligation that they belong to the types
    /// of the parts of the updated collection.
    fn parts_of(&mut self, collection: &Type, key: Expr, value: Expr) -> (Expr, Expr) {
        if !self.has_obligations() {
            return (key, value);
        }
        match self.program.representation(collection) {
            Type::Seq(elem) => (key, self.admitted(value, &elem)),
            Type::Multiset(elem) => (self.admitted(key, &elem), value),
            Type::Map {
                key: k, value: v, ..
            } => (self.admitted(key, &k), self.admitted(value, &v)),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Set { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => (key, value),
        }
    }

    /// Returns the new value of a field in an update of a value of type `old` with a result of type
    /// `new`, with the obligation that it belongs to the field's type.
    fn new_field(&mut self, field: FieldId, value: Expr, old: &Type, new: &Type) -> Expr {
        let program = self.program;
        let Some(owner) = program[field].owner.filter(|_| self.has_obligations()) else {
            return value;
        };
        let in_type = |ty: &Type| {
            let args = self.owner_args(ty, owner);
            program[field].ty.subst(&program.substitution(owner, &args))
        };
        let (before, after) = (in_type(old), in_type(new));
        // The newer type system infers type arguments of the result. In the older one, they are
        // those of the old value, unless the update changes more than subset types.
        let is_changed = program.representation(&before) != program.representation(&after);
        let target = if program.options.type_system_refresh || is_changed {
            after
        } else {
            before
        };
        self.admitted(value, &target)
    }

    /// Lowers `e.(f := v)`: for each constructor that has the fields, constructs it with the other
    /// arguments kept.
    fn datatype_update(
        &mut self,
        object: &'p typed::Expr,
        updates: &'p [(FieldId, typed::Expr)],
        ctors: &[typed::CtorId],
        ty: Type,
        span: Span,
    ) -> Expr {
        let program = self.program;
        let mut bindings = Vec::new();
        let value = self.expr(object);
        let value = self.share(value, "$updated", &mut bindings);
        let mut news: Vec<(FieldId, Expr)> = Vec::new();
        for (field, e) in updates {
            // A new value occurs in the alternative of each constructor, so it is shared unless
            // there is only one.
            let new = self.pure_if(program[*field].ghost, |l| l.expr(e));
            let new = self.new_field(*field, new, &object.ty, &ty);
            let new = if ctors.len() == 1 {
                new
            } else {
                self.share(new, "$new", &mut bindings)
            };
            news.push((*field, new));
        }
        let owner = |field: FieldId| {
            program[field]
                .owner
                .map_or_else(Vec::new, |o| self.owner_args(&object.ty, o))
        };
        // A field without an update keeps its value, which a destructor reads from the old datatype
        // value.
        let kept = |field: FieldId| {
            let decl = &program[field];
            let map = decl
                .owner
                .map(|o| program.substitution(o, &owner(field)))
                .unwrap_or_default();
            build::op(
                Op::Destruct(field),
                vec![value.clone()],
                decl.ty.subst(&map),
                span,
            )
        };
        let built = |ctor: typed::CtorId| {
            let arg = |f: &FieldId| {
                news.iter()
                    .find(|(g, _)| g == f)
                    .map_or_else(|| kept(*f), |(_, v)| v.clone())
            };
            build::op(
                Op::Construct(ctor),
                program[ctor].fields.iter().map(arg).collect(),
                ty.clone(),
                span,
            )
        };
        let test = |ctor: typed::CtorId| {
            build::op(Op::CtorTest(ctor), vec![value.clone()], Type::Bool, span)
        };
        // The last constructor needs no test, but a check if the value may have a constructor
        // without the fields.
        let Some((&last, before)) = ctors.split_last() else {
            return build::unsupported(Construct::UpdateOfNoConstructor, ty, span);
        };
        let all = ctors_of(program, program[last].datatype).len();
        let mut result = built(last);
        if ctors.len() < all {
            result = checked(test(last), result);
        }
        for &ctor in before.iter().rev() {
            result = build::choose(test(ctor), built(ctor), result, ty.clone(), span);
        }
        build::lets(bindings, result)
    }

    fn tuple_update(
        &mut self,
        object: &'p typed::Expr,
        updates: &'p [(usize, typed::Expr)],
        ty: Type,
        span: Span,
    ) -> Expr {
        let Type::Tuple(components) = &ty else {
            return self.no_form("tuple update", object, ty, span);
        };
        let mut bindings = Vec::new();
        let value = self.expr(object);
        let value = self.share(value, "$updated", &mut bindings);
        let mut parts: Vec<Expr> = components
            .iter()
            .enumerate()
            .map(|(i, (_, t))| build::op(Op::TupleField(i), vec![value.clone()], t.clone(), span))
            .collect();
        for (i, e) in updates {
            let ghost = components.get(*i).is_some_and(|c| c.0);
            let new = self.pure_if(ghost, |l| l.expr(e));
            if let Some(part) = parts.get_mut(*i) {
                *part = new;
            }
        }
        build::lets(bindings, build::op(Op::Tuple, parts, ty.clone(), span))
    }

    /// Lowers `a <= b < c` to a conjunction. A middle operand is evaluated once, and an operand to
    /// the right only if the links before it hold.
    fn chain(
        &mut self,
        first: &'p typed::Expr,
        rest: &'p [(BinaryOp, typed::Expr)],
        span: Span,
    ) -> Expr {
        let mut bindings = Vec::new();
        let first = self.expr(first);
        let is_read_again = rest.len() > 1 && rest.iter().all(|(op, _)| *op == BinaryOp::Disjoint);
        let first = if is_read_again {
            self.share(first, "$operand", &mut bindings)
        } else {
            first
        };
        let whole = self
            .chain_links(vec![first], rest)
            .unwrap_or_else(|| build::boolean(true, span));
        build::lets(bindings, whole)
    }

    /// Lowers the comparisons of a chain; `lefts` are the operands to their left. The result is
    /// `None` if there are no comparisons.
    pub(super) fn chain_links(
        &mut self,
        lefts: Vec<Expr>,
        rest: &'p [(BinaryOp, typed::Expr)],
    ) -> Option<Expr> {
        let ((op, right), rest) = rest.split_first()?;
        let right = self.expr(right);
        let mut bindings = Vec::new();
        let right = if rest.is_empty() && lefts.len() == 1 {
            right
        } else {
            self.share(right, "$operand", &mut bindings)
        };
        let link = self.link(*op, &lefts, &right)?;
        let whole = match self.chain_links(Self::lefts(*op, lefts, right), rest) {
            Some(more) => build::and(link, more),
            None => link,
        };
        Some(build::lets(bindings, whole))
    }

    /// Lowers one comparison of a chain with the operands to its left: `A !! B !! C` requires each
    /// set to be disjoint from all before it.
    pub(super) fn link(&mut self, op: BinaryOp, lefts: &[Expr], right: &Expr) -> Option<Expr> {
        let links = lefts.iter().map(|left| {
            let span = left.span.to(right.span);
            self.binary(op, left.clone(), right.clone(), Type::Bool, span)
        });
        links.collect::<Vec<_>>().into_iter().reduce(build::and)
    }

    /// Returns the left operands of the next comparison of a chain.
    pub(super) fn lefts(op: BinaryOp, lefts: Vec<Expr>, right: Expr) -> Vec<Expr> {
        let before = if op == BinaryOp::Disjoint {
            lefts
        } else {
            Vec::new()
        };
        before.into_iter().chain([right]).collect()
    }

    /// Declares and lowers bound variables with their range.
    pub(super) fn quantified(&mut self, q: &'p typed::Quantified) -> ir::Quantified {
        self.pure(|l| {
            let vars = q.vars.iter().map(|v| l.bind(*v)).collect();
            let range = q.range.as_ref().map(|r| l.boxed(r));
            let bounds = match &q.bounds {
                Some(bs) => Some(
                    bs.iter()
                        .map(|b| (l.local(b.var), l.domain(&b.domain)))
                        .collect(),
                ),
                None => l.all_of_parameters(q),
            };
            ir::Quantified {
                vars,
                range,
                bounds,
            }
        })
    }

    /// Returns the domains of bound variables whose types are type parameters: all values, which
    /// are few if the parameter is instantiated with a small type.
    fn all_of_parameters(
        &mut self,
        q: &'p typed::Quantified,
    ) -> Option<Vec<(ir::Var, ir::Domain)>> {
        let program = self.program;
        let domain = |v: &typed::LocalId| {
            if let ty @ Type::Param(_) = &program[*v].ty {
                Some((*v, ir::Domain::AllValues(ty.clone())))
            } else {
                None
            }
        };
        let domains: Option<Vec<_>> = q.vars.iter().map(domain).collect();
        Some(
            domains?
                .into_iter()
                .map(|(v, d)| (self.local(v), d))
                .collect(),
        )
    }

    fn domain(&mut self, domain: &'p typed::Domain) -> ir::Domain {
        match domain {
            typed::Domain::IntRange { low, high } => ir::Domain::IntRange {
                low: low.as_ref().map(|e| self.boxed(e)),
                high: high.as_ref().map(|e| self.boxed(e)),
            },
            typed::Domain::Exact(e) => ir::Domain::Exact(self.boxed(e)),
            typed::Domain::Elements(e) => ir::Domain::Elements(self.boxed(e)),
            typed::Domain::SubsetsOf(e) => ir::Domain::SubsetsOf(self.boxed(e)),
            typed::Domain::PrefixesOf(e) => ir::Domain::PrefixesOf(self.boxed(e)),
            typed::Domain::AllValues(t) => ir::Domain::AllValues(t.clone()),
            typed::Domain::SubtermsOf(e) => ir::Domain::SubtermsOf(self.boxed(e)),
        }
    }

    fn pure_match(
        &mut self,
        scrutinee: &'p typed::Expr,
        cases: &'p [typed::ExprCase],
        ty: Type,
        span: Span,
    ) -> Expr {
        let mut shared = Vec::new();
        let subject = self.expr(scrutinee);
        // The subject occurs in every test and in the bindings.
        let subject = self.share(subject, "$match", &mut shared);
        let certain = self.last_is_certain(&cases.iter().map(|c| &c.pattern).collect::<Vec<_>>());
        let mut lowered: Vec<(Option<Expr>, Expr)> = Vec::new();
        let mut gone = Taken::default();
        for case in cases {
            // Constructors that earlier cases cover need no test.
            let test = self.pattern_test(&case.pattern, &subject, &gone.ctors);
            self.add_taken(&case.pattern, &mut gone);
            let mut bindings = Vec::new();
            self.admitted_bindings(
                &case.pattern,
                &self.in_case(&case.pattern, &subject),
                &mut bindings,
            );
            let body = self.expr(&case.body);
            self.goals.add_case(body.span, case.pattern.span);
            lowered.push((test, build::lets(bindings, body)));
        }
        let nothing = || {
            checked(
                build::boolean(false, span),
                build::unsupported(Construct::MatchWithoutCases, ty.clone(), span),
            )
        };
        let mut lowered = lowered.into_iter().rev();
        // The last case needs no test if it matches everything that is left; otherwise, a failed
        // match is an error.
        let last = match lowered.next() {
            None => nothing(),
            Some((Some(test), body)) if !certain => checked(test, body),
            Some((_, body)) => body,
        };
        let whole = lowered.fold(last, |rest, (test, body)| match test {
            Some(test) => build::choose(test, body, rest, ty.clone(), span),
            None => body,
        });
        build::lets(shared, whole)
    }

    /// Lowers `var p := e; body`. In executed code the variables are assigned.
    fn let_in(
        &mut self,
        ghost: bool,
        bindings: &'p [(typed::Pattern, typed::Expr)],
        body: &'p typed::Expr,
    ) -> Expr {
        if self.evaluation.is_executed {
            self.assign_let(ghost, bindings);
            return self.expr(body);
        }
        let mut bound = Vec::new();
        let mut tests = Vec::new();
        for (pattern, value) in bindings {
            let value = self.expr(value);
            if Self::sole_variable(pattern).is_some() {
                self.admitted_bindings(pattern, &value, &mut bound);
                continue;
            }
            let value = self.share(value, "$let", &mut bound);
            tests.extend(self.pattern_test(pattern, &value, &[]));
            self.admitted_bindings(pattern, &value, &mut bound);
        }
        let body = self.expr(body);
        build::lets(
            bound,
            tests
                .into_iter()
                .rev()
                .fold(body, |body, test| checked(test, body)),
        )
    }

    fn let_such_that(
        &mut self,
        vars: &'p typed::Quantified,
        body: &'p typed::Expr,
        span: Span,
    ) -> Expr {
        if self.evaluation.is_executed {
            self.choose_values(vars, span);
            return self.expr(body);
        }
        let unique = self.unique_choice(vars, span);
        let vars = self.quantified(vars);
        let body = self.expr(body);
        let ty = body.ty.clone();
        let value = build::expr(ExprKind::LetSuchThat(vars, Box::new(body)), ty, span);
        only_if(ir::Check::Unique, unique, value)
    }

    fn pure_let_or_fail(&mut self, l: &'p typed::LetOrFail, ty: Type, span: Span) -> Expr {
        let value = self.expr(&l.value);
        let temp = self.bind(l.temp);
        let cond = self.expr(&l.is_failure);
        let failed = self.expr(&l.propagate);
        let mut bound = Vec::new();
        let mut test = None;
        if let (Some(pattern), Some(extract)) = (&l.pattern, &l.extract) {
            let extracted = self.expr(extract);
            let extracted = self.share(extracted, "$extracted", &mut bound);
            test = self.pattern_test(pattern, &extracted, &[]);
            self.admitted_bindings(pattern, &extracted, &mut bound);
        }
        let body = self.expr(&l.body);
        let body = match test {
            Some(test) => checked(test, body),
            None => body,
        };
        let rest = build::choose(cond, failed, build::lets(bound, body), ty, span);
        build::lets(vec![(temp, value)], rest)
    }

    /// Lowers a statement before an expression. In pure contexts its assertions become checks;
    /// proofs have no effect.
    fn after_stmt(&mut self, stmt: &'p typed::Stmt, body: &'p typed::Expr) -> Expr {
        use typed::StmtKind as S;
        if self.evaluation.is_executed {
            self.stmt(stmt);
            return self.expr(body);
        }
        // In a pure context, a statement can only check or assume something before the value is
        // computed.
        match &stmt.kind {
            S::Assert {
                cond, by: Some(by), ..
            } if self.rests_on_assumption(by) => {
                let cond = self.expr(cond);
                let body = self.expr(body);
                checked_as(ir::Check::Assume, stmt.span, cond, body)
            }
            S::Assert { cond, .. } | S::Expect { cond, .. } => {
                let cond = self.expr(cond);
                let body = self.expr(body);
                checked(cond, body)
            }
            S::Assume(cond) => {
                let cond = self.expr(cond);
                let body = self.expr(body);
                checked_as(ir::Check::Assume, stmt.span, cond, body)
            }
            // A calculation that relies on assumptions is assumed itself.
            S::Calc { steps, hints } => {
                let is_assumed = hints.iter().any(|hint| self.rests_on_assumption(hint));
                let check = if is_assumed {
                    ir::Check::Assume
                } else {
                    ir::Check::Assert
                };
                let steps = self.exprs(steps);
                let body = self.expr(body);
                steps
                    .into_iter()
                    .rev()
                    .fold(body, |body, step| checked_as(check, step.span, step, body))
            }
            // A lemma without a proof contributes its claims as assumptions.
            S::Call { call, .. } if self.is_assumed(call.callee) => {
                let claims = self.claims_of(call, stmt.span);
                let body = self.expr(body);
                claims.into_iter().rev().fold(body, |body, claim| {
                    checked_as(ir::Check::Assume, stmt.span, claim, body)
                })
            }
            S::Block(_)
            | S::Print(_)
            | S::VarDecl(_)
            | S::Assign { .. }
            | S::AssignPattern { .. }
            | S::Call { .. }
            | S::SuchThat { .. }
            | S::AssignOrFail(_)
            | S::If { .. }
            | S::IfCase(_)
            | S::While { .. }
            | S::WhileCase { .. }
            | S::For { .. }
            | S::Forall { .. }
            | S::Match { .. }
            | S::Break { .. }
            | S::Return
            | S::Yield
            | S::Modify { .. }
            | S::Reveal(_)
            | S::Error => self.expr(body),
        }
    }

    /// Adds an assertion to executed code.
    pub(super) fn assert(&mut self, cond: Expr, kind: AssertKind) {
        let span = cond.span;
        self.oblige_assertion(&cond, kind);
        self.graph.push(StmtKind::Assert { cond, kind }, span);
    }
}

/// Whether the span of a literal with several decimal digits includes parentheses.
fn has_parens(literal: &typed::Expr) -> bool {
    let typed::ExprKind::Literal(typed::Literal::Int(n)) = &literal.kind else {
        return false;
    };
    let digits = n.to_string().len();
    digits > 1 && literal.span.end.saturating_sub(literal.span.start) as usize == digits + 2
}

/// Whether an expression of this kind computes a new value instead of passing one on.
fn makes_value(kind: &typed::ExprKind) -> bool {
    use typed::ExprKind as T;
    match kind {
        T::CtorTest { .. }
        | T::Update { .. }
        | T::Slice { .. }
        | T::SliceLengths { .. }
        | T::Unary(..)
        | T::Binary(..)
        | T::Chain { .. }
        | T::PrefixEq { .. }
        | T::Is(..)
        | T::SeqDisplay(_)
        | T::SetDisplay(_)
        | T::MultisetDisplay(_)
        | T::MultisetFrom(_)
        | T::MapDisplay(_)
        | T::SeqConstruct { .. }
        | T::SetComp { .. }
        | T::MapComp { .. }
        | T::Quantifier { .. }
        | T::Builtin { .. }
        | T::Fresh { .. }
        | T::Allocated(_)
        | T::Unchanged { .. } => true,
        T::Apply { function, .. } => matches!(function.kind, T::Builtin { .. }),
        T::Literal(_)
        | T::Local(_)
        | T::This
        | T::Field { .. }
        | T::TupleField { .. }
        | T::Construct { .. }
        | T::Delayed(_)
        | T::Call(_)
        | T::FunctionRef { .. }
        | T::Index { .. }
        | T::DatatypeUpdate { .. }
        | T::TupleUpdate { .. }
        | T::Convert(_)
        | T::Cardinality(_)
        | T::Tuple(_)
        | T::Lambda(_)
        | T::If { .. }
        | T::IfBinding { .. }
        | T::Match { .. }
        | T::Let { .. }
        | T::LetSuchThat { .. }
        | T::LetOrFail(_)
        | T::StmtExpr { .. }
        | T::Old { .. }
        | T::Assigned(_)
        | T::Wildcard
        | T::Error => false,
    }
}

/// Returns `value`, which is ill-formed if `cond` is false.
fn checked(cond: Expr, value: Expr) -> Expr {
    checked_as(ir::Check::Assert, cond.span, cond, value)
}

/// Returns `value` after a check with the span `place`.
fn checked_as(check: ir::Check, place: Span, cond: Expr, value: Expr) -> Expr {
    let (ty, span) = (value.ty.clone(), value.span);
    let clause = ir::Clause { span: place, cond };
    build::expr(
        ExprKind::Checked(check, Box::new(clause), Box::new(value)),
        ty,
        span,
    )
}
