//! Encoding of expressions.
//!
//! Key function: [`Encoder::eval`]. The hard part is partiality: every operand that is evaluated conditionally
//! is evaluated under a guard, so that its failures count only there.

use std::rc::Rc;

use num_rational::BigRational;

use super::value::{Heap, Rest, Sym, SymData, SymFunc, SymLazy};
use super::{Encoder, Fact, Frame};
use dafny_resolve::typed::{
    CallableId, CallableKind, CtorId, FieldId, FieldKind, Literal, Type, TypeId,
};
use dafny_source::Name;
use dtest_ir::reason::Unencoded;
use dtest_ir::{self as ir, Check, Clause, ContractPart, Expr, ExprKind, Op};
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

    /// Encodes an expression by its kind. Strict operands are evaluated here, in the order of the
    /// language; operands that are evaluated conditionally in the methods for their form.
    fn eval_kind(&mut self, e: &Expr, f: &mut Frame<'p>) -> Sym {
        match &e.kind {
            ExprKind::Literal(l) => self.literal(l, &e.ty.subst(&f.subst)),
            ExprKind::Var(v) => self.value_of_variable(*v, &e.ty, f),
            ExprKind::Op(op, args) => {
                let xs = self.eval_all(args, f);
                let result = self.operate(op, &xs, args, &e.ty.subst(&f.subst), f);
                self.work.elements += result.elements();
                result
            }
            ExprKind::And(a, b) => Sym::Bool(self.conjunction(a, b, f)),
            ExprKind::Or(a, b) => Sym::Bool(self.disjunction(a, b, f)),
            ExprKind::Implies(a, b) => Sym::Bool(self.implication(a, b, f)),
            ExprKind::If(c, a, b) => {
                let c = self.eval_bool(c, f);
                self.conditional(c, a, b, f)
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
                self.conditional(found, a, b, f)
            }
            ExprKind::Call {
                callee,
                type_args,
                args,
                label,
            } => {
                let xs = self.eval_all(args, f);
                let type_args = instantiate(type_args, f);
                let old = self.older_state_of_call(*callee, label, f);
                let ty = e.ty.subst(&f.subst);
                self.call(*callee, &type_args, &xs, old, &ty, Some(e.span))
            }
            ExprKind::Const {
                field,
                type_args,
                object,
            } => {
                let type_args = instantiate(type_args, f);
                let object = object.as_ref().map(|o| self.eval(o, f));
                self.constant(*field, &type_args, object, &e.ty.subst(&f.subst))
            }
            ExprKind::Apply(func, args) => {
                let func = self.eval(func, f);
                let xs = self.eval_all(args, f);
                self.apply(&func, &xs, &e.ty.subst(&f.subst))
            }
            ExprKind::Lambda { lambda, captures } => Sym::Func(Rc::new(SymFunc::Lambda {
                lambda: *lambda,
                captures: self.eval_all(captures, f),
                type_args: self.type_args_of_lambda(*lambda, f),
            })),
            ExprKind::Delay { lambda, captures } => Sym::Lazy(Rc::new(SymLazy::Code {
                lambda: *lambda,
                captures: self.eval_all(captures, f),
                type_args: self.type_args_of_lambda(*lambda, f),
            })),
            ExprKind::FunctionRef {
                callee,
                type_args,
                receiver,
            } => Sym::Func(Rc::new(SymFunc::Named {
                callee: *callee,
                receiver: receiver.as_ref().map(|r| self.eval(r, f)),
                type_args: instantiate(type_args, f),
            })),
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
                let indices = self.eval_all(indices, f);
                self.read_element(&array, &indices, &e.ty.subst(&f.subst))
            }
            ExprKind::Old(label, inner) => self.in_older_state(label, inner, f),
            ExprKind::Fresh(label, inner) => {
                let objects = self.eval(inner, f);
                Sym::Bool(self.fresh(label, &objects, f))
            }
            ExprKind::Allocated(inner) => {
                let value = self.eval(inner, f);
                Sym::Bool(self.allocated(&value, &inner.ty.subst(&f.subst)))
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
                self.assume_check(*check, clause, f);
                self.eval(inner, f)
            }
            ExprKind::OfContract {
                callee,
                part,
                type_args,
                args,
            } => {
                let xs = self.eval_all(args, f);
                self.of_contract(*callee, *part, &instantiate(type_args, f), &xs, &e.ty)
            }
            ExprKind::Unsupported(reason) => {
                self.unsupported(reason.clone(), &e.ty.subst(&f.subst))
            }
        }
    }

    /// Evaluates expressions in order.
    fn eval_all(&mut self, es: &[Expr], f: &mut Frame<'p>) -> Vec<Sym> {
        es.iter().map(|e| self.eval(e, f)).collect()
    }

    /// Returns the value of a variable. An unassigned variable has an arbitrary value of its type.
    fn value_of_variable(&mut self, v: ir::Var, ty: &Type, f: &Frame<'p>) -> Sym {
        let value = f.get(v);
        if matches!(value, Sym::Undef) {
            self.leave_open();
            self.any(&ty.subst(&f.subst))
        } else {
            value
        }
    }

    /// Encodes `a && b`. The right operand is evaluated only where the left one does not decide:
    /// its failures count only there.
    fn conjunction(&mut self, a: &Expr, b: &Expr, f: &mut Frame<'p>) -> Term {
        let p = self.eval_bool(a, f);
        if p == self.t.ff {
            return p;
        }
        let q = self.under(p, |s| s.eval_bool(b, f));
        self.t.and(p, q)
    }

    /// Encodes `a || b`, as [`Self::conjunction`].
    fn disjunction(&mut self, a: &Expr, b: &Expr, f: &mut Frame<'p>) -> Term {
        let p = self.eval_bool(a, f);
        if p == self.t.tt {
            return p;
        }
        let n = self.t.not(p);
        let q = self.under(n, |s| s.eval_bool(b, f));
        self.t.or(p, q)
    }

    /// Encodes `a ==> b`, as [`Self::conjunction`].
    fn implication(&mut self, a: &Expr, b: &Expr, f: &mut Frame<'p>) -> Term {
        let p = self.eval_bool(a, f);
        if p == self.t.ff {
            return self.t.tt;
        }
        let q = self.under(p, |s| s.eval_bool(b, f));
        self.t.implies(p, q)
    }

    /// Encodes `if cond then a else b`, each alternative under its own guard.
    fn conditional(&mut self, cond: Term, a: &Expr, b: &Expr, f: &mut Frame<'p>) -> Sym {
        let n = self.t.not(cond);
        let a = self.alternative(cond, |s| s.eval(a, f));
        let b = self.alternative(n, |s| s.eval(b, f));
        self.merge_alternatives(cond, &a, &b)
    }

    /// Returns the older state of a call of a two-state function. Equal calls of other functions
    /// share one encoding, whatever the state.
    fn older_state_of_call(
        &self,
        callee: CallableId,
        label: &Option<Name>,
        f: &Frame<'p>,
    ) -> Option<Heap> {
        let is_two_state = self.typed()[callee].kind == CallableKind::TwostateFunction;
        f.snapshots.get(label).filter(|_| is_two_state).cloned()
    }

    /// Returns the type arguments of a function value or delayed value: the enclosing callable's
    /// type parameters, instantiated.
    fn type_args_of_lambda(&self, lambda: u32, f: &Frame<'p>) -> Vec<Type> {
        let scope = self.program.lambdas.get(lambda as usize);
        scope
            .map_or(&[][..], |l| &l.type_params)
            .iter()
            .map(|p| Type::Param(*p).subst(&f.subst))
            .collect()
    }

    /// Encodes `old(e)` and `old@label(e)`.
    fn in_older_state(&mut self, label: &Option<Name>, e: &Expr, f: &mut Frame<'p>) -> Sym {
        let Some(heap) = f.snapshots.get(label).cloned() else {
            return self.eval(e, f);
        };
        // The expression is evaluated in the older heap, which is then replaced by the current
        // one.
        let now = std::mem::replace(&mut self.heap, heap);
        let value = self.eval(e, f);
        self.heap = now;
        value
    }

    /// Assumes the condition of an `assume` within an expression. The interpreter validates all
    /// other checks; compiled code does not execute them.
    fn assume_check(&mut self, check: Check, clause: &Clause, f: &mut Frame<'p>) {
        match check {
            Check::Assert
            | Check::Termination
            | Check::Type
            | Check::Result
            | Check::Decreases
            | Check::Reads
            | Check::Allocated
            | Check::Application
            | Check::Aliasing
            | Check::Case
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
            self.work.exhausted = true;
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
                if self.work.nesting > super::MAX_NESTING {
                    self.cross(super::BoundKind::Inline);
                    return self.any(ty);
                }
                let value = self.run_lambda(*lambda, captures, type_args, &[], ty);
                self.work.nesting += 1;
                let computed = self.look(&value, ty);
                self.work.nesting -= 1;
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
        if let Some(v) = self.calls.constants.get(&key).filter(|_| object.is_none()) {
            return v.clone();
        }
        if self.work.nesting > super::MAX_NESTING {
            return self.unsupported(Unencoded::DeepConstants, ty);
        }
        self.work.nesting += 1;
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
        self.work.nesting -= 1;
        self.require(defined);
        if is_static {
            self.calls.constants.insert(key, value.clone());
        }
        value
    }
}

/// Replaces the type parameters of the frame's callable in type arguments.
fn instantiate(type_args: &[Type], f: &Frame) -> Vec<Type> {
    type_args.iter().map(|t| t.subst(&f.subst)).collect()
}
