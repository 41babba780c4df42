//! From IR expressions to flat code.
//!
//! Every expression leaves one word on the stack. Short-circuit operators and conditionals are jumps,
//! comprehensions are loops over iterators with an accumulator, so that nothing nests on the host's stack
//! while code runs. (Compilation itself recurses over the expression, which is as deep as the source.)

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::code::{Code, CodeKey, Ins, IterKind, IterSite, Mode, Range, Site, Target, TypeArgs};
use super::word::Word;
use crate::ir::{self, Domain, Expr, ExprKind, Num, Op, Quantified, Var, VarInfo};
use crate::source::{Name, Span};
use crate::typed::{self, CallableId, FieldKind, Literal, Type, TypeDeclKind, TypeId, TypeParamId};
use crate::value::{Value, deeper};

/// Compiles one piece of code.
pub(super) struct Compiler<'p> {
    pub(super) program: &'p ir::Program,
    pub(super) code: Code,
    pub(super) check_calls: bool,
    vars: &'p [VarInfo],
    slots: FxHashMap<Var, u32>,
    /// Positions of labels; jumps hold label numbers until [`Compiler::finish`].
    labels: Vec<u32>,
    pub(super) span: Span,
}

impl<'p> Compiler<'p> {
    pub(super) fn new(program: &'p ir::Program, type_params: &[TypeParamId], vars: &'p [VarInfo], params: &[Var], mode: Mode) -> Self {
        let code = Code {
            ins: Vec::new(),
            spans: Vec::new(),
            slots: 0,
            params: params.len() as u32,
            type_params: type_params.to_vec(),
            mode,
            needs_entry: false,
            consts: Vec::new(),
            ops: Vec::new(),
            types: Vec::new(),
            names: Vec::new(),
            sites: Vec::new(),
            iters: Vec::new(),
            choices: Vec::new(),
            ranges: Vec::new(),
            blocks: Vec::new(),
            alternatives: Vec::new(),
            slot_names: Vec::new(),
        };
        let mut compiler =
            Self { program, code, check_calls: false, vars, slots: FxHashMap::default(), labels: Vec::new(), span: Span::default() };
        for p in params {
            // a parameter that is listed twice would otherwise shift those after it
            let slot = compiler.temp();
            compiler.slots.insert(*p, slot);
            compiler.name_slot(slot, *p);
        }
        compiler
    }

    fn name_slot(&mut self, slot: u32, var: Var) {
        let known = self.vars.get(var.0 as usize).map(|v| (v.name.clone(), v.ty.clone()));
        if let (Some(place), Some(known)) = (self.code.slot_names.get_mut(slot as usize), known) {
            *place = known;
        }
    }

    /// A fresh slot.
    pub(super) fn temp(&mut self) -> u32 {
        self.code.slots += 1;
        self.code.slot_names.push((Name::from("a temporary"), Type::Error));
        self.code.slots - 1
    }

    pub(super) fn slot(&mut self, var: Var) -> u32 {
        if let Some(s) = self.slots.get(&var) {
            return *s;
        }
        let slot = self.temp();
        self.slots.insert(var, slot);
        self.name_slot(slot, var);
        slot
    }

    pub(super) fn var_type(&self, var: Var) -> Type {
        self.vars.get(var.0 as usize).map_or(Type::Error, |v| v.ty.clone())
    }

    pub(super) fn emit(&mut self, ins: Ins) {
        self.code.ins.push(ins);
        self.code.spans.push(self.span);
    }

    pub(super) fn label(&mut self) -> u32 {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    pub(super) fn place(&mut self, label: u32) {
        if let Some(l) = self.labels.get_mut(label as usize) {
            *l = self.code.ins.len() as u32;
        }
    }

    pub(super) fn here(&mut self) -> u32 {
        let label = self.label();
        self.place(label);
        label
    }

    /// Puts positions in the place of labels.
    pub(super) fn finish(mut self) -> Code {
        let at = |label: u32| self.labels.get(label as usize).copied().unwrap_or(u32::MAX);
        for ins in &mut self.code.ins {
            for t in ins.targets() {
                *t = at(*t);
            }
        }
        for site in &mut self.code.iters {
            site.unknown = at(site.unknown);
        }
        super::liveness::move_last_uses(&mut self.code);
        self.code
    }

    pub(super) fn name(&mut self, name: impl Into<Name>) -> u32 {
        self.code.names.push(name.into());
        self.code.names.len() as u32 - 1
    }

    pub(super) fn ty(&mut self, ty: Type) -> u32 {
        self.code.types.push(ty);
        self.code.types.len() as u32 - 1
    }

    pub(super) fn push(&mut self, word: Word) {
        match word {
            Word::Int(n) => self.emit(Ins::PushInt(n)),
            Word::Bool(b) => self.emit(Ins::PushBool(b)),
            other @ (Word::Unset
            | Word::Unknown(_)
            | Word::Char(_)
            | Word::Seq(_)
            | Word::Set(_)
            | Word::Multiset(_)
            | Word::Map(_)
            | Word::Tuple(_)
            | Word::Datatype(_)
            | Word::Null
            | Word::Ref(_)
            | Word::Function(_)
            | Word::Boxed(_)) => {
                self.code.consts.push(other);
                self.emit(Ins::Push(self.code.consts.len() as u32 - 1));
            }
        }
    }

    pub(super) fn unknown(&mut self, reason: impl Into<String>) {
        self.push(Word::unknown(reason));
    }

    /// A label as an operand: 0 is the entry, others are names plus one.
    pub(super) fn state(&mut self, label: Option<&Name>) -> u32 {
        match label {
            None => {
                self.code.needs_entry = true;
                0
            }
            Some(name) => self.name(name.clone()) + 1,
        }
    }

    pub(super) fn site(&mut self, target: Target, type_args: &[Type], argc: usize) -> u32 {
        let type_args = self.type_args(type_args);
        self.code.sites.push(Site { target, type_args, argc: argc as u32, label: None });
        self.code.sites.len() as u32 - 1
    }

    fn type_args(&self, types: &[Type]) -> TypeArgs {
        let own = &self.code.type_params;
        if !types.is_empty() && types.len() == own.len() && types.iter().zip(own).all(|(t, p)| *t == Type::Param(*p)) {
            TypeArgs::Same
        } else if types.iter().any(mentions_param) {
            TypeArgs::Open(types.to_vec())
        } else {
            TypeArgs::Fixed(Rc::from(types))
        }
    }

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
            ExprKind::Call { callee, type_args, args, label } => {
                self.exprs(args);
                let site = self.site(Target::Function(*callee), type_args, args.len());
                let two_state = self.program.typed[*callee].kind == typed::CallableKind::TwostateFunction;
                if two_state || label.is_some() {
                    let state = self.state(label.as_ref());
                    if let Some(s) = self.code.sites.get_mut(site as usize) {
                        s.label = Some(state);
                    }
                }
                self.precondition(*callee, site);
                self.emit(Ins::Call(site));
            }
            ExprKind::Const { field, type_args, object } => self.constant(*field, type_args, object.as_deref()),
            ExprKind::Apply(f, args) => {
                self.expr(f);
                self.exprs(args);
                self.emit(Ins::Apply(args.len() as u32));
            }
            ExprKind::Lambda { lambda, captures } => {
                self.exprs(captures);
                self.emit(Ins::Closure { lambda: *lambda, captures: captures.len() as u32 });
            }
            ExprKind::FunctionRef { callee, type_args, receiver } => {
                if let Some(r) = receiver {
                    self.expr(r);
                }
                let site = self.site(Target::Function(*callee), type_args, 0);
                self.emit(Ins::Named { site, receiver: receiver.is_some() });
            }
            ExprKind::Quantifier { forall, vars, body } => self.quantifier(*forall, vars, body),
            ExprKind::SetComp(q, term) => {
                self.push(Word::of(Value::set([])));
                self.comprehension(q, "set comprehension", |c| {
                    c.expr(term);
                    c.emit(Ins::SetInsert);
                });
            }
            ExprKind::MapComp(q, key, value) => {
                self.push(Word::of(Value::map([])));
                self.comprehension(q, "map comprehension", |c| {
                    c.expr(key);
                    c.expr(value);
                    c.emit(Ins::MapInsert);
                });
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
            ExprKind::Unchanged(label, frames) => {
                let label = self.state(label.as_ref());
                self.emit(Ins::PushBool(true));
                for f in frames {
                    match &f.object {
                        Some(o) => {
                            self.expr(o);
                            self.emit(Ins::Unchanged { label, field: f.field });
                        }
                        None => {
                            self.emit(Ins::Pop);
                            self.unknown("unchanged(*)");
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
                self.has_type(ty);
            }
            ExprKind::Checked(clause, inner) => {
                self.expr(&clause.cond);
                let here = std::mem::replace(&mut self.span, clause.span);
                self.emit(Ins::Assert(ir::AssertKind::Assert));
                self.span = here;
                self.expr(inner);
            }
            ExprKind::Unsupported(reason) => self.unknown(reason.clone()),
        }
        self.span = outer;
    }

    fn literal(&self, l: &Literal, ty: &Type) -> Word {
        let value = match l {
            Literal::Bool(b) => Value::Bool(*b),
            Literal::Int(n) => match self.program.typed.representation(ty) {
                Type::Bv(width) => Value::Bv { width, bits: n.magnitude().clone() },
                Type::Ordinal => Value::Ordinal(n.magnitude().clone()),
                Type::Real => Value::Real(n.clone().into()),
                _integers => Value::Int(n.clone()),
            },
            Literal::Real(r) => Value::Real(r.clone()),
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

    fn op(&mut self, op: &Op, args: &'p [Expr], e: &'p Expr) {
        if let (Op::SeqInit, [n, f]) = (op, args) {
            return self.seq_init(n, f);
        }
        self.exprs(args);
        let argc = args.len() as u32;
        match op {
            Op::Not => self.emit(Ins::Not),
            Op::Eq => self.emit(Ins::Same),
            Op::Ne => self.emit(Ins::Differ),
            Op::Add(Num::Int) => self.emit(Ins::AddInt),
            Op::Sub(Num::Int) => self.emit(Ins::SubInt),
            Op::Mul(Num::Int) => self.emit(Ins::MulInt),
            Op::Lt(Num::Int) => self.emit(Ins::LtInt),
            Op::Le(Num::Int) => self.emit(Ins::LeInt),
            Op::FunctionRequires => self.emit(Ins::ApplyRequires(argc.saturating_sub(1))),
            Op::FunctionReads => self.emit(Ins::ApplyReads(argc.saturating_sub(1))),
            other => {
                self.code.ops.push(other.clone());
                self.emit(Ins::Op { op: self.code.ops.len() as u32 - 1, argc });
            }
        }
        if let Op::Neg(_) | Op::Add(_) | Op::Sub(_) | Op::Mul(_) | Op::Div(_) | Op::Mod(_) = op {
            let newtype = self.program.typed.strip_subset(&e.ty);
            self.check_layers(&newtype, &Type::Error);
        }
    }

    /// `seq(n, f)`: a loop that appends.
    fn seq_init(&mut self, n: &'p Expr, f: &'p Expr) {
        let (index, length, function, done) = (self.temp(), self.temp(), self.temp(), self.label());
        self.expr(n);
        self.emit(Ins::CheckLength);
        self.emit(Ins::Store(length));
        self.expr(f);
        self.emit(Ins::Store(function));
        self.push(Word::of(Value::seq([])));
        self.emit(Ins::PushInt(0));
        self.emit(Ins::Load(length));
        self.iter(IterKind::Ints, 0, done);
        let next = self.here();
        self.emit(Ins::IterNext { slot: index, done });
        self.emit(Ins::Load(function));
        self.emit(Ins::Load(index));
        self.emit(Ins::Apply(1));
        self.emit(Ins::SeqPush);
        self.emit(Ins::Jump(next));
        self.place(done);
    }

    pub(super) fn iter(&mut self, kind: IterKind, depth: u32, unknown: u32) {
        self.code.iters.push(IterSite { kind, depth, unknown });
        self.emit(Ins::IterNew(self.code.iters.len() as u32 - 1));
    }

    /// The check of a call's precondition, in compiled code.
    pub(super) fn precondition(&mut self, callee: CallableId, site: u32) {
        let has = self.program.contracts.get(&callee).is_some_and(|c| !c.requires.is_empty());
        if has && self.check_calls && self.code.mode == Mode::Compiled {
            self.emit(Ins::CallPre(site));
            self.emit(Ins::PreCheck(site));
        }
    }

    fn constant(&mut self, field: typed::FieldId, type_args: &[Type], object: Option<&'p Expr>) {
        if let Some(o) = object {
            self.expr(o);
        }
        if self.program.constants.contains_key(&field) {
            let site = self.site(Target::Code(CodeKey::Constant(field)), type_args, usize::from(object.is_some()));
            self.emit(Ins::Call(site));
        } else if object.is_some() && !matches!(self.program.typed[field].kind, FieldKind::Destructor(_)) {
            self.emit(Ins::ReadField(field));
        } else {
            let name = self.program.typed[field].name.clone();
            if object.is_some() {
                self.emit(Ins::Pop);
            }
            self.unknown(format!("constant `{name}` without a value"));
        }
    }

    fn quantifier(&mut self, forall: bool, q: &'p Quantified, body: &'p Expr) {
        let (exit, end) = (self.label(), self.label());
        let probe = q.bounds.is_none();
        let probes: Option<Vec<(Var, IterKind)>> = if probe { self.probes(q) } else { None };
        if probe && probes.is_none() {
            return self.unknown("unbounded quantifier");
        }
        let caught = self.label();
        self.emit(Ins::PushBool(forall));
        if probe {
            self.emit(Ins::Try(caught));
            self.emit(Ins::PushBool(forall));
        }
        let (done, next, depth) = match probes {
            Some(probes) => self.probe_loops(probes, end),
            None => self.loops(q, end),
        };
        // forall: range ==> body; exists: range && body
        match &q.range {
            None => self.expr(body),
            Some(range) if forall => self.short_circuit(range, body, Ins::ImpliesLeft, Ins::ImpliesEnd),
            Some(range) => self.short_circuit(range, body, Ins::AndLeft, Ins::AndEnd),
        }
        self.emit(Ins::Quantify { forall, exit });
        self.emit(Ins::Jump(next));
        self.place(exit);
        self.emit(Ins::PopIters(depth));
        self.place(done);
        self.place(end);
        if probe {
            self.emit(Ins::Untry);
            self.place(caught);
            self.emit(Ins::Nip);
            self.emit(Ins::ProbeEnd { forall });
        }
    }

    /// Probes for the variables of an unbounded quantifier, if they are few and of simple types.
    fn probes(&mut self, q: &'p Quantified) -> Option<Vec<(Var, IterKind)>> {
        if q.vars.len() > 3 {
            return None;
        }
        let mut probes = Vec::new();
        for v in &q.vars {
            let ty = self.var_type(*v);
            let simple = matches!(ty, Type::Int | Type::Bool | Type::Real)
                || matches!(&ty, Type::Named { decl, .. } if Some(*decl) == self.program.typed.nat)
                || matches!(&ty, Type::Seq(e) | Type::Set { elem: e, .. } if matches!(**e, Type::Int | Type::Bool));
            if !simple {
                return None;
            }
            probes.push((*v, IterKind::Probe(self.ty(ty))));
        }
        Some(probes)
    }

    fn probe_loops(&mut self, probes: Vec<(Var, IterKind)>, unknown: u32) -> (u32, u32, u32) {
        let done = self.label();
        let mut outer = done;
        let mut depth = 0;
        for (v, kind) in probes {
            self.iter(kind, depth, unknown);
            let slot = self.slot(v);
            let next = self.here();
            self.emit(Ins::IterNext { slot, done: outer });
            outer = next;
            depth += 1;
        }
        (done, outer, depth)
    }

    /// The nest of loops over candidates; the accumulator is on the stack. Gives the label after the nest,
    /// that of the next candidate, and the depth of the nest.
    pub(super) fn loops(&mut self, q: &'p Quantified, unknown: u32) -> (u32, u32, u32) {
        let done = self.label();
        let mut outer = done;
        let mut depth = 0;
        for (v, domain) in q.bounds.iter().flatten() {
            let kind = self.domain(domain, self.var_type(*v));
            self.iter(kind, depth, unknown);
            let slot = self.slot(*v);
            let next = self.here();
            self.emit(Ins::IterNext { slot, done: outer });
            outer = next;
            depth += 1;
            // candidates of a domain need not be of the variable's type
            let ty = self.var_type(*v);
            if self.has_constraint(&ty) {
                self.emit(Ins::Load(slot));
                self.has_type(&ty);
                self.emit(Ins::Guard { next, unknown, depth });
            }
        }
        if depth == 0 {
            // one candidate: nothing is bound
            self.emit(Ins::PushBool(true));
            self.iter(IterKind::Exact, 0, unknown);
            let slot = self.temp();
            let next = self.here();
            self.emit(Ins::IterNext { slot, done });
            return (done, next, 1);
        }
        (done, outer, depth)
    }

    fn domain(&mut self, domain: &'p Domain, ty: Type) -> IterKind {
        match domain {
            Domain::IntRange { low: Some(low), high: Some(high) } => {
                self.expr(low);
                self.expr(high);
                IterKind::Ints
            }
            Domain::IntRange { low: Some(low), high: None } => {
                self.expr(low);
                IterKind::Up
            }
            Domain::IntRange { low: None, high: Some(high) } => {
                self.expr(high);
                IterKind::Down
            }
            Domain::IntRange { low: None, high: None } => IterKind::Outward,
            Domain::Exact(e) => {
                self.expr(e);
                IterKind::Exact
            }
            Domain::Elements(e) => {
                self.expr(e);
                IterKind::Elements
            }
            Domain::SubsetsOf(e) => {
                self.expr(e);
                IterKind::Subsets
            }
            Domain::PrefixesOf(e) => {
                self.expr(e);
                IterKind::Prefixes
            }
            Domain::AllValues(t) => IterKind::AllValues(self.ty(t.clone())),
            Domain::SubtermsOf(e) => {
                self.expr(e);
                IterKind::Subterms(self.ty(ty))
            }
        }
    }

    /// Whether every variable of the nest has an end.
    fn is_finite(q: &Quantified) -> bool {
        let ends = |d: &Domain| !matches!(d, Domain::IntRange { low: None, .. } | Domain::IntRange { high: None, .. });
        q.bounds.as_ref().is_some_and(|b| b.iter().all(|(_, d)| ends(d)))
    }

    /// A loop that adds to the accumulator on the stack.
    fn comprehension(&mut self, q: &'p Quantified, what: &str, add: impl FnOnce(&mut Self)) {
        if !Self::is_finite(q) {
            self.emit(Ins::Pop);
            return self.unknown(format!("unbounded {what}"));
        }
        let end = self.label();
        let (done, next, depth) = self.loops(q, end);
        if let Some(range) = &q.range {
            self.expr(range);
            self.emit(Ins::Guard { next, unknown: end, depth });
        }
        add(self);
        self.emit(Ins::Jump(next));
        self.place(done);
        self.place(end);
    }

    /// A search for values of `:|`; leaves what was found as the accumulator.
    pub(super) fn search(&mut self, q: &'p Quantified) -> u32 {
        let slots: Vec<u32> = q.vars.iter().map(|v| self.slot(*v)).collect();
        self.code.choices.push(slots);
        let choice = self.code.choices.len() as u32 - 1;
        if q.bounds.is_none() {
            self.unknown("`:|` over values that cannot be enumerated");
            return choice;
        }
        self.emit(Ins::PushBool(false));
        let (exit, end) = (self.label(), self.label());
        let (done, next, depth) = self.loops(q, end);
        self.emit(Ins::Tick(exit));
        if let Some(range) = &q.range {
            self.expr(range);
            self.emit(Ins::Guard { next, unknown: end, depth });
        }
        self.emit(Ins::Found { choice, exit });
        self.emit(Ins::Jump(next));
        self.place(exit);
        self.emit(Ins::PopIters(depth));
        self.place(done);
        self.place(end);
        choice
    }

    /// Calls code that tells whether the word is of the type.
    pub(super) fn has_type(&mut self, ty: &Type) {
        if let Some(range) = self.range_of(ty) {
            self.code.ranges.push(range);
            return self.emit(Ins::TestRange(self.code.ranges.len() as u32 - 1));
        }
        let (exit, end) = (self.label(), self.label());
        let ty = self.ty(ty.clone());
        self.emit(Ins::TypeStart { ty, end });
        let next = self.here();
        // a constraint that fails to evaluate is unknown: its handler goes on after the `Untry`
        self.emit(Ins::TypeNext(end));
        self.emit(Ins::Untry);
        self.emit(Ins::Quantify { forall: true, exit });
        self.emit(Ins::Jump(next));
        self.place(exit);
        self.emit(Ins::PopIters(1));
        self.place(end);
    }

    /// `e as T`.
    fn convert(&mut self, from: &Type, to: &Type) {
        if from == to {
            return;
        }
        let typed = &self.program.typed;
        let (from_base, to_base) = (typed.representation(from), typed.representation(to));
        if from_base != to_base && is_basic(&to_base) {
            let ty = self.ty(to_base.clone());
            self.emit(Ins::Convert(ty));
        }
        self.check_layers(to, from);
    }

    /// Checks that the word on the stack is in `to`, knowing that it came from `from`.
    pub(super) fn check_layers(&mut self, to: &Type, from: &Type) {
        if let Some(range) = self.range_of(to) {
            self.code.ranges.push(range);
            return self.emit(Ins::CheckRange(self.code.ranges.len() as u32 - 1));
        }
        let basic = is_basic(&self.program.typed.representation(to));
        let open = !basic && *from != Type::Error && from != to;
        if self.has_constraint(to) || open {
            self.emit(Ins::Dup);
            self.has_type(to);
            let ty = self.ty(to.clone());
            self.emit(Ins::CheckType(ty));
        }
    }

    /// Whether the type itself, not what it holds, is constrained.
    fn has_constraint(&self, ty: &Type) -> bool {
        let Type::Named { decl, args, .. } = ty else { return false };
        match &self.program.typed[*decl].kind {
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                c.constraint.is_some()
                    || self.program.constraints.contains_key(decl)
                    || self.has_constraint(&c.base.subst(&self.program.typed.substitution(*decl, args)))
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => false,
        }
    }

    /// The range that a constrained type of integers is, where that is all its constraint says.
    fn range_of(&self, ty: &Type) -> Option<Range> {
        let mut bounds = (None, None);
        let mut layer = ty.clone();
        let mut any = false;
        loop {
            match &layer {
                Type::Int => break,
                Type::Named { decl, args, .. } => {
                    let base = match &self.program.typed[*decl].kind {
                        TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => &c.base,
                        TypeDeclKind::Datatype { .. }
                        | TypeDeclKind::Abstract
                        | TypeDeclKind::Class
                        | TypeDeclKind::Trait { .. }
                        | TypeDeclKind::Iterator(_) => return None,
                    };
                    if let Some(f) = self.program.constraints.get(decl) {
                        let [v] = f.params.as_slice() else { return None };
                        narrow(&f.body, *v, &mut bounds)?;
                        any = true;
                    }
                    layer = base.subst(&self.program.typed.substitution(*decl, args));
                }
                _other => return None,
            }
        }
        any.then(|| Range::new(bounds.0, bounds.1, ty.clone()))
    }
}

type Bounds = (Option<BigInt>, Option<BigInt>);

/// Adds a constraint of the form `low <= v && v < high` to the bounds; `None`: it is of another form.
fn narrow(e: &Expr, v: Var, bounds: &mut Bounds) -> Option<()> {
    let number = |e: &Expr| literal_int(e);
    let is_v = |e: &Expr| matches!(e.kind, ExprKind::Var(w) if w == v);
    match &e.kind {
        ExprKind::Literal(Literal::Bool(true)) => Some(()),
        ExprKind::And(a, b) => narrow(a, v, bounds).and_then(|()| narrow(b, v, bounds)),
        ExprKind::Op(op @ (Op::Lt(Num::Int) | Op::Le(Num::Int)), args) => {
            let strict = matches!(op, Op::Lt(_));
            let [a, b] = args.as_slice() else { return None };
            if is_v(a) {
                let high = number(b)? + i32::from(!strict);
                bounds.1 = Some(bounds.1.take().map_or(high.clone(), |h| h.min(high)));
            } else if is_v(b) {
                let low = number(a)? + i32::from(strict);
                bounds.0 = Some(bounds.0.take().map_or(low.clone(), |l| l.max(low)));
            } else {
                return None;
            }
            Some(())
        }
        _other => None,
    }
}

fn literal_int(e: &Expr) -> Option<BigInt> {
    match &e.kind {
        ExprKind::Literal(Literal::Int(n)) => Some(n.clone()),
        ExprKind::Op(Op::Neg(Num::Int), args) => args.first().and_then(literal_int).map(|n| -n),
        _other => None,
    }
}

/// Whether a representation is a basic type: what conversions compute on.
fn is_basic(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal)
}

/// Whether a type mentions a type parameter.
pub(super) fn mentions_param(ty: &Type) -> bool {
    match ty {
        Type::Param(_) => true,
        Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal | Type::Object { .. } | Type::Error => false,
        Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } | Type::Array { elem: e, .. } => mentions_param(e),
        Type::Map { key, value, .. } => mentions_param(key) || mentions_param(value),
        Type::Tuple(cs) => cs.iter().any(|(_, t)| mentions_param(t)),
        Type::Arrow { params, result, .. } => params.iter().any(mentions_param) || mentions_param(result),
        Type::Named { args, .. } => args.iter().any(mentions_param),
    }
}

/// Compiles what a key names; `None`: the program has no such thing.
pub(super) fn compile(program: &ir::Program, key: &CodeKey, check_calls: bool) -> Option<Code> {
    let function = |f: &ir::Function, mode: Mode| {
        let mut c = Compiler::new(program, &f.type_params, &f.vars, &f.params, mode);
        c.check_calls = check_calls;
        c.expr(&f.body);
        c.emit(Ins::Return(1));
        c.finish()
    };
    let find = |map: &BTreeMap<TypeId, ir::Function>, id: &TypeId| map.get(id).map(|f| function(f, Mode::Spec));
    match key {
        CodeKey::Function(id, mode) => program.functions.get(id).map(|f| function(f, *mode)),
        CodeKey::Procedure(id) => program.procedures.get(id).map(|p| super::compile_stmt::procedure(program, p, check_calls)),
        CodeKey::Lambda(index, mode) => {
            let l = program.lambdas.get(*index as usize)?;
            let mut c = lambda(program, l, *mode);
            c.check_calls = check_calls;
            c.expr(&l.body);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::LambdaRequires(index) => {
            let l = program.lambdas.get(*index as usize)?;
            let mut c = lambda(program, l, Mode::Spec);
            c.conjunction(&l.requires);
            Some(c.finish())
        }
        CodeKey::LambdaReads(index) => {
            let l = program.lambdas.get(*index as usize)?;
            let mut c = lambda(program, l, Mode::Spec);
            c.push(Word::of(Value::set([])));
            for e in &l.reads {
                c.expr(e);
                c.emit(Ins::AddObjects);
            }
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::Pre(id) => {
            let k = program.contracts.get(id)?;
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
            c.conjunction(&k.requires);
            Some(c.finish())
        }
        CodeKey::Reads(id) => {
            let k = program.contracts.get(id)?;
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
            c.push(Word::of(Value::set([])));
            for f in &k.reads {
                match &f.object {
                    Some(o) => c.expr(o),
                    None => c.unknown("reads *"),
                }
                c.emit(Ins::AddObjects);
            }
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::Requires(id, i) => {
            let k = program.contracts.get(id)?;
            clause(program, k, k.requires.get(*i)?, &k.params)
        }
        CodeKey::Ensures(id, i) => {
            let k = program.contracts.get(id)?;
            let params: Vec<Var> = k.params.iter().chain(&k.outs).copied().collect();
            clause(program, k, k.ensures.get(*i)?, &params)
        }
        CodeKey::Constant(id) => program.constants.get(id).map(|f| function(f, Mode::Spec)),
        CodeKey::Constraint(id) => find(&program.constraints, id),
        CodeKey::Witness(id) => find(&program.witnesses, id),
        CodeKey::HasType(ty) => {
            let mut c = Compiler::new(program, &[], &[], &[Var(0)], Mode::Spec);
            c.emit(Ins::Load(0));
            c.has_type(ty);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
    }
}

fn lambda<'p>(program: &'p ir::Program, l: &'p ir::Lambda, mode: Mode) -> Compiler<'p> {
    let params: Vec<Var> = l.captures.iter().chain(&l.params).copied().collect();
    let mut c = Compiler::new(program, &l.type_params, &l.vars, &params, mode);
    c.span = l.span;
    c
}

fn clause(program: &ir::Program, k: &ir::Contract, clause: &ir::Clause, params: &[Var]) -> Option<Code> {
    let mut c = Compiler::new(program, &k.type_params, &k.vars, params, Mode::Spec);
    c.expr(&clause.cond);
    c.emit(Ins::Return(1));
    Some(c.finish())
}

impl<'p> Compiler<'p> {
    /// All clauses as one condition; one that fails to evaluate is unknown.
    fn conjunction(&mut self, clauses: &'p [ir::Clause]) {
        let exit = self.label();
        self.emit(Ins::PushBool(true));
        for clause in clauses {
            let caught = self.label();
            self.span = clause.span;
            self.emit(Ins::Try(caught));
            self.expr(&clause.cond);
            self.emit(Ins::Untry);
            self.place(caught);
            self.emit(Ins::Quantify { forall: true, exit });
        }
        self.place(exit);
        self.emit(Ins::Return(1));
    }

    /// A loop for each dimension of an array; `body` has the slots of the indices.
    pub(super) fn for_each_index(&mut self, lengths: &[u32], body: impl FnOnce(&mut Self, &[u32])) {
        let done = self.label();
        let mut outer = done;
        let mut indices = Vec::new();
        for (depth, length) in lengths.iter().enumerate() {
            self.emit(Ins::PushInt(0));
            self.emit(Ins::Load(*length));
            self.iter(IterKind::Ints, depth as u32, done);
            let slot = self.temp();
            let next = self.here();
            self.emit(Ins::IterNext { slot, done: outer });
            outer = next;
            indices.push(slot);
        }
        body(self, &indices);
        self.emit(Ins::Jump(outer));
        self.place(done);
    }
}
