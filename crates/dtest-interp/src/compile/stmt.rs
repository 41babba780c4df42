//! Compilation of procedures.
//!
//! [`procedure`] compiles all blocks of a procedure one after the other; jumps refer to blocks.
//! Ghost computations are budgeted, and traces get additional instructions.

use super::loops::is_finite;
use super::{Compiler, Extras};
use crate::code::{Alternatives, Code, Ins, Mode, Noted, Target};
use crate::word::Word;
use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dafny_source::Span;
use dtest_ir::reason::{Reason, Unbounded};
use dtest_ir::{
    self as ir, ArrayInit, Block, BlockId, Procedure, Stmt, StmtKind, StoreTarget, Terminator, Var,
};
use dtest_sorted::SortedSet;

/// Compiles the blocks of a procedure.
pub(super) fn procedure(program: &ir::Program, p: &Procedure, with: Extras) -> Code {
    let mut c = Compiler::new(program, &p.type_params, &p.vars, &p.params, Mode::Compiled);
    c.with = with;
    c.watch(p);
    c.code.callable = Some(p.callable);
    c.code.constructs = program.typed[p.callable].kind == CallableKind::Constructor;
    // The position of each block is recorded, since jumps refer to blocks.
    for (i, block) in p.blocks.iter().enumerate() {
        let at = c.code.ins.len() as u32;
        c.code.blocks.push(at);
        c.span = block.span;
        c.emit(Ins::Enter(BlockId(i as u32)));
        // Traces show each iteration of a loop.
        if let Some(head) = &block.loop_head {
            c.span = head.span;
            c.note(Noted::Loop);
        }
        c.block(p, block);
    }
    c.finish()
}

impl<'p> Compiler<'p> {
    /// Allocates slots for the variables that a trace shows: parameters and assigned variables.
    fn watch(&mut self, p: &Procedure) {
        if !self.with.traces {
            return;
        }
        // A trace shows parameters, results and the variables that are assigned.
        let assigned: SortedSet<Var> = p
            .blocks
            .iter()
            .flat_map(|b| &b.stmts)
            .flat_map(|s| s.assigned())
            .collect();
        for (i, info) in p.vars.iter().enumerate() {
            let var = Var(i as u32);
            let is_named = !info.name.starts_with('$');
            if is_named
                && (p.params.contains(&var) || p.outs.contains(&var) || assigned.contains(&var))
            {
                let slot = self.slot(var);
                self.code.watched.push((slot, info.span));
            }
        }
    }

    fn note(&mut self, what: Noted) {
        if self.with.traces {
            self.emit(Ins::Note(what));
        }
    }

    fn block(&mut self, p: &'p Procedure, block: &'p Block) {
        for stmt in &block.stmts {
            self.span = stmt.span;
            // Traces record the statement before its effects.
            self.note(Noted::Statement);
            self.stmt(stmt);
        }
        // The condition of a branch counts as a statement of its own.
        self.span = block.span;
        match &block.terminator {
            Terminator::Goto(_) | Terminator::Stop => {}
            Terminator::Branch { cond, .. } => {
                self.span = cond.span;
                self.note(Noted::Statement);
                self.span = block.span;
            }
            Terminator::Choose { span, .. } => {
                self.span = *span;
                self.note(Noted::Statement);
                self.span = block.span;
            }
            // The end of the body is the place of its closing brace.
            Terminator::Return => {
                self.span = p.blocks.first().map_or(block.span, |entry| {
                    Span::new(entry.span.end.saturating_sub(1), entry.span.end)
                });
                self.note(Noted::Return);
                self.span = block.span;
            }
        }
        match &block.terminator {
            Terminator::Goto(b) => self.emit(Ins::Goto(*b)),
            Terminator::Branch { cond, then, els } => {
                self.expr(cond);
                self.emit(Ins::Branch {
                    then: *then,
                    els: *els,
                });
            }
            // An undecided condition of a choice is tolerated: then any alternative may follow.
            Terminator::Choose { among, open, .. } => {
                if let Some(open) = open {
                    let caught = self.label();
                    self.emit(Ins::Try(caught));
                    self.budgeted(|c| c.expr(open));
                    self.emit(Ins::Untry);
                    self.place(caught);
                }
                self.code.alternatives.push(Alternatives {
                    among: among.clone(),
                    asks: open.is_some(),
                });
                self.emit(Ins::Choose(self.code.alternatives.len() as u32 - 1));
            }
            Terminator::Return => {
                let outs: Vec<u32> = p.outs.iter().map(|out| self.slot(*out)).collect();
                // The postconditions are checked before the results are put on the stack.
                // The blocks of a callable in two states assert its postconditions.
                if !self.program.is_in_two_states(p.callable) {
                    self.postconditions(p.callable, &p.params, &outs);
                }
                self.span = block.span;
                for out in &p.outs {
                    let slot = self.slot(*out);
                    // Definite assignment guarantees a value here for compiled variables.
                    self.emit(if self.is_ghost(*out) {
                        Ins::Out(slot)
                    } else {
                        Ins::Load(slot)
                    });
                }
                self.emit(Ins::Return(p.outs.len() as u32));
            }
            Terminator::Stop => self.emit(Ins::Stop),
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        self.span = stmt.span;
        match &stmt.kind {
            // No compiled code evaluates an assumption.
            StmtKind::Assume { cond, .. } => {
                self.ghost(|c| c.expr(cond));
                self.emit(Ins::Assume);
            }
            StmtKind::Assert { cond, kind } => {
                self.budgeted(|c| c.expr(cond));
                self.emit(Ins::Assert(*kind));
            }
            // A ghost value does not affect compiled code, so its computation is budgeted.
            StmtKind::Assign { var, value } => {
                if self.is_ghost(*var) {
                    self.budgeted(|c| c.expr(value));
                } else {
                    self.expr(value);
                }
                let slot = self.slot(*var);
                self.emit(Ins::Store(slot));
            }
            StmtKind::Havoc(var) => {
                let (slot, ty) = (self.slot(*var), self.var_type(*var));
                let ty = self.ty(ty);
                self.emit(Ins::Havoc { slot, ty });
            }
            StmtKind::Call {
                callee,
                type_args,
                args,
                outs,
                label,
            } => {
                self.arguments(*callee, args);
                let site = self.site(Target::Method(*callee), type_args, args.len());
                // A two-state lemma refers to the labelled state as the older one.
                self.in_state(*callee, label.as_ref(), site);
                self.call(*callee, site, outs);
            }
            StmtKind::New { var, ty } => {
                let ty = self.ty(ty.clone());
                self.emit(Ins::New(ty));
                let slot = self.slot(*var);
                self.emit(Ins::Store(slot));
            }
            StmtKind::NewArray {
                var,
                elem,
                dims,
                init,
            } => {
                self.new_array(elem, dims, init);
                let slot = self.slot(*var);
                self.emit(Ins::Store(slot));
            }
            StmtKind::SetField {
                object,
                field,
                value,
            } => {
                self.expr(object);
                if self.program.typed[*field].ghost {
                    self.ghost(|c| c.expr(value));
                } else {
                    self.expr(value);
                }
                self.emit(Ins::SetField(*field));
            }
            StmtKind::Redefine {
                object,
                function,
                value,
            } => {
                self.expr(object);
                self.expr(value);
                self.emit(Ins::Redefine(*function));
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => {
                self.expr(array);
                self.exprs(indices);
                self.expr(value);
                self.emit(Ins::SetElement(indices.len() as u32));
            }
            StmtKind::ForallStore {
                vars,
                target,
                value,
            } => self.forall_store(vars, target, value),
            StmtKind::SuchThat(q) => {
                let choice = self.search(q);
                self.emit(Ins::Chosen(choice));
            }
            StmtKind::Print(exprs) => {
                for e in exprs {
                    self.expr(e);
                    // The output shows codatatype values, whose delayed parts must be computed now.
                    if self.program.typed.may_hold_codatatypes(&e.ty) {
                        self.emit(Ins::ForceShown);
                    }
                    let ty = self.ty(e.ty.clone());
                    self.emit(Ins::Print(ty));
                }
            }
            StmtKind::Expect { cond, message } => {
                let end = self.label();
                self.expr(cond);
                self.emit(Ins::Expect(end));
                let ty = match message {
                    Some(m) => {
                        self.expr(m);
                        self.ty(m.ty.clone())
                    }
                    None => {
                        self.push(Word::of(dtest_value::Value::string(
                            "expectation violation",
                        )));
                        self.ty(Type::string())
                    }
                };
                self.emit(Ins::Halt(ty));
                self.place(end);
            }
            // A violated obligation is visible in the end of the execution.
            StmtKind::Probe { probe, .. }
                if self.program.criteria.has(ir::Criterion::Obligation) =>
            {
                self.emit(Ins::ComeTo(*probe))
            }
            StmtKind::Probe { probe, cond } => {
                let end = self.label();
                self.emit(Ins::Probing(end));
                self.expr(cond);
                self.emit(Ins::Shown(*probe));
                self.place(end);
            }
            StmtKind::Snapshot(name) => {
                let name = self.name(name.clone());
                self.emit(Ins::Snapshot(name));
            }
            StmtKind::HavocHeap(frames, _) => {
                for frame in frames {
                    match &frame.object {
                        Some(e) => {
                            self.expr(e);
                            self.emit(Ins::HavocHeap(frame.field));
                        }
                        None => self.emit(Ins::HavocAll),
                    }
                }
            }
            StmtKind::Answer {
                callee,
                params,
                outs,
            } => {
                for p in params {
                    let slot = self.slot(*p);
                    self.emit(Ins::Load(slot));
                }
                self.emit(Ins::Answer(*callee));
                for out in outs.iter().rev() {
                    let slot = self.slot(*out);
                    self.emit(Ins::Store(slot));
                }
            }
            StmtKind::Save { object, vars } => {
                for (field, var) in vars {
                    self.expr(object);
                    let slot = self.slot(*var);
                    self.emit(Ins::Out(slot));
                    self.emit(Ins::SetField(*field));
                }
            }
            StmtKind::Restore { object, vars } => {
                for (field, var) in vars {
                    self.expr(object);
                    self.emit(Ins::Contents(*field));
                    let slot = self.slot(*var);
                    self.emit(Ins::Store(slot));
                }
            }
            StmtKind::Unsupported { reason } => self.unsupported(reason.clone()),
        }
    }

    fn unsupported(&mut self, reason: impl Into<Reason>) {
        self.code.reasons.push(reason.into());
        self.emit(Ins::Unsupported(self.code.reasons.len() as u32 - 1));
    }

    /// Compiles the call of a site, whose arguments are on the stack.
    fn call(&mut self, callee: CallableId, site: u32, outs: &[Option<ir::Var>]) {
        let declared = &self.program.typed[callee];
        let is_lemma = declared.kind == CallableKind::Lemma
            || (declared.ghost && !self.program.procedures.contains_key(&callee));
        let is_lemma = is_lemma && !declared.kind.is_function();
        self.precondition(callee, site);
        // The blocks of a two-state lemma start in the earlier state.
        let is_computed = self.program.procedures.contains_key(&callee)
            && outs.iter().any(Option::is_some)
            && !self.program.is_in_two_states(callee);
        if is_lemma && !is_computed {
            // A lemma has no effect, and results of ghost methods are not computed.
            self.emit(Ins::Lemma(site));
            let name = self.program.typed.callable_path(callee);
            for slot in outs.iter().flatten() {
                self.unknown(Reason::GhostResult(name.as_str().into()));
                let slot = self.slot(*slot);
                self.emit(Ins::Store(slot));
            }
            return;
        }
        self.emit(Ins::Call(site));
        for out in outs.iter().rev() {
            match out {
                Some(v) => {
                    let slot = self.slot(*v);
                    self.emit(Ins::Store(slot));
                }
                None => self.emit(Ins::Pop),
            }
        }
        // A call whose results are all dropped may list none.
        for _ in outs.len()..declared.outs.len() {
            self.emit(Ins::Pop);
        }
    }

    fn new_array(&mut self, elem: &Type, dims: &'p [ir::Expr], init: &'p ArrayInit) {
        // The lengths are evaluated once, and each is checked before the next one is evaluated.
        let mut lengths = Vec::new();
        for d in dims {
            self.expr(d);
            self.emit(Ins::CheckLength);
            let slot = self.temp();
            self.emit(Ins::Store(slot));
            lengths.push(slot);
        }
        let ty = Type::Array {
            dims: dims.len() as u32,
            nullable: false,
            elem: Box::new(elem.clone()),
        };
        let ty = self.ty(ty);
        let make = |c: &mut Self| {
            for l in &lengths {
                c.emit(Ins::Load(*l));
            }
            c.emit(Ins::NewArray {
                ty,
                dims: lengths.len() as u32,
            });
        };
        match init {
            ArrayInit::Default => make(self),
            ArrayInit::Elements(elements) => {
                make(self);
                self.exprs(elements);
                self.emit(Ins::Fill(elements.len() as u32));
            }
            ArrayInit::Function(f) => {
                // The function is evaluated in the heap without the new array.
                self.expr(f);
                let (function, array) = (self.temp(), self.temp());
                self.emit(Ins::Store(function));
                make(self);
                self.emit(Ins::Store(array));
                self.emit(Ins::PushBool(true));
                self.for_each_index(&lengths, |c, indices| {
                    c.emit(Ins::Load(array));
                    for i in indices {
                        c.emit(Ins::Load(*i));
                    }
                    c.emit(Ins::Load(function));
                    for i in indices {
                        c.emit(Ins::Load(*i));
                    }
                    c.emit(Ins::Apply(indices.len() as u32));
                    c.emit(Ins::SetElement(indices.len() as u32));
                });
                self.emit(Ins::Pop);
                self.emit(Ins::Load(array));
            }
        }
    }

    fn forall_store(
        &mut self,
        q: &'p ir::Quantified,
        target: &'p StoreTarget,
        value: &'p ir::Expr,
    ) {
        if !is_finite(q) {
            return self.unsupported(Unbounded::ForallStatement);
        }
        let end = self.label();
        self.emit(Ins::StoresBegin);
        self.emit(Ins::PushBool(true));
        let nest = self.loops(q, end);
        match target {
            StoreTarget::Field(object, field) => {
                self.expr(object);
                self.expr(value);
                self.emit(Ins::LaterField(*field));
            }
            StoreTarget::Element(array, indices) => {
                self.expr(array);
                self.exprs(indices);
                self.expr(value);
                self.emit(Ins::LaterElement(indices.len() as u32));
            }
        }
        self.emit(Ins::Jump(nest.next));
        self.place(nest.done);
        self.place(end);
        // An unknown range has made the accumulator unknown: then the stores are unknown.
        self.emit(Ins::StoresCommit);
    }
}
