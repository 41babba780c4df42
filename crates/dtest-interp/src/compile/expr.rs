//! Compilation of expressions: each leaves one word on the stack.
//!
//! `Compiler::expr` is the entry point. Short-circuit operators and conditionals become jumps;
//! calls in compiled code are preceded by a check of the precondition. Operators get the most
//! specific instruction that their operand types allow.

use super::Compiler;
use crate::code::{CodeKey, Ins, Mode, Target};
use crate::types::dispatches;
use crate::word::Word;
use dafny_resolve::typed::{self, ArrowKind, CallableId, FieldKind, Literal, Type, TypeDeclKind};
use dafny_source::Name;
use dtest_ir::reason::{NoValue, Unbounded};
use dtest_ir::{self as ir, Coll, Criterion, Expr, ExprKind, Num, Op};
use dtest_value::{Value, deeper};

impl<'p> Compiler<'p> {
    pub(super) fn exprs(&mut self, exprs: &'p [Expr]) {
        for e in exprs {
            self.expr(e);
        }
    }

    pub(super) fn expr(&mut self, e: &'p Expr) {
        deeper(|| self.expr_here(e));
    }

    fn expr_here(&mut self, e: &'p Expr) {
        let outer = std::mem::replace(&mut self.span, e.span);
        match &e.kind {
            // Each construct leaves exactly one word on the stack.
            ExprKind::Literal(l) => {
                let word = self.literal(l, &e.ty);
                self.push(word);
            }
            ExprKind::Var(v) => {
                let slot = self.slot(*v);
                self.emit(Ins::Load(slot));
            }
            ExprKind::Op(op, args) => self.op(op, args, e),
            ExprKind::And(a, b) => self.short_circuit(a, b, Ins::AndLeft, Ins::AndEnd),
            ExprKind::Or(a, b) => self.short_circuit(a, b, Ins::OrLeft, Ins::OrEnd),
            ExprKind::Implies(a, b) => self.short_circuit(a, b, Ins::ImpliesLeft, Ins::ImpliesEnd),
            ExprKind::If(c, a, b) => {
                let (els, end) = (self.label(), self.label());
                self.expr(c);
                self.emit(Ins::If { els, end });
                self.expr(a);
                self.emit(Ins::Jump(end));
                self.place(els);
                self.expr(b);
                self.place(end);
            }
            ExprKind::Let(v, value, body) => {
                self.expr(value);
                let slot = self.slot(*v);
                self.emit(Ins::Store(slot));
                self.expr(body);
            }
            // A choice runs its search inline; `Chosen` then assigns the values found.
            ExprKind::LetSuchThat(q, body) => {
                let choice = self.search(q);
                self.emit(Ins::Chosen(choice));
                self.expr(body);
            }
            ExprKind::IfSuchThat(q, a, b) => {
                let (els, end) = (self.label(), self.label());
                let choice = self.search(q);
                self.emit(Ins::ChosenOr { choice, els, end });
                self.expr(a);
                self.emit(Ins::Jump(end));
                self.place(els);
                self.expr(b);
                self.place(end);
            }
            ExprKind::Call {
                callee,
                type_args,
                args,
                label,
            } => {
                self.arguments(*callee, args);
                let site = self.site(Target::Function(*callee), type_args, args.len());
                self.in_state(*callee, label.as_ref(), site);
                self.precondition(*callee, site);
                self.emit(Ins::Call(site));
            }
            ExprKind::Const {
                field,
                type_args,
                object,
            } => self.constant(*field, type_args, object.as_deref()),
            // A function value of a partial arrow type is applied only after a check of its
            // precondition.
            ExprKind::Apply(f, args) => {
                self.expr(f);
                self.exprs(args);
                let total = matches!(
                    self.program.typed.strip_subset(&f.ty),
                    Type::Arrow {
                        kind: ArrowKind::Total,
                        ..
                    }
                );
                if !total && self.checks_calls() {
                    self.emit(Ins::ApplyPre(args.len() as u32));
                    self.emit(Ins::ApplyCheck);
                }
                self.emit(Ins::Apply(args.len() as u32));
            }
            ExprKind::Lambda { lambda, captures } => {
                self.exprs(captures);
                self.emit(Ins::Closure {
                    lambda: *lambda,
                    captures: captures.len() as u32,
                });
            }
            ExprKind::Delay { lambda, captures } => {
                self.exprs(captures);
                self.emit(Ins::Delay {
                    lambda: *lambda,
                    captures: captures.len() as u32,
                });
            }
            ExprKind::FunctionRef {
                callee,
                type_args,
                receiver,
            } => {
                self.arguments(
                    *callee,
                    receiver.as_deref().map_or(&[], std::slice::from_ref),
                );
                let site = self.site(Target::Function(*callee), type_args, 0);
                self.emit(Ins::Named {
                    site,
                    receiver: receiver.is_some(),
                });
            }
            ExprKind::Quantifier { forall, vars, body } => self.quantifier(*forall, vars, body),
            ExprKind::SetComp(q, term) => {
                self.push(Word::of(Value::set([])));
                self.comprehension(q, Unbounded::SetComprehension, |c| {
                    c.expr(term);
                    c.emit(Ins::SetInsert);
                });
                self.settle(&e.ty);
            }
            ExprKind::MapComp(q, key, value) => {
                self.push(Word::of(Value::map([])));
                self.comprehension(q, Unbounded::MapComprehension, |c| {
                    c.expr(key);
                    c.expr(value);
                    c.emit(Ins::MapInsert);
                });
                self.settle(&e.ty);
            }
            ExprKind::ReadField(o, f) => {
                self.expr(o);
                self.emit(Ins::ReadField(*f));
            }
            ExprKind::ReadElement(a, indices) => {
                self.expr(a);
                self.exprs(indices);
                self.emit(Ins::ReadElement(indices.len() as u32));
            }
            ExprKind::Old(label, inner) => {
                let state = self.state(label.as_ref());
                self.emit(Ins::PushHeap(state));
                self.expr(inner);
                self.emit(Ins::PopHeap);
            }
            ExprKind::Fresh(label, inner) => {
                let state = self.state(label.as_ref());
                self.expr(inner);
                self.emit(Ins::Fresh(state));
            }
            ExprKind::Allocated(inner) => {
                self.expr(inner);
                self.emit(Ins::Allocated);
            }
            // The accumulator is true, and each part of the frame can only make it false or
            // unknown.
            ExprKind::Unchanged(label, frames) => {
                let label = self.state(label.as_ref());
                self.emit(Ins::PushBool(true));
                for f in frames {
                    match &f.object {
                        Some(o) => {
                            self.expr(o);
                            self.not_null(&o.ty);
                            self.emit(Ins::Unchanged {
                                label,
                                field: f.field,
                            });
                        }
                        None => {
                            self.emit(Ins::Pop);
                            self.unknown(Unbounded::Unchanged);
                        }
                    }
                }
            }
            ExprKind::Convert(inner) => {
                self.expr(inner);
                self.convert(&inner.ty, &e.ty);
            }
            ExprKind::Is(inner, ty) => {
                self.expr(inner);
                self.is_type(&inner.ty, ty);
            }
            // The condition is checked first, as ghost code with the place of its clause; the value
            // follows.
            ExprKind::Checked(ir::Check::Result, _, inner) if !self.with.check_specifications => {
                self.expr(inner);
            }
            ExprKind::Checked(check, clause, inner) => {
                self.ghost(|c| c.expr(&clause.cond));
                let here = std::mem::replace(&mut self.span, clause.span);
                let ins = match check {
                    ir::Check::Assert => Ins::Assert(ir::AssertKind::Assert),
                    ir::Check::Termination => Ins::Assert(ir::AssertKind::Termination),
                    ir::Check::Type | ir::Check::Result => {
                        Ins::Assert(ir::AssertKind::TypeConstraint)
                    }
                    ir::Check::Decreases => Ins::Assert(ir::AssertKind::Decreases),
                    ir::Check::Reads => Ins::Assert(ir::AssertKind::Reads),
                    ir::Check::Allocated => Ins::Assert(ir::AssertKind::Allocated),
                    ir::Check::Application => Ins::Assert(ir::AssertKind::Application),
                    ir::Check::Aliasing => Ins::Assert(ir::AssertKind::Aliasing),
                    ir::Check::Case => Ins::Assert(ir::AssertKind::MissingCase),
                    ir::Check::Unique => Ins::Assert(ir::AssertKind::Unique),
                    ir::Check::Constructor => Ins::Assert(ir::AssertKind::Constructor),
                    ir::Check::Precondition(of_callee) => {
                        self.code.clauses.push(*of_callee);
                        Ins::Precondition(self.code.clauses.len() as u32 - 1)
                    }
                    ir::Check::WellFormed => Ins::WellFormed,
                    ir::Check::Assume => Ins::Assume,
                };
                self.emit(ins);
                self.span = here;
                self.expr(inner);
            }
            ExprKind::OfContract {
                callee,
                part,
                type_args,
                args,
            } => {
                self.arguments(*callee, args);
                let code = match *part {
                    ir::ContractPart::Requires(i) => CodeKey::Requires(*callee, i as usize),
                    ir::ContractPart::Measure(i) => CodeKey::Measure(*callee, i as usize),
                    ir::ContractPart::Modifies(i) => CodeKey::Modified(*callee, i as usize),
                    ir::ContractPart::Reads(i) => CodeKey::Read(*callee, i as usize),
                    ir::ContractPart::Ensures(i) => CodeKey::Ensures(*callee, i as usize),
                };
                // Postconditions over results that a caller does not have are evaluated with
                // unknown results.
                let mut argc = args.len();
                if let ir::ContractPart::Ensures(_) = part {
                    let outs = self.program.typed[*callee].outs.len();
                    for _ in 0..outs {
                        self.push(Word::unknown(NoValue::LemmaResult));
                    }
                    argc += outs;
                }
                let site = self.site(Target::Code(code), type_args, argc);
                self.emit(Ins::Call(site));
            }
            ExprKind::Unsupported(reason) => self.unknown(reason.clone()),
        }
        self.span = outer;
    }

    fn literal(&self, l: &Literal, ty: &Type) -> Word {
        let value = match l {
            Literal::Bool(b) => Value::Bool(*b),
            // The type of a number literal determines its representation.
            Literal::Int(n) => {
                let rep = self.program.typed.representation(ty);
                if let Type::Bv(width) = rep {
                    Value::Bv {
                        width,
                        bits: n.magnitude().clone(),
                    }
                } else if rep == Type::Ordinal {
                    Value::Ordinal(n.magnitude().clone())
                } else if rep == Type::Real {
                    Value::Real(n.clone().into())
                } else {
                    Value::Int(n.clone())
                }
            }
            Literal::Real(r) => Value::Real(dtest_value::real::of_literal(r)),
            Literal::Char(c) => Value::Char(*c),
            Literal::String(cs) => Value::seq(cs.iter().map(|c| Value::Char(*c))),
            Literal::Null => Value::Null,
        };
        Word::of(value)
    }

    fn short_circuit(&mut self, a: &'p Expr, b: &'p Expr, left: impl Fn(u32) -> Ins, end_ins: Ins) {
        let end = self.label();
        self.expr(a);
        self.emit(left(end));
        self.expr(b);
        self.emit(end_ins);
        self.place(end);
    }

    /// Whether a collection of the type compares elements or keys that may contain functions.
    fn compares_functions(&self, ty: &Type) -> bool {
        let typed = &self.program.typed;
        match typed.representation(ty) {
            Type::Set { elem, .. } | Type::Multiset(elem) | Type::Seq(elem) => {
                typed.may_hold_functions(&elem)
            }
            Type::Map { key, .. } => typed.may_hold_functions(&key),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    /// Makes a collection unknown if the equality of its elements or keys is undecided.
    fn settle(&mut self, ty: &Type) {
        if self.compares_functions(ty) {
            let ty = self.ty(ty.clone());
            self.emit(Ins::Settle(ty));
        }
    }

    /// Whether two values of a trait may have different newtypes.
    fn may_hide_newtypes(&self, ty: &Type) -> bool {
        let typed = &self.program.typed;
        match typed.strip_subset(ty) {
            Type::Named { decl, args, .. }
                if matches!(
                    typed[decl].kind,
                    TypeDeclKind::Trait {
                        is_reference: false
                    }
                ) =>
            {
                // With a single newtype, no confusion is possible.
                typed.implementing_newtypes(decl, &args).len() > 1
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
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    fn op(&mut self, op: &Op, args: &'p [Expr], e: &'p Expr) {
        // The function argument is applied once for each index, so it is no plain operand.
        if let (Op::SeqInit, [n, f]) = (op, args) {
            return self.seq_init(n, f);
        }
        self.exprs(args);
        let argc = args.len() as u32;
        match op {
            // Equality needs the most specific instruction: codatatypes may be infinite, traits
            // hide newtypes, and functions are compared only if identical.
            Op::Not => self.emit(Ins::Not),
            Op::Eq | Op::Ne
                if args
                    .first()
                    .is_some_and(|a| self.program.typed.may_hold_codatatypes(&a.ty)) =>
            {
                self.emit(Ins::SameDeeply {
                    negate: matches!(op, Op::Ne),
                });
            }
            Op::Eq | Op::Ne if args.first().is_some_and(|a| self.may_hide_newtypes(&a.ty)) => {
                self.emit(Ins::SameSeen {
                    negate: matches!(op, Op::Ne),
                });
            }
            Op::PrefixEq => self.emit(Ins::PrefixEq),
            // Destructors of codatatypes evaluate the delayed value first.
            Op::Destruct(field) if self.program.typed.is_codatatype_field(*field) => {
                self.emit(Ins::Force);
                self.emit(Ins::Look(*field));
            }
            Op::Eq | Op::Ne => {
                let functions = args
                    .first()
                    .is_some_and(|a| self.program.typed.may_hold_functions(&a.ty));
                self.emit(match (op, functions) {
                    (Op::Eq, false) => Ins::Same,
                    (_, false) => Ins::Differ,
                    (_, true) => Ins::SameFunctions {
                        negate: matches!(op, Op::Ne),
                    },
                });
            }
            // Frequent operations on integers have instructions of their own.
            Op::Add(Num::Int) => self.emit(Ins::AddInt),
            Op::Sub(Num::Int) => self.emit(Ins::SubInt),
            Op::Mul(Num::Int) => self.emit(Ins::MulInt),
            Op::Lt(Num::Int) => self.emit(Ins::LtInt),
            Op::Le(Num::Int) => self.emit(Ins::LeInt),
            Op::FunctionRequires => self.emit(Ins::ApplyRequires(argc.saturating_sub(1))),
            Op::FunctionReads => self.emit(Ins::ApplyReads(argc.saturating_sub(1))),
            other @ (Op::Neg(_)
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
            | Op::OrdinalIsNat
            | Op::Display(_)
            | Op::Cardinality(_)
            | Op::In(_)
            | Op::Union(_)
            | Op::Intersect(_)
            | Op::Difference(_)
            | Op::Disjoint(_)
            | Op::SubsetEq(_)
            | Op::Subset(_)
            | Op::Select(_)
            | Op::Update(_)
            | Op::Slice
            | Op::ArraySlice
            | Op::ArrayLength(_)
            | Op::MultisetOf(_)
            | Op::Keys
            | Op::Values
            | Op::Items
            | Op::SeqInit
            | Op::Tuple
            | Op::TupleField(_)
            | Op::Construct(_)
            | Op::CtorTest(_)
            | Op::Destruct(_)
            | Op::Below) => {
                if matches!(other, Op::CtorTest(ctor) if self.program.typed.is_codatatype(self.program.typed[*ctor].datatype))
                {
                    self.emit(Ins::Force);
                }
                self.code.ops.push(other.clone());
                let op = self.code.ops.len() as u32 - 1;
                // The same holds for operators that compare parts of collections.
                let compared = args
                    .iter()
                    .map(|a| &a.ty)
                    .chain([&e.ty])
                    .find(|ty| compares_parts(other) && self.compares_functions(ty));
                match compared.cloned() {
                    Some(ty) => {
                        let ty = self.ty(ty);
                        self.emit(Ins::OpOnFunctions { op, argc, ty });
                    }
                    None => self.emit(Ins::Op { op, argc }),
                }
            }
        }
        // The result of arithmetic must satisfy the constraints of its newtype.
        if let Op::Neg(_) | Op::Add(_) | Op::Sub(_) | Op::Mul(_) | Op::Div(_) | Op::Mod(_) = op {
            let newtype = self.program.typed.strip_subset(&e.ty);
            self.check_layers(&newtype, &Type::Error);
        }
    }

    /// Compiles the arguments of a call. A receiver that selects the implementation is computed
    /// first if it is lazy.
    pub(super) fn arguments(&mut self, callee: CallableId, args: &'p [Expr]) {
        let contract = self.program.contracts.get(&callee);
        for (i, e) in args.iter().enumerate() {
            let param = contract.and_then(|c| c.vars.get(c.params.get(i)?.0 as usize));
            // Ghost arguments are evaluated as ghost code, whose failures do not matter here.
            if param.is_some_and(|p| p.ghost) {
                self.ghost(|c| c.expr(e));
            } else {
                self.expr(e);
            }
            let is_receiver = i == 0 && {
                let c = &self.program.typed[callee];
                !c.is_static && c.owner.is_some()
            };
            if is_receiver {
                // A receiver must not be null, whatever the callee does with it.
                self.not_null(&e.ty);
            }
            // Dynamic dispatch looks at the constructor, so a delayed receiver is computed first.
            if i == 0
                && dispatches(&self.program.typed, callee)
                && self.program.typed.may_hold_codatatypes(&e.ty)
            {
                self.emit(Ins::Force);
            }
        }
    }

    /// Fails if the object on the stack is null, or if a collection of objects of this type
    /// contains null.
    fn not_null(&mut self, ty: &Type) {
        let typed = &self.program.typed;
        let ty = typed.strip_subset(ty);
        // The elements of a collection of objects are checked as well.
        let object = if let Type::Set { elem, .. } | Type::Seq(elem) | Type::Multiset(elem) = &ty {
            typed.strip_subset(elem)
        } else {
            ty
        };
        if let Type::Named { nullable: true, .. }
        | Type::Array { nullable: true, .. }
        | Type::Object { nullable: true } = object
        {
            self.emit(Ins::NonNull);
        }
    }

    /// Records the earlier state for the call of a two-state callable.
    pub(super) fn in_state(&mut self, callee: CallableId, label: Option<&Name>, site: u32) {
        if !self.program.typed[callee].is_two_state && label.is_none() {
            return;
        }
        let state = self.state(label);
        if let Some(s) = self.code.sites.get_mut(site as usize) {
            s.label = Some(state);
        }
    }

    /// Whether the code checks the preconditions of what it calls.
    fn checks_calls(&self) -> bool {
        self.with.check_calls
            && (self.code.mode == Mode::Compiled || self.with.check_specifications)
    }

    /// Compiles the check of a call's precondition.
    pub(super) fn precondition(&mut self, callee: CallableId, site: u32) {
        let count = self
            .program
            .contracts
            .get(&callee)
            .map_or(0, |c| c.requires.len());
        if count == 0 || !self.checks_calls() {
            return;
        }
        if !self.program.criteria.has(Criterion::Obligation) {
            self.budgeted(|c| c.emit(Ins::CallPre { site, part: None }));
            return self.emit(Ins::PreCheck { site, part: None });
        }
        // Every precondition is an obligation of its own.
        for part in (0..count as u32).map(Some) {
            let caught = self.label();
            self.emit(Ins::Try(caught));
            self.budgeted(|c| c.emit(Ins::CallPre { site, part }));
            self.emit(Ins::Untry);
            self.place(caught);
            self.emit(Ins::PreCheck { site, part });
        }
    }

    fn constant(&mut self, field: typed::FieldId, type_args: &[Type], object: Option<&'p Expr>) {
        if let Some(o) = object {
            self.expr(o);
            self.not_null(&o.ty);
        }
        if self.program.constants.contains_key(&field) {
            let site = self.site(
                Target::Code(CodeKey::Constant(field)),
                type_args,
                usize::from(object.is_some()),
            );
            self.emit(Ins::Call(site));
        } else if self.reads_heap(object, field) {
            self.emit(Ins::ReadField(field));
        } else {
            // A constant without a value has an arbitrary value of its type.
            if object.is_some() {
                self.emit(Ins::Pop);
            }
            let declared = &self.program.typed[field];
            let map = declared
                .owner
                .map(|o| self.program.typed.substitution(o, type_args))
                .unwrap_or_default();
            let ty = self.ty(declared.ty.subst(&map));
            self.emit(Ins::AnyConstant { field, ty });
        }
    }

    /// Whether a constant without an initial value is stored in an object.
    fn reads_heap(&self, object: Option<&Expr>, field: typed::FieldId) -> bool {
        let stored = !matches!(self.program.typed[field].kind, FieldKind::Destructor(_));
        stored && object.is_some_and(|o| self.program.typed.is_reference(&o.ty))
    }
}

/// Whether an operator compares elements or keys of its operands or result.
fn compares_parts(op: &Op) -> bool {
    matches!(
        op,
        Op::Display(Coll::Set | Coll::Multiset | Coll::Map)
            | Op::In(_)
            | Op::Union(Coll::Set | Coll::Multiset | Coll::Map)
            | Op::Intersect(_)
            | Op::Difference(_)
            | Op::Disjoint(_)
            | Op::SubsetEq(_)
            | Op::Subset(_)
            | Op::Select(Coll::Multiset | Coll::Map)
            | Op::Update(Coll::Multiset | Coll::Map)
            | Op::MultisetOf(_)
            | Op::Keys
            | Op::Values
            | Op::Items
    )
}
