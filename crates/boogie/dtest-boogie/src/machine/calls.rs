//! Calls: executed by the body of the callee, or represented by its contract.
//!
//! A callee with a body is entered (`enter_call`, `leave`); otherwise, `by_contract` makes the
//! modified variables and results arbitrary and assumes the postcondition. Preconditions are
//! checked in both cases.

use std::rc::Rc;

use boogie_resolve::typed::{Call, Expr, Implementation, Type, TypeVar, VarId};
use dafny_source::Span;
use rustc_hash::FxHashMap;

use super::{Alternative, Machine, State};
use crate::eval::Env;
use crate::execution::{Ending, FailureKind, StepKind};
use crate::value::Value;
use crate::world::{Res, Stop};

impl<'p> Machine<'p> {
    pub(super) fn call(
        &mut self,
        state: &mut State<'p>,
        call: &'p Call,
        span: Span,
        env: &Env,
    ) -> Res<Option<Ending>> {
        let program = self.world.program;
        let p = program.procedure(call.procedure);
        let mut args = Vec::new();
        for a in &call.args {
            args.push(self.world.eval(a, env)?);
        }
        let types: FxHashMap<TypeVar, Type> = p
            .type_params
            .iter()
            .copied()
            .zip(call.type_args.iter().map(|t| self.world.ground(t, env)))
            .collect();
        let mut contract = env.clone();
        contract.types = Rc::new(types.clone());
        contract.bound = p.ins.iter().copied().zip(args.iter().copied()).collect();
        // The callee's preconditions are obligations of the caller, unless they are free.
        for clause in &p.requires {
            let t = self.world.term(&clause.expr, &contract)?;
            let is_checked = !clause.free && !call.free;
            let ending = if is_checked {
                self.assert(state, t, FailureKind::Precondition, clause.span, span)?
            } else {
                self.assume(state, t, span)?
            };
            if ending.is_some() {
                return Ok(ending);
            }
        }
        let is_by_contract = self.modular.by_contract.contains(&call.procedure);
        let Some((first, others)) = p.implementations.split_first().filter(|_| !is_by_contract)
        else {
            return self.by_contract(state, call, args, types, span);
        };
        // Other bodies of the callee are alternatives.
        for body in others {
            let mut other = state.clone();
            match self.enter_call(&mut other, call, body, args.clone(), types.clone(), span) {
                Ok(None) => self.push(state.steps, Alternative::Goes(other, false)),
                Ok(Some(ending)) => self.push(
                    state.steps,
                    Alternative::Begun(Some(Box::new(other)), ending),
                ),
                Err(stop) => self.push(
                    state.steps,
                    Alternative::Begun(None, Ending::NotDecided(stop)),
                ),
            }
        }
        self.enter_call(state, call, first, args, types, span)
    }

    fn enter_call(
        &mut self,
        state: &mut State<'p>,
        call: &'p Call,
        implementation: &'p Implementation,
        args: Vec<Value>,
        types: FxHashMap<TypeVar, Type>,
        span: Span,
    ) -> Res<Option<Ending>> {
        // The depth of calls is bounded.
        if state.frames.len() > self.world.limits.recursion {
            return Err(Stop::Limit("call depth"));
        }
        let p = self.world.program.procedure(call.procedure);
        let mut mine = types.clone();
        // The type parameters of the body correspond to those of the procedure.
        for (theirs, own) in p.type_params.iter().zip(&implementation.type_params) {
            if let Some(ty) = types.get(theirs) {
                mine.insert(*own, ty.clone());
            }
        }
        let globals = self.globals(state);
        let old = Rc::new(globals.clone());
        // The variables of the caller are saved as a whole; the callee sees only the globals and
        // its own variables.
        let saved = Rc::clone(&state.vars);
        let mut vars = globals;
        vars.extend(implementation.ins.iter().copied().zip(args));
        state.vars = Rc::new(vars);
        let frame = self.frame(
            call.procedure,
            implementation,
            old,
            saved,
            Some((call, span)),
            Rc::new(mine),
        );
        state.frames.push(frame);
        self.locals(state, implementation)?;
        self.record(
            state,
            StepKind::Entered(p.name.to_string()),
            implementation.span,
            &implementation.ins,
        );
        let chosen: Vec<VarId> = implementation
            .outs
            .iter()
            .chain(&implementation.locals)
            .copied()
            .collect();
        // The `where` clauses of results and locals hold initially.
        self.wheres(state, &chosen, span)
    }

    /// Represents a call by the contract: arbitrary results and globals that satisfy the
    /// postconditions.
    fn by_contract(
        &mut self,
        state: &mut State<'p>,
        call: &'p Call,
        args: Vec<Value>,
        types: FxHashMap<TypeVar, Type>,
        span: Span,
    ) -> Res<Option<Ending>> {
        let program = self.world.program;
        let p = program.procedure(call.procedure);
        let old = Rc::new(self.globals(state));
        // The callee may modify only the variables of its `modifies` clause; results are arbitrary.
        for v in &p.modifies {
            self.havoc(state, *v)?;
        }
        let mut results = Vec::new();
        for v in &p.outs {
            let var = program.var(*v);
            results.push(
                self.world
                    .unknown(&var.name, &crate::types::substitute(&var.ty, &types))?,
            );
        }
        let mut env = self.env(state);
        env.old = old;
        env.types = Rc::new(types);
        // The contract is evaluated with the parameters bound to the arguments, not as variables of
        // the caller.
        env.bound = p
            .ins
            .iter()
            .copied()
            .zip(args)
            .chain(p.outs.iter().copied().zip(results.iter().copied()))
            .collect();
        // All conditions are combined, so that a single query suffices.
        let wheres = p
            .modifies
            .iter()
            .chain(&p.outs)
            .filter_map(|v| program.var(*v).where_clause.as_ref());
        let obliged: Vec<&'p Expr> = wheres.chain(p.ensures.iter().map(|c| &c.expr)).collect();
        let mut all = self.world.terms.tt;
        for e in obliged {
            let t = self.world.term(e, &env)?;
            all = self.world.terms.and(all, t);
        }
        Rc::make_mut(&mut state.vars).extend(call.outs.iter().copied().zip(results));
        let changed: Vec<VarId> = p.modifies.iter().chain(&call.outs).copied().collect();
        self.record(state, StepKind::Left(p.name.to_string()), span, &changed);
        self.assume(state, all, span)
    }

    /// Ends a body: checks the postconditions and returns to the caller.
    pub(super) fn leave(&mut self, state: &mut State<'p>) -> Res<Option<Ending>> {
        // The outermost frame is missing after the execution has ended.
        let Some(frame) = state.frames.last().cloned() else {
            return Ok(Some(Ending::Passed));
        };
        let p = self.world.program.procedure(frame.procedure);
        let env = self.contract_env(
            state,
            frame.procedure,
            frame.implementation,
            Some(Rc::clone(&frame.old)),
        );
        // A violated postcondition is reported at the call.
        let place = frame.call.map_or(p.span, |(_, span)| span);
        for clause in &p.ensures {
            let t = self.world.term(&clause.expr, &env)?;
            let is_free = clause.free || frame.implementation.free_ensures;
            let ending = if is_free {
                self.assume(state, t, clause.span)?
            } else {
                self.assert(state, t, FailureKind::Postcondition, clause.span, place)?
            };
            if ending.is_some() {
                return Ok(ending);
            }
        }
        // The execution of the entry is complete.
        let Some((call, _)) = frame.call else {
            self.again(state, 1);
            return Ok(Some(Ending::Passed));
        };
        // The results are read before the frame is left.
        let results: Vec<Option<Value>> = frame
            .implementation
            .outs
            .iter()
            .map(|o| state.vars.get(o).copied())
            .collect();
        let globals = self.globals(state);
        state.frames.pop();
        // The variables of the caller are restored; globals and results carry over.
        let mut vars = (*frame.saved).clone();
        vars.extend(globals);
        vars.extend(
            call.outs
                .iter()
                .copied()
                .zip(results)
                .filter_map(|(v, x)| x.map(|x| (v, x))),
        );
        state.vars = Rc::new(vars);
        let changed: Vec<VarId> = p.modifies.iter().chain(&call.outs).copied().collect();
        self.record(state, StepKind::Left(p.name.to_string()), place, &changed);
        Ok(None)
    }
}
