//! Encoding of expressions, conversions and type tests.
//!
//! Key functions: [`Encoder::eval`]; [`Encoder::has_type`], the constraints of a type;
//! [`Encoder::convert`]. The hard part is partiality: every operand that is evaluated conditionally
//! is evaluated under a guard, so that its failures count only there.

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::value::{Rest, Sym, SymData, SymFunc, SymLazy, SymNewtype};
use super::{Encoder, Fact, Frame, Mode};
use dafny_resolve::typed::casts::changes_newtype;
use dafny_resolve::typed::{
    CallableId, CallableKind, CtorId, FieldId, FieldKind, Literal, Type, TypeDeclKind, TypeId,
};
use dtest_ir::reason::{NoValue, Unencoded};
use dtest_ir::{self as ir, Check, ContractPart, Expr, ExprKind, Op};
use dtest_smt::{Sort, Term};
use dtest_value::MAX_EXTENT;

impl<'p> Encoder<'p> {
    /// Evaluates an expression under the current guard.
    pub(super) fn eval(&mut self, e: &Expr, f: &mut Frame<'p>) -> Sym {
        if self.is_exhausted() {
            let ty = e.ty.subst(&f.subst);
            return self.any(&ty);
        }
        // Expressions may be deep, so that the recursion needs its own stack.
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.eval_kind(e, f))
    }

    /// Evaluates a condition.
    pub(super) fn eval_bool(&mut self, e: &Expr, f: &mut Frame<'p>) -> Term {
        if let Sym::Bool(t) = self.eval(e, f) {
            t
        } else {
            self.t.fresh("any", Sort::Bool)
        }
    }

    fn eval_kind(&mut self, e: &Expr, f: &mut Frame<'p>) -> Sym {
        match &e.kind {
            ExprKind::Literal(l) => self.literal(l, &e.ty.subst(&f.subst)),
            ExprKind::Var(v) => {
                let value = f.get(*v);
                if matches!(value, Sym::Undef) {
                    self.leave_open();
                    let ty = e.ty.subst(&f.subst);
                    self.any(&ty)
                } else {
                    value
                }
            }
            ExprKind::Op(op, args) => {
                let xs: Vec<Sym> = args.iter().map(|a| self.eval(a, f)).collect();
                let result = self.operate(op, &xs, args, &e.ty.subst(&f.subst), f);
                self.elements += result.elements();
                result
            }
            ExprKind::And(a, b) => {
                let p = self.eval_bool(a, f);
                if p == self.t.ff {
                    return Sym::Bool(p);
                }
                // The right operand is evaluated only where the left one does not decide: its
                // failures count only there.
                let q = self.under(p, |s| s.eval_bool(b, f));
                Sym::Bool(self.t.and(p, q))
            }
            ExprKind::Or(a, b) => {
                let p = self.eval_bool(a, f);
                if p == self.t.tt {
                    return Sym::Bool(p);
                }
                let n = self.t.not(p);
                let q = self.under(n, |s| s.eval_bool(b, f));
                Sym::Bool(self.t.or(p, q))
            }
            ExprKind::Implies(a, b) => {
                let p = self.eval_bool(a, f);
                if p == self.t.ff {
                    return Sym::Bool(self.t.tt);
                }
                let q = self.under(p, |s| s.eval_bool(b, f));
                Sym::Bool(self.t.implies(p, q))
            }
            ExprKind::If(c, a, b) => {
                let c = self.eval_bool(c, f);
                let n = self.t.not(c);
                let a = self.alternative(c, |s| s.eval(a, f));
                let b = self.alternative(n, |s| s.eval(b, f));
                self.merge_alternatives(c, &a, &b)
            }
            ExprKind::Let(v, value, body) => {
                let value = self.eval(value, f);
                f.set(*v, value);
                self.eval(body, f)
            }
            ExprKind::LetSuchThat(q, body) => {
                let found = self.choose(q, e.span, f);
                self.require(found);
                self.eval(body, f)
            }
            ExprKind::IfSuchThat(q, a, b) => {
                let found = self.choose(q, e.span, f);
                let n = self.t.not(found);
                let a = self.alternative(found, |s| s.eval(a, f));
                let b = self.alternative(n, |s| s.eval(b, f));
                self.merge_alternatives(found, &a, &b)
            }
            ExprKind::Call {
                callee,
                type_args,
                args,
                label,
            } => {
                let xs: Vec<Sym> = args.iter().map(|a| self.eval(a, f)).collect();
                let type_args: Vec<Type> = type_args.iter().map(|t| t.subst(&f.subst)).collect();
                // Only two-state functions have an older state. Equal calls of others share one
                // encoding.
                let is_two_state = self.typed()[*callee].kind == CallableKind::TwostateFunction;
                let old = f.snapshots.get(label).filter(|_| is_two_state).cloned();
                self.call(
                    *callee,
                    &type_args,
                    &xs,
                    old,
                    &e.ty.subst(&f.subst),
                    Some(e.span),
                )
            }
            ExprKind::Const {
                field,
                type_args,
                object,
            } => {
                let type_args: Vec<Type> = type_args.iter().map(|t| t.subst(&f.subst)).collect();
                let object = object.as_ref().map(|o| self.eval(o, f));
                self.constant(*field, &type_args, object, &e.ty.subst(&f.subst))
            }
            ExprKind::Apply(func, args) => {
                let func = self.eval(func, f);
                let xs: Vec<Sym> = args.iter().map(|a| self.eval(a, f)).collect();
                self.apply(&func, &xs, &e.ty.subst(&f.subst))
            }
            ExprKind::Lambda { lambda, captures } => {
                let captures = captures.iter().map(|c| self.eval(c, f)).collect();
                let scope = self
                    .program
                    .lambdas
                    .get(*lambda as usize)
                    .map_or(&[][..], |l| &l.type_params);
                let type_args = scope
                    .iter()
                    .map(|p| Type::Param(*p).subst(&f.subst))
                    .collect();
                Sym::Func(Rc::new(SymFunc::Lambda {
                    lambda: *lambda,
                    captures,
                    type_args,
                }))
            }
            ExprKind::Delay { lambda, captures } => {
                let captures = captures.iter().map(|c| self.eval(c, f)).collect();
                let scope = self
                    .program
                    .lambdas
                    .get(*lambda as usize)
                    .map_or(&[][..], |l| &l.type_params);
                let type_args = scope
                    .iter()
                    .map(|p| Type::Param(*p).subst(&f.subst))
                    .collect();
                Sym::Lazy(Rc::new(SymLazy::Code {
                    lambda: *lambda,
                    captures,
                    type_args,
                }))
            }
            ExprKind::FunctionRef {
                callee,
                type_args,
                receiver,
            } => {
                let receiver = receiver.as_ref().map(|r| self.eval(r, f));
                let type_args = type_args.iter().map(|t| t.subst(&f.subst)).collect();
                Sym::Func(Rc::new(SymFunc::Named {
                    callee: *callee,
                    type_args,
                    receiver,
                }))
            }
            ExprKind::Quantifier { forall, vars, body } => {
                Sym::Bool(self.quantify(*forall, vars, body, f))
            }
            ExprKind::SetComp(q, term) => self.set_comprehension(q, term, &e.ty.subst(&f.subst), f),
            ExprKind::MapComp(q, key, value) => {
                self.map_comprehension(q, key, value, &e.ty.subst(&f.subst), f)
            }
            ExprKind::ReadField(object, field) => {
                let object = self.eval(object, f);
                self.read_field(&object, *field, &e.ty.subst(&f.subst))
            }
            ExprKind::ReadElement(array, indices) => {
                let array = self.eval(array, f);
                let indices: Vec<Sym> = indices.iter().map(|i| self.eval(i, f)).collect();
                self.read_element(&array, &indices, &e.ty.subst(&f.subst))
            }
            ExprKind::Old(label, inner) => {
                let Some(heap) = f.snapshots.get(label).cloned() else {
                    return self.eval(inner, f);
                };
                // The expression is evaluated in the older heap, which is then replaced by the
                // current one.
                let now = std::mem::replace(&mut self.heap, heap);
                let value = self.eval(inner, f);
                self.heap = now;
                value
            }
            ExprKind::Fresh(label, inner) => {
                let objects = self.eval(inner, f);
                Sym::Bool(self.fresh(label, &objects, f))
            }
            ExprKind::Allocated(inner) => {
                let value = self.eval(inner, f);
                let ty = inner.ty.subst(&f.subst);
                Sym::Bool(self.allocated(&value, &ty))
            }
            ExprKind::Unchanged(label, frames) => Sym::Bool(self.unchanged(label, frames, f)),
            ExprKind::Convert(inner) => {
                let value = self.eval(inner, f);
                self.convert(&value, &inner.ty.subst(&f.subst), &e.ty.subst(&f.subst))
            }
            ExprKind::Is(inner, ty) => {
                let value = self.eval(inner, f);
                self.is_of(&value, &inner.ty.subst(&f.subst), &ty.subst(&f.subst))
            }
            ExprKind::Checked(check, clause, inner) => {
                match check {
                    // The interpreter validates these checks; compiled code does not execute them.
                    Check::Assert
                    | Check::Termination
                    | Check::Type
                    | Check::Decreases
                    | Check::Reads
                    | Check::Allocated
                    | Check::Application
                    | Check::Aliasing
                    | Check::Unique
                    | Check::Constructor
                    | Check::Precondition(_)
                    | Check::WellFormed => {}
                    Check::Assume => {
                        let (holds, defined) = self.isolated(|s| s.eval_bool(&clause.cond, f));
                        let both = self.t.and(defined, holds);
                        let goes_on = self.given(Fact::Assume(clause.span), both);
                        self.require(goes_on);
                    }
                }
                self.eval(inner, f)
            }
            ExprKind::OfContract {
                callee,
                part,
                type_args,
                args,
            } => {
                let xs: Vec<Sym> = args.iter().map(|a| self.eval(a, f)).collect();
                let type_args: Vec<Type> = type_args.iter().map(|t| t.subst(&f.subst)).collect();
                self.of_contract(*callee, *part, &type_args, &xs, &e.ty)
            }
            ExprKind::Unsupported(reason) => {
                let ty = e.ty.subst(&f.subst);
                self.unsupported(reason.clone(), &ty)
            }
        }
    }

    /// Encodes a part of a callee's contract: whether a precondition or postcondition is
    /// well-formed and holds, or the value of another part.
    fn of_contract(
        &mut self,
        callee: CallableId,
        part: ContractPart,
        type_args: &[Type],
        args: &[Sym],
        ty: &Type,
    ) -> Sym {
        let Some(contract) = self.program.contracts.get(&callee) else {
            return self.unsupported(Unencoded::NoContract, ty);
        };
        if self.typed()[callee].is_two_state {
            return self.unsupported(Unencoded::TwoStates, ty);
        }
        let subst = contract
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut frame = Frame::new(&contract.vars, Rc::new(subst));
        frame.bind(&contract.params, args);
        frame.snapshots.insert(None, self.heap.clone());
        // A clause that is not well-defined does not hold.
        match part {
            ContractPart::Requires(i) => {
                let Some(clause) = contract.requires.get(i as usize) else {
                    return Sym::Bool(self.t.tt);
                };
                let (holds, defined) = self
                    .in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
                Sym::Bool(self.t.and(defined, holds))
            }
            ContractPart::Ensures(i) => {
                let Some(clause) = contract.ensures.get(i as usize) else {
                    return Sym::Bool(self.t.tt);
                };
                // The results are unknown to the caller of this part.
                frame.bind(&contract.outs, &vec![Sym::Any; contract.outs.len()]);
                let (holds, defined) = self
                    .in_specification(|e| e.isolated(|e| e.eval_bool(&clause.cond, &mut frame)));
                Sym::Bool(self.t.and(defined, holds))
            }
            ContractPart::Measure(i) => {
                self.value_of_contract(contract.measure.get(i as usize), &mut frame, ty)
            }
            ContractPart::Modifies(i) => self.value_of_contract(
                contract
                    .modifies
                    .get(i as usize)
                    .and_then(|f| f.object.as_ref()),
                &mut frame,
                ty,
            ),
            ContractPart::Reads(i) => self.value_of_contract(
                contract
                    .reads
                    .get(i as usize)
                    .and_then(|f| f.object.as_ref()),
                &mut frame,
                ty,
            ),
        }
    }

    fn value_of_contract(&mut self, e: Option<&'p Expr>, frame: &mut Frame<'p>, ty: &Type) -> Sym {
        match e {
            Some(e) => self.in_specification(|s| s.eval(e, frame)),
            None => self.unsupported(Unencoded::NoSuchPart, ty),
        }
    }

    /// Encodes a literal of a concrete type.
    pub(super) fn literal(&mut self, l: &Literal, ty: &Type) -> Sym {
        match l {
            Literal::Bool(b) => Sym::Bool(self.t.bool(*b)),
            // The representation depends on the type of the literal.
            Literal::Int(n) => match self.typed().representation(ty) {
                Type::Real => Sym::Real(self.t.real(BigRational::from_integer(n.clone()))),
                Type::Bv(0) => Sym::Bv(self.t.int(0)),
                Type::Bv(w) => Sym::Bv(self.t.bv(w, n.to_biguint().unwrap_or_default())),
                Type::Ordinal => Sym::Ordinal(self.t.int(n.clone())),
                Type::Char => Sym::Char(self.t.int(n.clone())),
                Type::Bool
                | Type::Int
                | Type::Seq(_)
                | Type::Set { .. }
                | Type::Multiset(_)
                | Type::Map { .. }
                | Type::Tuple(_)
                | Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. }
                | Type::Named { .. }
                | Type::Param(_)
                | Type::Error => self.int(n.clone()),
            },
            Literal::Real(r) => Sym::Real(self.t.real(r.clone())),
            Literal::Char(c) => Sym::Char(self.t.int(*c)),
            Literal::String(cs) => {
                let slots: Vec<Sym> = cs.iter().map(|c| Sym::Char(self.t.int(*c))).collect();
                Sym::seq(self.t.int(cs.len() as i64), slots, Rest::Nothing)
            }
            Literal::Null => Sym::Ref(self.t.int(0)),
        }
    }

    fn operate(&mut self, op: &Op, xs: &[Sym], args: &[Expr], ty: &Type, f: &mut Frame<'p>) -> Sym {
        match (op, xs) {
            (Op::Eq, [a, b]) => Sym::Bool(self.equal(a, b)),
            (Op::Ne, [a, b]) => {
                let e = self.equal(a, b);
                Sym::Bool(self.t.not(e))
            }
            (Op::Tuple, _) => Sym::tuple(xs.to_vec()),
            (Op::TupleField(i), [Sym::Tuple(cs)]) => cs.get(*i).cloned().unwrap_or(Sym::Any),
            (Op::Construct(ctor), _) => self.construct(*ctor, xs),
            // A test or destructor forces a lazy argument.
            (Op::CtorTest(_) | Op::Destruct(_), [lazy @ Sym::Lazy(_)]) => {
                let operand = args.first().map_or(Type::Error, |a| a.ty.subst(&f.subst));
                let computed = self.look(lazy, &operand);
                if matches!(computed, Sym::Lazy(_)) {
                    self.any(ty)
                } else {
                    self.operate(op, &[computed], args, ty, f)
                }
            }
            (Op::CtorTest(ctor), [Sym::Data(d)]) => {
                let (_, i) = self.ctor_index(*ctor);
                let i = self.t.int(i as i64);
                Sym::Bool(self.t.eq(d.tag, i))
            }
            (Op::Destruct(field), [Sym::Data(d)]) => self.destruct(d, *field, ty),
            (Op::SeqInit, [n, func]) => match (n.scalar(), self.typed().representation(ty)) {
                (Some(n), Type::Seq(elem)) => self.seq_init(n, func, &elem),
                (_, _) => self.any(ty),
            },
            (Op::FunctionRequires, [func, rest @ ..]) => Sym::Bool(self.apply_requires(func, rest)),
            (Op::ArrayLength(d), [a]) => self.array_length(a, *d),
            (Op::ArraySlice, [a, low, high]) => self.array_slice(a, low, high, ty),
            (Op::PrefixEq, _) => self.unsupported(Unencoded::PrefixEquality, ty),
            (Op::Below, [a, b]) => match self.below(a, b) {
                Some(t) => Sym::Bool(t),
                None => self.unsupported(Unencoded::Order, ty),
            },
            (Op::Below, _) => self.any(ty),
            (Op::FunctionReads, _) => self.unsupported(Unencoded::FunctionFrame, ty),
            (
                Op::Not
                | Op::Neg(_)
                | Op::Add(_)
                | Op::Sub(_)
                | Op::Mul(_)
                | Op::Div(_)
                | Op::Mod(_)
                | Op::Lt(_)
                | Op::Le(_)
                | Op::BitAnd
                | Op::BitOr
                | Op::BitXor
                | Op::BitNot
                | Op::Shl
                | Op::Shr
                | Op::RotateLeft
                | Op::RotateRight
                | Op::Floor
                | Op::OrdinalIsLimit
                | Op::OrdinalIsSucc
                | Op::OrdinalOffset
                | Op::OrdinalIsNat,
                _,
            ) => match self.numeric(op, xs, ty) {
                Some(v) => v,
                None => self.any(ty),
            },
            (Op::TupleField(_) | Op::CtorTest(_) | Op::Destruct(_), _) => {
                let _ = (args, f);
                self.any(ty)
            }
            _ => self.collection(op, xs, ty),
        }
    }

    /// Returns the datatype of a constructor, and the index of the constructor.
    pub(super) fn ctor_index(&self, ctor: CtorId) -> (TypeId, usize) {
        let ty = self.typed()[ctor].datatype;
        (
            ty,
            ir::ctors_of(self.typed(), ty)
                .iter()
                .position(|c| *c == ctor)
                .unwrap_or(0),
        )
    }

    pub(super) fn construct(&mut self, ctor: CtorId, xs: &[Sym]) -> Sym {
        let (ty, index) = self.ctor_index(ctor);
        let count = ir::ctors_of(self.typed(), ty).len();
        let mut args = vec![None; count];
        if let Some(slot) = args.get_mut(index) {
            *slot = Some(Rc::new(xs.to_vec()));
        }
        let data = Sym::Data(Rc::new(SymData::new(ty, self.t.int(index as i64), args)));
        if data.extent() > MAX_EXTENT {
            // Larger values are too expensive to traverse.
            self.exhausted = true;
            return Sym::Any;
        }
        data
    }

    fn destruct(&mut self, d: &SymData, field: FieldId, ty: &Type) -> Sym {
        let FieldKind::Destructor(ctors) = &self.typed()[field].kind else {
            return self.any(ty);
        };
        let (mut value, mut possible) = (Sym::Undef, self.t.ff);
        // Several constructors may share the destructor; each gives the value where it is the tag.
        for ctor in ctors {
            let (_, index) = self.ctor_index(*ctor);
            let at = self.t.int(index as i64);
            let is = self.t.eq(d.tag, at);
            possible = self.t.or(possible, is);
            if is == self.t.ff {
                continue;
            }
            let position = self.typed()[*ctor].fields.iter().position(|f| *f == field);
            let arg = d
                .args
                .get(index)
                .and_then(Option::as_ref)
                .zip(position)
                .and_then(|(a, p)| a.get(p))
                .cloned();
            let arg = match arg {
                Some(a) => a,
                None => self.any(ty),
            };
            value = if value == Sym::Undef {
                arg
            } else {
                self.merge(is, &arg, &value)
            };
        }
        self.require(possible);
        // A codatatype stays lazy until its own destructors are applied.
        let stays = matches!(self.typed().strip_subset(ty), Type::Named { decl, .. } if self.typed().is_codatatype(decl));
        if matches!(value, Sym::Undef) {
            self.any(ty)
        } else if stays {
            value
        } else {
            self.look(&value, ty)
        }
    }

    /// Returns the value that a lazy value represents.
    fn look(&mut self, value: &Sym, ty: &Type) -> Sym {
        let Sym::Lazy(lazy) = value else {
            return value.clone();
        };
        match &**lazy {
            SymLazy::Code {
                // The nesting of delayed computations is bounded.
                lambda,
                captures,
                type_args,
            } => {
                if self.nesting > super::MAX_NESTING {
                    self.cross(super::BoundKind::Inline);
                    return self.any(ty);
                }
                let value = self.run_lambda(*lambda, captures, type_args, &[], ty);
                self.nesting += 1;
                let computed = self.look(&value, ty);
                self.nesting -= 1;
                computed
            }
            // Nothing is known of the value beyond the depth bound of inputs.
            SymLazy::Rest(_) => {
                self.cross(super::BoundKind::Depth);
                self.any(ty)
            }
            SymLazy::If(cond, a, b) => {
                let n = self.t.not(*cond);
                // Each alternative is computed under its own condition.
                let x = self.under(*cond, |e| e.look(a, ty));
                let y = self.under(n, |e| e.look(b, ty));
                self.merge(*cond, &x, &y)
            }
        }
    }

    fn constant(
        &mut self,
        field: FieldId,
        type_args: &[Type],
        object: Option<Sym>,
        ty: &Type,
    ) -> Sym {
        let Some(function) = self.program.constants.get(&field) else {
            return match object {
                Some(o) => self.read_field(&o, field, ty),
                None => self.unsupported(Unencoded::Constant, ty),
            };
        };
        let key = (field, type_args.to_vec());
        // A static constant has one value in an execution.
        if let Some(v) = self.constants.get(&key).filter(|_| object.is_none()) {
            return v.clone();
        }
        if self.nesting > super::MAX_NESTING {
            return self.unsupported(Unencoded::DeepConstants, ty);
        }
        self.nesting += 1;
        // The initial value is evaluated as a specification, without a path of its own.
        let subst = function
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut frame = Frame::new(&function.vars, Rc::new(subst));
        let is_static = object.is_none();
        frame.bind(&function.params, &object.into_iter().collect::<Vec<_>>());
        let (value, defined) =
            self.in_specification(|s| s.isolated(|s| s.eval(&function.body, &mut frame)));
        self.nesting -= 1;
        self.require(defined);
        if is_static {
            self.constants.insert(key, value.clone());
        }
        value
    }

    /// Encodes `value as to`.
    fn convert(&mut self, value: &Sym, from: &Type, to: &Type) -> Sym {
        // A value of a trait that is no reference type is converted to one of its implementations.
        if let (
            Sym::Data(_) | Sym::Ref(_) | Sym::Newtype(_) | Sym::OneOf(_),
            Type::Named { decl, .. },
        ) = (value, self.typed().strip_subset(from))
            && matches!(
                self.typed()[decl].kind,
                TypeDeclKind::Trait {
                    is_reference: false
                }
            )
        {
            let ok = self.implementation_is(value, to);
            self.require(ok);
            return self.implementation_as(value, to);
        }
        // Casts between a newtype and its trait change the representation.
        if changes_newtype(self.typed(), from, to) {
            let value = self.retyped(value, from, to);
            let ok = self.is_in_type(&value, to);
            self.require(ok);
            return value;
        }
        let (source, target) = (
            self.typed().representation(from),
            self.typed().representation(to),
        );
        let Some(t) = value.scalar() else {
            return if source == target || matches!(value, Sym::Any) {
                value.clone()
            } else {
                self.reshaped(value, to)
            };
        };
        // Scalars are converted through integers, with a range check for the target type.
        let result = match &target {
            Type::Int | Type::Ordinal | Type::Char => {
                let n = self.as_int(t);
                if matches!(target, Type::Char) {
                    let ok = self.valid_char(n);
                    self.require(ok);
                    Sym::Char(n)
                } else if matches!(target, Type::Ordinal) {
                    let zero = self.t.int(0);
                    let ok = self.t.le(zero, n);
                    self.require(ok);
                    Sym::Ordinal(n)
                } else {
                    Sym::Int(n)
                }
            }
            Type::Real => match self.t.sort(t) {
                Sort::Real => Sym::Real(t),
                Sort::Bool | Sort::Int | Sort::Bv(_) => {
                    let n = self.as_int(t);
                    Sym::Real(self.t.to_real(n))
                }
            },
            Type::Bv(w) => {
                if self.t.sort(t) == Sort::Bv(*w) {
                    Sym::Bv(t)
                } else {
                    let n = self.as_int(t);
                    let (zero, end) = (self.t.int(0), self.t.int(BigInt::from(1) << *w));
                    let ok = self.t.in_range(zero, n, end);
                    self.require(ok);
                    Sym::Bv(if *w == 0 {
                        zero
                    } else {
                        self.t.int_to_bv(*w, n)
                    })
                }
            }
            Type::Bool
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_) => value.clone(),
            Type::Arrow { .. } | Type::Array { .. } | Type::Object { .. } | Type::Named { .. } => {
                value.clone()
            }
            Type::Param(_) | Type::Error => value.clone(),
        };
        // The constraints of subset types and newtypes come last, because they expect a value of
        // the target's representation.
        if from != to {
            let ok = self.has_type(&result, to);
            self.require(ok);
        }
        result
    }

    /// Converts a scalar to an integer. A real has to be integral.
    fn as_int(&mut self, t: Term) -> Term {
        match self.t.sort(t) {
            Sort::Int => t,
            Sort::Bool => self.t.count(t),
            Sort::Bv(_) => self.t.bv_to_int(t),
            Sort::Real => {
                let n = self.t.floor(t);
                let back = self.t.to_real(n);
                let ok = self.t.eq(back, t);
                self.require(ok);
                n
            }
        }
    }

    /// Checks the new type of a compound value, whose representation stays the same.
    fn reshaped(&mut self, value: &Sym, to: &Type) -> Sym {
        let ok = self.has_type(value, to);
        self.require(ok);
        value.clone()
    }

    fn valid_char(&mut self, n: Term) -> Term {
        let (max, surrogates) = self.char_range();
        let (zero, end) = (self.t.int(0), self.t.int(max + 1));
        let inside = self.t.in_range(zero, n, end);
        if !surrogates {
            return inside;
        }
        // Surrogates are no characters of Unicode.
        let (low, high) = (self.t.int(0xD800), self.t.int(0xE000));
        let bad = self.t.in_range(low, n, high);
        let good = self.t.not(bad);
        self.t.and(inside, good)
    }

    /// Returns the condition that a value of the right shape satisfies the constraints of its type,
    /// including those of its parts.
    pub(super) fn has_type(&mut self, value: &Sym, ty: &Type) -> Term {
        match ty {
            Type::Char => value.scalar().map_or(self.t.tt, |n| self.valid_char(n)),
            Type::Ordinal => {
                let zero = self.t.int(0);
                value.scalar().map_or(self.t.tt, |n| self.t.le(zero, n))
            }
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Arrow { .. }
            | Type::Param(_)
            | Type::Error => self.t.tt,
            Type::Array { nullable: true, .. } | Type::Object { nullable: true } => self.t.tt,
            Type::Array {
                nullable: false, ..
            }
            | Type::Object { nullable: false } => self.not_null(value),
            Type::Seq(elem) => {
                let Sym::Seq(s) = value else { return self.t.tt };
                let s = Rc::clone(s);
                let mut all = self.t.tt;
                for (j, x) in s.slots.iter().enumerate() {
                    let ok = self.has_type(x, elem);
                    // Places beyond the length have no element to check.
                    if ok != self.t.tt {
                        let inside = self.inside(&s, j);
                        let ok = self.t.implies(inside, ok);
                        all = self.t.and(all, ok);
                    }
                }
                all
            }
            Type::Set { elem, .. } => {
                let Sym::Set(s) = value else { return self.t.tt };
                let slots: Vec<(Term, Sym)> = s.slots.clone();
                self.all_have_type(&slots, elem)
            }
            Type::Multiset(elem) => {
                let Sym::Multiset(s) = value else {
                    return self.t.tt;
                };
                let zero = self.t.int(0);
                let slots: Vec<(Term, Sym)> = s.slots.clone();
                // A slot with multiplicity zero has no element that could violate the type.
                let slots: Vec<(Term, Sym)> = slots
                    .into_iter()
                    .map(|(n, x)| (self.t.lt(zero, n), x))
                    .collect();
                self.all_have_type(&slots, elem)
            }
            Type::Map {
                key, value: target, ..
            } => {
                let Sym::Map(m) = value else { return self.t.tt };
                let keys: Vec<(Term, Sym)> =
                    m.slots.iter().map(|(p, k, _)| (*p, k.clone())).collect();
                let values: Vec<(Term, Sym)> =
                    m.slots.iter().map(|(p, _, v)| (*p, v.clone())).collect();
                let (a, b) = (
                    self.all_have_type(&keys, key),
                    self.all_have_type(&values, target),
                );
                self.t.and(a, b)
            }
            Type::Tuple(ts) => {
                let Sym::Tuple(cs) = value else {
                    return self.t.tt;
                };
                let cs = Rc::clone(cs);
                let mut all = self.t.tt;
                for (c, (_, t)) in cs.iter().zip(ts) {
                    let ok = self.has_type(c, t);
                    all = self.t.and(all, ok);
                }
                all
            }
            Type::Named {
                decl,
                args,
                nullable,
            } => self.has_named_type(value, *decl, args, *nullable),
        }
    }

    fn all_have_type(&mut self, slots: &[(Term, Sym)], ty: &Type) -> Term {
        let mut all = self.t.tt;
        for (p, x) in slots {
            let ok = self.has_type(x, ty);
            if ok != self.t.tt {
                let ok = self.t.implies(*p, ok);
                all = self.t.and(all, ok);
            }
        }
        all
    }

    fn not_null(&mut self, value: &Sym) -> Term {
        let zero = self.t.int(0);
        value.scalar().map_or(self.t.tt, |r| self.t.ne(r, zero))
    }

    fn has_named_type(&mut self, value: &Sym, decl: TypeId, args: &[Type], nullable: bool) -> Term {
        let typed = self.typed();
        let subst = typed.substitution(decl, args);
        match &typed[decl].kind {
            TypeDeclKind::Trait {
                is_reference: false,
            } if !matches!(value, Sym::Ref(_)) => self.is_within_implementation(value, decl, args),
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => {
                if nullable {
                    self.t.tt
                } else {
                    self.not_null(value)
                }
            }
            TypeDeclKind::Abstract => self.t.tt,
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                let base = self.has_type(value, &c.base.subst(&subst));
                // The constraint expects a value of the base type.
                if base == self.t.ff {
                    return base;
                }
                let Some(function) = self.program.constraints.get(&decl) else {
                    return base;
                };
                let mut frame = Frame::new(&function.vars, Rc::new(subst));
                frame.bind(&function.params, std::slice::from_ref(value));
                let (holds, defined) = self
                    .in_specification(|s| s.isolated(|s| s.eval_bool(&function.body, &mut frame)));
                let ok = self.t.and(defined, holds);
                self.t.and(base, ok)
            }
            TypeDeclKind::Datatype { ctors, .. } => {
                let Sym::Data(d) = value else {
                    return self.t.tt;
                };
                let d = Rc::clone(d);
                let mut all = self.t.tt;
                // The fields of each possible constructor must have their types.
                for (i, ctor) in ctors.iter().enumerate() {
                    let Some(Some(xs)) = d.args.get(i) else {
                        continue;
                    };
                    let at = self.t.int(i as i64);
                    let is = self.t.eq(d.tag, at);
                    if is == self.t.ff {
                        continue;
                    }
                    for (x, field) in xs.iter().zip(&typed[*ctor].fields) {
                        let ok = self.has_type(x, &typed[*field].ty.subst(&subst));
                        if ok != self.t.tt {
                            let ok = self.t.implies(is, ok);
                            all = self.t.and(all, ok);
                        }
                    }
                }
                all
            }
        }
    }

    fn is_of(&mut self, value: &Sym, from: &Type, to: &Type) -> Sym {
        let typed = self.typed();
        if let Type::Named { decl, .. } = typed.strip_subset(from)
            && matches!(
                typed[decl].kind,
                TypeDeclKind::Trait {
                    is_reference: false
                }
            )
        {
            return Sym::Bool(self.implementation_is(value, to));
        }
        if self.typed().is_reference(to) && self.typed().is_reference(from) {
            return Sym::Bool(self.dynamic_type_is(value, to));
        }
        let (source, target) = (typed.representation(from), typed.representation(to));
        if source != target && value.scalar().is_some() && is_number(&target) {
            // A test for a numeric type is the test whether the conversion succeeds.
            let ((), ok) = self.isolated(|e| drop(e.convert(value, from, to)));
            return Sym::Bool(ok);
        }
        Sym::Bool(self.is_in_type(value, to))
    }

    /// Returns the condition that a value of a trait that is no reference type belongs to another
    /// type.
    fn implementation_is(&mut self, value: &Sym, to: &Type) -> Term {
        let typed = self.typed();
        let other = typed.strip_subset(to);
        let of = if let Type::Named { decl, .. } = other {
            Some(decl)
        } else if matches!(other, Type::Array { .. } | Type::Object { .. }) {
            None
        } else {
            // A basic type has no trait: the question is only open outside of exact encodings.
            return if self.mode == Mode::Cut && typed.representation(&other) == other {
                self.t.ff
            } else {
                self.t.fresh("any", Sort::Bool)
            };
        };
        let is_trait = of.is_some_and(|t| typed.is_trait(t));
        match (value, of) {
            (Sym::Ref(_), of)
                if of.is_none_or(|t| {
                    is_trait
                        || matches!(
                            typed[t].kind,
                            TypeDeclKind::Class | TypeDeclKind::Iterator(_)
                        )
                }) =>
            {
                self.dynamic_type_is(value, to)
            }
            (Sym::Ref(_), _) => self.t.ff,
            (Sym::Data(d), Some(of)) if d.ty == of || self.extends(d.ty, of, 8) => {
                if d.ty == of {
                    self.is_in_type(value, to)
                } else {
                    self.t.tt
                }
            }
            (Sym::Data(_), _) => self.t.ff,
            (Sym::Newtype(n), Some(of)) if n.decl == of => self.is_in_type(&n.value, to),
            (Sym::Newtype(n), Some(of)) if is_trait => self.t.bool(self.extends(n.decl, of, 8)),
            (Sym::Newtype(_), _) => self.t.ff,
            // The value is one of several, so each of them is tested under its condition.
            (Sym::OneOf(all), _) => {
                let mut any = self.t.ff;
                for (cond, x) in all.iter() {
                    let is = self.implementation_is(x, to);
                    let here = self.t.and(*cond, is);
                    any = self.t.or(any, here);
                }
                any
            }
            (_, _) => self.t.fresh("any", Sort::Bool),
        }
    }

    /// Converts a value of a trait that is no reference type to a type that it belongs to.
    fn implementation_as(&mut self, value: &Sym, to: &Type) -> Sym {
        let Type::Named { decl, .. } = self.typed().strip_subset(to) else {
            return value.clone();
        };
        if self.typed().is_trait(decl) {
            return value.clone();
        }
        let fits = |x: &Sym| match x {
            Sym::Data(d) => d.ty == decl,
            Sym::Newtype(n) => n.decl == decl,
            Sym::Ref(_) => matches!(
                self.typed()[decl].kind,
                TypeDeclKind::Class | TypeDeclKind::Iterator(_)
            ),
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Seq(_)
            | Sym::Set(_)
            | Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::Tuple(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::OneOf(_)
            | Sym::Any
            | Sym::Undef => true,
        };
        // Of several alternatives, only one can have the type; the caller has required it.
        match self
            .alternatives(value)
            .into_iter()
            .map(|(_, x)| x)
            .find(fits)
        {
            Some(Sym::Newtype(n)) => n.value.clone(),
            Some(Sym::Any) | None => self.any(to),
            Some(other) => other,
        }
    }

    /// Converts the representation of a value between the types `from` and `to`, where one contains
    /// a newtype and the other a trait that the newtype extends.
    fn retyped(&mut self, value: &Sym, from: &Type, to: &Type) -> Sym {
        let typed = self.typed();
        if !changes_newtype(typed, from, to) {
            return value.clone();
        }
        let (from, to) = (typed.strip_subset(from), typed.strip_subset(to));
        // The conversion follows the structure of the types; only traits and newtypes change the
        // representation.
        match (value, &from, &to) {
            (Sym::Seq(s), Type::Seq(a), Type::Seq(b)) => {
                let slots = s.slots.iter().map(|x| self.retyped(x, a, b)).collect();
                Sym::seq(s.len, slots, s.rest)
            }
            (Sym::Set(s), Type::Set { elem: a, .. }, Type::Set { elem: b, .. }) => {
                let slots = s
                    .slots
                    .iter()
                    .map(|(p, x)| (*p, self.retyped(x, a, b)))
                    .collect();
                Sym::set(slots, s.more)
            }
            (Sym::Multiset(s), Type::Multiset(a), Type::Multiset(b)) => {
                let slots = s
                    .slots
                    .iter()
                    .map(|(n, x)| (*n, self.retyped(x, a, b)))
                    .collect();
                Sym::multiset(slots, s.more)
            }
            (
                Sym::Map(m),
                Type::Map {
                    key: k, value: v, ..
                },
                Type::Map {
                    key: l, value: w, ..
                },
            ) => {
                let slots = m
                    .slots
                    .iter()
                    .map(|(p, x, y)| (*p, self.retyped(x, k, l), self.retyped(y, v, w)))
                    .collect();
                Sym::map(slots, m.more)
            }
            (Sym::Tuple(xs), Type::Tuple(a), Type::Tuple(b)) => Sym::tuple(
                xs.iter()
                    .zip(a.iter().zip(b))
                    .map(|(x, (a, b))| self.retyped(x, &a.1, &b.1))
                    .collect(),
            ),
            (Sym::Data(d), Type::Named { decl, args: a, .. }, Type::Named { args: b, .. })
                if d.ty == *decl =>
            {
                let (old, new) = (typed.substitution(*decl, a), typed.substitution(*decl, b));
                let mut args = Vec::with_capacity(d.args.len());
                for (ctor, xs) in self.ctors(*decl).to_vec().into_iter().zip(&d.args) {
                    args.push(xs.as_ref().map(|xs| {
                        let parts = xs.iter().zip(&typed[ctor].fields).map(|(x, f)| {
                            let own = &typed[*f].ty;
                            self.retyped(x, &own.subst(&old), &own.subst(&new))
                        });
                        Rc::new(parts.collect())
                    }));
                }
                Sym::Data(Rc::new(SymData::new(*decl, d.tag, args)))
            }
            (Sym::Newtype(_) | Sym::OneOf(_) | Sym::Ref(_), Type::Named { decl, .. }, _)
                if typed.is_trait(*decl) =>
            {
                // A value of a trait must have the newtype to which it is converted.
                let ok = self.implementation_is(value, &to);
                self.require(ok);
                self.implementation_as(value, &to)
            }
            (Sym::Any | Sym::Undef, _, _) => self.any(&to),
            (Sym::Func(_) | Sym::Lazy(_), _, _) => self.unsupported(NoValue::Retyped, &to),
            (value, Type::Named { decl, args, .. }, _)
                if matches!(typed[*decl].kind, TypeDeclKind::Newtype(_)) =>
            {
                Sym::Newtype(Rc::new(SymNewtype {
                    decl: *decl,
                    args: args.clone(),
                    value: value.clone(),
                }))
            }
            (value, _, _) => value.clone(),
        }
    }

    /// Returns the condition that a datatype or newtype value, converted to a trait, satisfies the
    /// constraints of its own type.
    fn is_within_implementation(&mut self, value: &Sym, of: TypeId, of_args: &[Type]) -> Term {
        match value {
            Sym::Newtype(n) => self.has_type(&n.value, &Type::named(n.decl, n.args.clone())),
            Sym::Data(d) => {
                let datatypes = self.typed().implementing_datatypes(of, of_args);
                match datatypes
                    .iter()
                    .find(|t| matches!(t, Type::Named { decl, .. } if *decl == d.ty))
                {
                    Some(ty) => self.has_type(value, ty),
                    None => self.t.tt,
                }
            }
            Sym::OneOf(all) => {
                let mut ok = self.t.tt;
                for (cond, x) in all.iter() {
                    // Each alternative must satisfy its own type.
                    let is = match x {
                        Sym::Ref(_) => self.not_null(x),
                        other @ (Sym::Bool(_)
                        | Sym::Int(_)
                        | Sym::Char(_)
                        | Sym::Real(_)
                        | Sym::Bv(_)
                        | Sym::Ordinal(_)
                        | Sym::Seq(_)
                        | Sym::Set(_)
                        | Sym::Multiset(_)
                        | Sym::Map(_)
                        | Sym::Tuple(_)
                        | Sym::Data(_)
                        | Sym::Func(_)
                        | Sym::Lazy(_)
                        | Sym::Newtype(_)
                        | Sym::OneOf(_)
                        | Sym::Any
                        | Sym::Undef) => self.is_within_implementation(other, of, of_args),
                    };
                    let is = self.t.implies(*cond, is);
                    ok = self.t.and(ok, is);
                }
                ok
            }
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Seq(_)
            | Sym::Set(_)
            | Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::Tuple(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => self.t.tt,
        }
    }

    /// Returns the condition that a value belongs to a type. For partly unknown values, the unknown
    /// part may decide.
    pub(super) fn is_in_type(&mut self, value: &Sym, ty: &Type) -> Term {
        let known = self.has_type(value, ty);
        if self.mode == Mode::Cut
            || known == self.t.ff
            || self.typed().representation(ty) == *ty && value.scalar().is_some()
        {
            return known;
        }
        if self.is_whole(value) {
            return known;
        }
        let rest = self.t.fresh("any", Sort::Bool);
        self.t.and(known, rest)
    }

    /// Whether no part of a value is unknown.
    fn is_whole(&self, value: &Sym) -> bool {
        match value {
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Ref(_) => true,
            Sym::Tuple(parts) => parts.iter().all(|x| self.is_whole(x)),
            Sym::Seq(s) => !s.is_open() && s.slots.iter().all(|x| self.is_whole(x)),
            Sym::Set(s) => s.more == self.t.ff && s.slots.iter().all(|(_, x)| self.is_whole(x)),
            Sym::Multiset(s) => {
                s.more == self.t.ff && s.slots.iter().all(|(_, x)| self.is_whole(x))
            }
            Sym::Map(s) => {
                s.more == self.t.ff
                    && s.slots
                        .iter()
                        .all(|(_, k, v)| self.is_whole(k) && self.is_whole(v))
            }
            Sym::Data(d) => {
                let tag = self.t.as_small(d.tag);
                // Only constructors that the tag allows matter.
                let is_possible = |i: usize| tag.is_none_or(|t| usize::try_from(t) == Ok(i));
                let mut possible = d.args.iter().enumerate().filter(|(i, _)| is_possible(*i));
                possible.all(|(_, a)| {
                    a.as_ref()
                        .is_some_and(|xs| xs.iter().all(|x| self.is_whole(x)))
                })
            }
            Sym::Newtype(n) => self.is_whole(&n.value),
            Sym::OneOf(all) => all.iter().all(|(_, x)| self.is_whole(x)),
            Sym::Func(_) | Sym::Lazy(_) | Sym::Any | Sym::Undef => false,
        }
    }
}

/// Whether a type is numeric: its values can be converted to and from numbers.
fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Real | Type::Char | Type::Bv(_) | Type::Ordinal => true,
        Type::Bool
        | Type::Seq(_)
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Named { .. }
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => false,
    }
}
