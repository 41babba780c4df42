//! Conditions on the path of an execution: adding, deciding, resolving by the model, assuming and
//! asserting.

use std::rc::Rc;

use boogie_resolve::typed::VarId;
use dafny_source::Span;
use dtest_smt::{Node, Term};

use super::{Alternative, Machine, PathNode, State, conditions};
use crate::execution::{Ending, Failure, FailureKind};
use crate::solve::Outcome;
use crate::value::Value;
use crate::world::{Res, Stop};

impl<'p> Machine<'p> {
    pub(super) fn add(&mut self, state: &mut State<'p>, t: Term) {
        // A conjunction is added as single conditions, so that each is found by [`Self::decided`].
        let mut open = vec![t];
        while let Some(t) = open.pop() {
            if let Node::And(a, b) = *self.world.terms.node(t) {
                open.extend([b, a]);
                continue;
            }
            if t != self.world.terms.tt && self.known.insert(t) {
                state.path = Some(Rc::new(PathNode {
                    term: t,
                    before: state.path.take(),
                }));
                self.substitute(state, t);
            }
        }
    }

    /// Replaces a variable that the path fixes by its value, so that bounds of quantifiers become
    /// known.
    pub(super) fn substitute(&mut self, state: &mut State<'p>, t: Term) {
        // An equation with a constant allows the variable to be replaced in the whole state.
        let Node::Eq(a, b) = *self.world.terms.node(t) else {
            return;
        };
        let (mut var, mut constant) = if self.world.terms.as_const(b).is_some() {
            (a, b)
        } else {
            (b, a)
        };
        if let Some((fixed, number)) = self.world.fixes(t) {
            (var, constant) = (fixed, self.world.terms.int(number));
        }
        if self.world.terms.as_const(constant).is_none()
            || !matches!(self.world.terms.node(var), Node::Var(_))
        {
            return;
        }
        // Smaller terms make later queries cheaper.
        let (old, new) = (Value::Term(var), Value::Term(constant));
        if state.vars.values().any(|v| *v == old) {
            Rc::make_mut(&mut state.vars)
                .values_mut()
                .filter(|v| **v == old)
                .for_each(|v| *v = new);
        }
        for frame in &mut state.frames {
            for vars in [&mut frame.saved, &mut frame.old] {
                if vars.values().any(|v| *v == old) {
                    Rc::make_mut(vars)
                        .values_mut()
                        .filter(|v| **v == old)
                        .for_each(|v| *v = new);
                }
            }
        }
        let fixed: Vec<VarId> = self
            .world
            .program
            .constants
            .iter()
            .copied()
            .filter(|c| self.world.constants.get(c) == Some(&old))
            .collect();
        if !fixed.is_empty() {
            Rc::make_mut(&mut state.fixed).extend(fixed.into_iter().map(|c| (c, new)));
        }
    }

    /// Returns the truth of a condition, if the path determines it.
    pub(super) fn decided(&mut self, t: Term) -> Option<bool> {
        if let Some(b) = self.world.terms.as_bool(t) {
            return Some(b);
        }
        if self.known.contains(&t) {
            return Some(true);
        }
        let not = self.world.terms.not(t);
        self.known.contains(&not).then_some(false)
    }

    /// Returns the truth of a condition in the current model. If the model cannot decide it,
    /// another model is searched for.
    pub(super) fn resolved(&mut self, state: &mut State<'p>, t: Term) -> Res<bool> {
        let model = Rc::clone(&state.model);
        let stop = match self.world.holds(t, &model) {
            Err(stop @ Stop::Undecided(_)) => stop,
            other => return other,
        };
        let not = self.world.terms.not(t);
        // If the model does not decide, both outcomes are tried.
        for (condition, value) in [(t, true), (not, false)] {
            let mut path = conditions(&state.path);
            path.push(condition);
            if let Outcome::Model(model) =
                self.world.solve(&mut self.session, &path, &model, true)?
            {
                state.model = model;
                return Ok(value);
            }
        }
        Err(stop)
    }

    pub(super) fn assume(
        &mut self,
        state: &mut State<'p>,
        t: Term,
        span: Span,
    ) -> Res<Option<Ending>> {
        match self.decided(t) {
            Some(true) => return Ok(None),
            Some(false) => return Ok(Some(Ending::Infeasible(span))),
            None => {}
        }
        // If the model satisfies the condition, it stays the model of the path.
        let model = Rc::clone(&state.model);
        let holds = match self.world.holds(t, &model) {
            Ok(b) => b,
            Err(Stop::Undecided(_)) => false,
            Err(other) => return Err(other),
        };
        self.add(state, t);
        if holds {
            return Ok(None);
        }
        match self
            .world
            .solve(&mut self.session, &conditions(&state.path), &model, true)?
        {
            Outcome::Model(model) => {
                state.model = model;
                Ok(None)
            }
            Outcome::Infeasible => Ok(Some(Ending::Infeasible(span))),
            Outcome::Undecided(stop) => Err(stop),
        }
    }

    pub(super) fn assert(
        &mut self,
        state: &mut State<'p>,
        t: Term,
        kind: FailureKind,
        clause: Span,
        at: Span,
    ) -> Res<Option<Ending>> {
        self.obligations.insert((kind, clause));
        // A proved obligation holds on every path, so that no violation is searched for.
        if state.frames.len() == 1 && self.proved.contains(&(kind, clause)) {
            return self.assume(state, t, at);
        }
        let failure = Failure { kind, clause, at };
        match self.decided(t) {
            Some(true) => return Ok(None),
            Some(false) => return Ok(Some(Ending::Failed(failure))),
            None => {}
        }
        // The other outcome becomes an alternative.
        let not = self.world.terms.not(t);
        match self.resolved(state, t) {
            Ok(true) => {
                let mut other = state.clone();
                other.path = Some(Rc::new(PathNode {
                    term: not,
                    before: other.path.take(),
                }));
                self.push(state.steps, Alternative::Fails(other, failure));
                self.add(state, t);
                Ok(None)
            }
            Ok(false) => {
                let mut other = state.clone();
                other.path = Some(Rc::new(PathNode {
                    term: t,
                    before: other.path.take(),
                }));
                self.push(state.steps, Alternative::Goes(other, true));
                self.add(state, not);
                Ok(Some(Ending::Failed(failure)))
            }
            Err(stop @ (Stop::Undecided(_) | Stop::Limit(_))) => {
                Ok(Some(Ending::ObligationNotDecided(failure, stop)))
            }
            Err(other) => Err(other),
        }
    }

    /// Asserts an obligation without consequences: whether it holds or not, the execution continues
    /// from the same states.
    pub(super) fn assert_only(
        &mut self,
        state: &mut State<'p>,
        t: Term,
        failure: Failure,
    ) -> Res<Option<Ending>> {
        self.obligations.insert((failure.kind, failure.clause));
        let decided = self.decided(t);
        let held = match decided {
            Some(b) => Ok(b),
            None => self.resolved(state, t),
        };
        // The opposite outcome is stored as an alternative, whichever holds in the model.
        let not = self.world.terms.not(t);
        let mut other = state.clone();
        match held {
            // The assertion holds in the model; whether it can fail is decided later.
            Ok(true) => {
                if decided.is_none() {
                    other.path = Some(Rc::new(PathNode {
                        term: not,
                        before: other.path.take(),
                    }));
                    self.push(state.steps, Alternative::Fails(other, failure));
                }
                Ok(None)
            }
            // It fails in the model; the path on which it holds is left for later.
            Ok(false) => {
                self.push(state.steps, Alternative::Goes(other, false));
                self.add(state, not);
                Ok(Some(Ending::Failed(failure)))
            }
            Err(stop @ (Stop::Undecided(_) | Stop::Limit(_))) => {
                self.push(state.steps, Alternative::Goes(other, false));
                Ok(Some(Ending::ObligationNotDecided(failure, stop)))
            }
            Err(other) => Err(other),
        }
    }
}
