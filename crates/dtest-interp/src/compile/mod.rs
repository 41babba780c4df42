//! Compilation of IR expressions to flat code.
//!
//! Every expression leaves one word on the stack. Short-circuit operators and conditionals become
//! jumps, and comprehensions become loops over iterators with an accumulator, so that running code
//! never nests on the host's stack. Compilation itself recurses over expressions, which are as deep
//! as the source.
//!
//! Key type: [`Compiler`]. Key function: [`compile`]. Jumps refer to labels until
//! [`Compiler::finish`] replaces them by positions.

mod discover;
mod ensured;
mod expr;
mod loops;
mod stmt;
mod types;

pub(super) use types::mentions_param;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::code::{Code, CodeKey, Ins, Mode, Site, SlotInfo, Target, TypeArgs};
use super::facts::{self, Side};
use super::word::Word;
use dafny_resolve::typed::{CallableId, FieldId, FieldKind, Type, TypeId, TypeParamId};
use dafny_source::{Name, Span};
use dtest_ir::reason::{Reason, Unbounded};
use dtest_ir::{self as ir, Expr, ExprKind, Op, Var, VarInfo};
use dtest_sorted::SortedMap;
use dtest_value::Value;

/// Checks and records that are compiled on demand.
#[derive(Clone, Copy, Default)]
pub(super) struct Extras {
    /// Whether preconditions are checked in compiled code.
    pub(super) check_calls: bool,
    /// Whether the functions that specifications call check preconditions, postconditions and the
    /// types of their results.
    pub(super) check_specifications: bool,
    /// Whether the code records a trace.
    pub(super) traces: bool,
}

/// A compiler of one unit of code.
pub(super) struct Compiler<'p> {
    pub(super) program: &'p ir::Program,
    pub(super) code: Code,
    /// The checks and records that the code has.
    pub(super) with: Extras,
    vars: &'p [VarInfo],
    slots: FxHashMap<Var, u32>,
    /// The positions of labels. Jumps contain label numbers until [`Compiler::finish`].
    labels: Vec<u32>,
    pub(super) span: Span,
}

impl<'p> Compiler<'p> {
    pub(super) fn new(
        program: &'p ir::Program,
        type_params: &[TypeParamId],
        vars: &'p [VarInfo],
        params: &[Var],
        mode: Mode,
    ) -> Self {
        let code = Code {
            ins: Vec::new(),
            spans: Vec::new(),
            slots: 0,
            params: params.len() as u32,
            type_params: type_params.to_vec(),
            mode,
            callable: None,
            origin: None,
            watched: Vec::new(),
            needs_entry: false,
            constructs: false,
            is_constant: false,
            consts: Vec::new(),
            ops: Vec::new(),
            types: Vec::new(),
            names: Vec::new(),
            reasons: Vec::new(),
            sites: Vec::new(),
            iters: Vec::new(),
            clauses: Vec::new(),
            choices: Vec::new(),
            ranges: Vec::new(),
            blocks: Vec::new(),
            alternatives: Vec::new(),
            slot_names: Vec::new(),
        };
        let mut compiler = Self {
            program,
            code,
            with: Extras::default(),
            vars,
            slots: FxHashMap::default(),
            labels: Vec::new(),
            span: Span::default(),
        };
        for p in params {
            // A parameter that is listed twice must not shift the parameters after it.
            let slot = compiler.temp();
            compiler.slots.insert(*p, slot);
            compiler.name_slot(slot, *p);
        }
        compiler
    }

    fn name_slot(&mut self, slot: u32, var: Var) {
        let info = |v: &VarInfo| SlotInfo {
            name: v.name.clone(),
            ty: v.ty.clone(),
            definite: v.definite,
            inferred: v.inferred,
        };
        let known = self.vars.get(var.0 as usize).map(info);
        if let (Some(place), Some(known)) = (self.code.slot_names.get_mut(slot as usize), known) {
            *place = known;
        }
    }

    /// Allocates a slot.
    pub(super) fn temp(&mut self) -> u32 {
        self.code.slots += 1;
        self.code.slot_names.push(SlotInfo {
            name: Name::from("a temporary"),
            ty: Type::Error,
            definite: false,
            inferred: false,
        });
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
        self.vars
            .get(var.0 as usize)
            .map_or(Type::Error, |v| v.ty.clone())
    }

    /// Compiles ghost code within compiled code, which leaves one word.
    fn ghost(&mut self, code: impl FnOnce(&mut Self)) {
        match self.code.mode {
            Mode::Compiled => self.budgeted(code),
            Mode::Spec => code(self),
        }
    }

    /// Compiles ghost code that leaves one word: unknown if it exhausts its part of the fuel.
    fn budgeted(&mut self, code: impl FnOnce(&mut Self)) {
        let caught = self.label();
        self.emit(Ins::Budget(caught));
        code(self);
        self.emit(Ins::Unbudget);
        self.place(caught);
    }

    fn is_ghost(&self, var: Var) -> bool {
        self.vars.get(var.0 as usize).is_some_and(|v| v.ghost)
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

    /// Replaces labels by positions and optimizes the code.
    pub(super) fn finish(mut self) -> Code {
        // Labels are replaced by positions when all instructions are known.
        let at = |label: u32| self.labels.get(label as usize).copied().unwrap_or(u32::MAX);
        for ins in &mut self.code.ins {
            for t in ins.targets() {
                *t = at(*t);
            }
        }
        for site in &mut self.code.iters {
            site.unknown = at(site.unknown);
        }
        // The last use of a slot moves its value, so that collections can be changed in place.
        super::liveness::move_last_uses(&mut self.code, self.with.traces);
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

    pub(super) fn unknown(&mut self, reason: impl Into<Reason>) {
        self.push(Word::unknown(reason));
    }

    /// Returns the operand for a label: 0 is the entry, others are names plus one.
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
        self.code.sites.push(Site {
            target,
            type_args,
            argc: argc as u32,
            label: None,
        });
        self.code.sites.len() as u32 - 1
    }

    fn type_args(&self, types: &[Type]) -> TypeArgs {
        let own = &self.code.type_params;
        // Calls that pass on all type parameters reuse the type arguments of the caller.
        if !types.is_empty()
            && types.len() == own.len()
            && types.iter().zip(own).all(|(t, p)| *t == Type::Param(*p))
        {
            TypeArgs::Same
        } else if types.iter().any(mentions_param) {
            TypeArgs::Open(types.to_vec())
        } else {
            TypeArgs::Fixed(Rc::from(types))
        }
    }
}

/// Compiles the code for a key; `None` if the program has no such code.
pub(super) fn compile(program: &ir::Program, key: &CodeKey, with: Extras) -> Option<Code> {
    Some(Code {
        origin: key.callable(),
        ..code(program, key, with)?
    })
}

fn code(program: &ir::Program, key: &CodeKey, with: Extras) -> Option<Code> {
    // Everything but bodies is compiled in the mode of specifications, without checks of
    // preconditions unless these are wanted there.
    let function = |f: &ir::Function, mode: Mode| {
        let mut c = Compiler::new(program, &f.type_params, &f.vars, &f.params, mode);
        c.with = with;
        c.expr(&f.body);
        if let CodeKey::Function(id, _) = key
            && (mode == Mode::Compiled || with.check_specifications)
        {
            c.postconditions_of_value(*id, &f.params);
        }
        c.emit(Ins::Return(1));
        c.finish()
    };
    let find = |map: &SortedMap<TypeId, ir::Function>, id: &TypeId| {
        map.get(id).map(|f| function(f, Mode::Spec))
    };
    match key {
        CodeKey::Function(id, mode) => program.functions.get(id).map(|f| function(f, *mode)),
        CodeKey::Procedure(id) => program
            .procedures
            .get(id)
            .map(|p| stmt::procedure(program, p, with)),
        CodeKey::Lambda(index, mode) => program
            .lambdas
            .get(*index as usize)
            .map(|l| body_of_lambda(program, l, *mode, with)),
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
        // Contract clauses have separate codes, so that callers can evaluate each of them on its
        // own.
        CodeKey::Pre(id) => {
            let k = program.contracts.get(id)?;
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
            c.conjunction(&k.requires);
            Some(c.finish())
        }
        CodeKey::Reads(id) => program
            .contracts
            .get(id)
            .map(|k| frames(program, k, &k.reads, Unbounded::Reads)),
        CodeKey::Modifies(id) => program
            .contracts
            .get(id)
            .map(|k| frames(program, k, &k.modifies, Unbounded::Modifies)),
        CodeKey::Frame(id, i) => {
            let k = program.contracts.get(id)?;
            Some(frames(
                program,
                k,
                std::slice::from_ref(k.modifies.get(*i)?),
                Unbounded::Modifies,
            ))
        }
        // The code of a defining equation computes the result of external code directly.
        CodeKey::Defined(id, i) => {
            let k = program.contracts.get(id)?;
            let value = defined(k, Subject::Out(*id, *k.outs.get(*i)?))?;
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
            c.expr(value);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::DefinedField(id, object, field) => {
            let k = program.contracts.get(id)?;
            let object = k.params.iter().chain(&k.outs).nth(*object)?;
            let value = defined(k, Subject::Field(*object, *field))?;
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
            c.expr(value);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::FieldOfResults(id, object, field) => {
            let k = program.contracts.get(id)?;
            let object = k.params.get(*object)?;
            // An equation over the parameters alone takes precedence.
            if defined(k, Subject::Field(*object, *field)).is_some() {
                return None;
            }
            let value = defined(k, Subject::FieldOfResults(*object, *field))?;
            let params: Vec<Var> = k.params.iter().chain(&k.outs).copied().collect();
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &params, Mode::Spec);
            c.expr(value);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::Updated(id, number) => {
            let (object, _, _) = updates(program, program.contracts.get(id)?).nth(*number)?;
            Some(value(program, program.contracts.get(id)?, object))
        }
        CodeKey::UpdatedTo(id, number) => {
            let k = program.contracts.get(id)?;
            let (_, _, value) = updates(program, k).nth(*number)?;
            let params: Vec<Var> = k.params.iter().chain(&k.outs).copied().collect();
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &params, Mode::Spec);
            c.expr(value);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::Assumed(id, condition, arg) => {
            let k = program.contracts.get(id)?;
            let mut conditions = k.requires.iter().flat_map(|c| c.cond.conjuncts());
            let condition = conditions.nth(*condition)?;
            let ExprKind::Call { args, .. } = &condition.kind else {
                return None;
            };
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
            c.expr(args.get(*arg)?);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::Stated(id, side, number, part) => {
            let k = program.contracts.get(id)?;
            let all = facts::statements(&program.typed, facts::clauses(k, *side));
            let e = all.get(*number)?.part(*part)?;
            let params: Vec<Var> = match side {
                Side::Requires => k.params.clone(),
                Side::Ensures => k.params.iter().chain(&k.outs).copied().collect(),
            };
            let mut c = Compiler::new(program, &k.type_params, &k.vars, &params, Mode::Spec);
            c.expr(e);
            c.emit(Ins::Return(1));
            Some(c.finish())
        }
        CodeKey::Requires(id, i) => {
            let k = program.contracts.get(id)?;
            clause(program, k, k.requires.get(*i)?, &k.params)
        }
        CodeKey::Measure(id, i) => {
            let k = program.contracts.get(id)?;
            Some(value(program, k, k.measure.get(*i)?))
        }
        CodeKey::Modified(id, i) => {
            let k = program.contracts.get(id)?;
            Some(value(program, k, k.modifies.get(*i)?.object.as_ref()?))
        }
        CodeKey::Read(id, i) => {
            let k = program.contracts.get(id)?;
            Some(value(program, k, k.reads.get(*i)?.object.as_ref()?))
        }
        CodeKey::Ensures(id, i) => {
            let k = program.contracts.get(id)?;
            let params: Vec<Var> = k.params.iter().chain(&k.outs).copied().collect();
            clause(program, k, k.ensures.get(*i)?, &params)
        }
        // Ways of a contract that concern the precondition do not see the results.
        CodeKey::Way(id, i) => {
            let k = program.contracts.get(id)?;
            let way = k.ways.get(*i)?;
            let params: Vec<Var> = k
                .params
                .iter()
                .chain(k.outs.iter().filter(|_| way.post))
                .copied()
                .collect();
            clause(program, k, &way.clause, &params)
        }
        CodeKey::Constant(id) => {
            let code = program.constants.get(id).map(|f| function(f, Mode::Spec))?;
            Some(Code {
                is_constant: !program.typed[*id].ghost,
                ..code
            })
        }
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

/// Compiles a changed procedure of the program.
pub(super) fn of_procedure(
    program: &ir::Program,
    procedure: &ir::Procedure,
    check_calls: bool,
) -> Code {
    let with = Extras {
        check_calls,
        ..Extras::default()
    };
    Code {
        origin: Some(procedure.callable),
        ..stmt::procedure(program, procedure, with)
    }
}

/// Compiles a changed lambda of the program.
pub(super) fn of_lambda(
    program: &ir::Program,
    lambda: &ir::Lambda,
    mode: Mode,
    check_calls: bool,
) -> Code {
    let with = Extras {
        check_calls,
        ..Extras::default()
    };
    body_of_lambda(program, lambda, mode, with)
}

fn body_of_lambda(program: &ir::Program, l: &ir::Lambda, mode: Mode, with: Extras) -> Code {
    let mut c = lambda(program, l, mode);
    c.with = with;
    c.expr(&l.body);
    c.emit(Ins::Return(1));
    c.finish()
}

fn lambda<'p>(program: &'p ir::Program, l: &'p ir::Lambda, mode: Mode) -> Compiler<'p> {
    let params: Vec<Var> = l.captures.iter().chain(&l.params).copied().collect();
    let mut c = Compiler::new(program, &l.type_params, &l.vars, &params, mode);
    c.span = l.span;
    c
}

/// The location that an equation may define.
#[derive(Clone, Copy)]
enum Subject {
    /// An out-parameter of a callable.
    Out(CallableId, Var),
    /// A field of the object that a constructor initializes, which is its first parameter.
    Field(Var, FieldId),
    /// A field of a parameter, where the values of the out-parameters are known.
    FieldOfResults(Var, FieldId),
}

/// Returns the value of a conjunct `subject == value` of a postcondition.
fn defined(k: &ir::Contract, subject: Subject) -> Option<&Expr> {
    let is_own_call = |e: &Expr| match (&e.kind, subject) {
        (
            ExprKind::Call {
                callee: c, args, ..
            },
            Subject::Out(callee, _),
        ) => {
            *c == callee
                && args.len() == k.params.len()
                && args
                    .iter()
                    .zip(&k.params)
                    .all(|(a, p)| matches!(a.kind, ExprKind::Var(v) if v == *p))
        }
        (_, _) => false,
    };
    let is_var = |e: &Expr, var: Var| matches!(e.kind, ExprKind::Var(v) if v == var);
    let is_out = |e: &Expr| match (&e.kind, subject) {
        (_, Subject::Out(_, out)) => is_var(e, out) || is_own_call(e),
        (
            ExprKind::ReadField(object, f),
            Subject::Field(this, field) | Subject::FieldOfResults(this, field),
        ) => *f == field && is_var(object, this),
        (_, Subject::Field(..) | Subject::FieldOfResults(..)) => false,
    };
    // The contents of the object after the call are not known yet: those before it are, in `old`.
    let is_made = |v: Var| matches!(subject, Subject::Field(this, _) | Subject::FieldOfResults(this, _) if v == this);
    let is_result = |v: Var| k.outs.contains(&v) && !matches!(subject, Subject::FieldOfResults(..));
    let is_known = |e: &Expr| {
        let mut work = vec![(e, false)];
        while let Some((e, is_before)) = work.pop() {
            if is_own_call(e)
                || matches!(e.kind, ExprKind::Var(v) if is_result(v) || is_made(v) && !is_before)
            {
                return false;
            }
            let is_before = is_before || matches!(e.kind, ExprKind::Old(None, _));
            work.extend(e.children().into_iter().map(|e| (e, is_before)));
        }
        true
    };
    // A defining equation is a conjunct of a postcondition.
    let mut work: Vec<&Expr> = k.ensures.iter().map(|c| &c.cond).collect();
    while let Some(e) = work.pop() {
        if let ExprKind::And(a, b) = &e.kind {
            work.extend([&**a, &**b]);
        } else if let ExprKind::Op(Op::Eq, args) = &e.kind {
            match args.as_slice() {
                // The other side must not depend on the result.
                [a, b] if is_out(a) && is_known(b) => return Some(b),
                [a, b] if is_out(b) && is_known(a) => return Some(a),
                [..] => {}
            }
        }
    }
    None
}

/// Returns the fields of objects that constant fields of parameters refer to, and the values that
/// postconditions define for them: `log.calls == old(log.calls) + [result]`. The values depend on
/// the results and on the state before the call.
pub(super) fn updates<'p>(
    program: &'p ir::Program,
    k: &'p ir::Contract,
) -> impl Iterator<Item = (&'p Expr, FieldId, &'p Expr)> {
    let is_constant = |f: FieldId| matches!(program.typed[f].kind, FieldKind::Const(_));
    let is_path = move |e: &Expr| {
        let mut at = e;
        while let ExprKind::ReadField(object, f) = &at.kind
            && is_constant(*f)
        {
            at = object;
        }
        let is_param = matches!(at.kind, ExprKind::Var(v) if k.params.contains(&v));
        is_param && !matches!(e.kind, ExprKind::Var(_))
    };
    // What may change is read in the old state only.
    let is_known = move |e: &Expr| {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            let may_change = matches!(e.kind, ExprKind::Call { .. })
                || matches!(e.kind, ExprKind::ReadField(_, f) if !is_constant(f));
            if may_change {
                return false;
            }
            if !matches!(e.kind, ExprKind::Old(None, _)) {
                work.extend(e.children());
            }
        }
        true
    };
    let place = move |e: &'p Expr| {
        if let ExprKind::ReadField(object, f) = &e.kind
            && !is_constant(*f)
            && is_path(object)
        {
            Some((&**object, *f))
        } else {
            None
        }
    };
    let conjuncts = k.ensures.iter().flat_map(|c| c.cond.conjuncts());
    conjuncts.filter_map(move |e| {
        let ExprKind::Op(Op::Eq, args) = &e.kind else {
            return None;
        };
        let [a, b] = args.as_slice() else {
            return None;
        };
        let update = |a: &'p Expr, b: &'p Expr| {
            let (object, field) = place(a)?;
            is_known(b).then_some((object, field, b))
        };
        update(a, b).or_else(|| update(b, a))
    })
}

/// Compiles the set of the objects of a frame.
fn frames(program: &ir::Program, k: &ir::Contract, frames: &[ir::Frame], all: Unbounded) -> Code {
    let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
    c.push(Word::of(Value::set([])));
    for f in frames {
        // A frame of everything has no finite set of objects.
        match &f.object {
            Some(o) => c.expr(o),
            None => c.unknown(all),
        }
        c.emit(Ins::AddObjects);
    }
    c.emit(Ins::Return(1));
    c.finish()
}

/// Compiles an expression of a contract over its parameters.
fn value(program: &ir::Program, k: &ir::Contract, e: &Expr) -> Code {
    let mut c = Compiler::new(program, &k.type_params, &k.vars, &k.params, Mode::Spec);
    c.expr(e);
    c.emit(Ins::Return(1));
    c.finish()
}

fn clause(
    program: &ir::Program,
    k: &ir::Contract,
    clause: &ir::Clause,
    params: &[Var],
) -> Option<Code> {
    let mut c = Compiler::new(program, &k.type_params, &k.vars, params, Mode::Spec);
    c.expr(&clause.cond);
    c.emit(Ins::Return(1));
    Some(c.finish())
}

impl<'p> Compiler<'p> {
    /// Compiles the conjunction of all clauses. A clause that fails to evaluate is unknown.
    fn conjunction(&mut self, clauses: &'p [ir::Clause]) {
        let exit = self.label();
        self.emit(Ins::PushBool(true));
        // A false clause decides, even if an earlier one is undecided; therefore failures are
        // caught clause by clause.
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
}
