//! Calls of the functions that a unit returns: a test cannot compare functions, so it compares
//! their results for some arguments.
//!
//! [`Interp::questions`] chooses the arguments: those on which mutants of the function's body have
//! other results. [`Interp::answer_differently`] decides whether a test that calls the functions
//! kills a mutant. Both take the arguments from the same candidates, so that a mutant that counts
//! as killed is killed by the written test.

use std::cmp::Reverse;

use num_bigint::BigInt;
use num_traits::One;

use super::heap::State;
use super::mutants::Runnable;
use super::probes::probes;
use super::{Execution, Inputs, Interp, Outcome};
use dafny_resolve::typed::{CallableId, Literal, Type, TypeDeclKind};
use dtest_ir::{Expr, ExprKind};
use dtest_sorted::SortedSet;
use dtest_value::{FunctionValue, Heap, Value, rows};

/// Maximum number of argument lists that are tried on a function.
const MAX_CANDIDATES: usize = 20;
/// Maximum number of values of one parameter.
const MAX_VALUES: usize = 12;
/// Number of calls of a function that no mutant requires.
const MIN_QUESTIONS: usize = 3;
/// Maximum number of functions in the results of a test.
const MAX_FUNCTIONS: usize = 8;
/// Maximum nesting depth of these functions.
const MAX_DEPTH: usize = 8;

/// A function within a result, with the types of its parameters.
type Found<'v> = (&'v FunctionValue, Vec<Type>);

impl Interp<'_> {
    /// Returns argument lists for a function in the results of `unit`: first those that kill most
    /// mutants of the unit, then a few for every function. Empty if they need objects.
    pub fn questions(
        &self,
        unit: CallableId,
        function: &FunctionValue,
        params: &[Type],
        heap: &Heap,
    ) -> Vec<Vec<Value>> {
        let candidates: Vec<(Vec<Value>, Value)> = self
            .candidates(function, params)
            .into_iter()
            .filter_map(|args| {
                let answer = self.applied(function, &args, heap)?;
                Some((args, answer))
            })
            .collect();
        // The mutants that each candidate kills.
        let mutants: Vec<Runnable> = if candidates.len() > 1 && self.is_code(function) {
            let all = self.mutants(unit).into_iter();
            all.filter(|m| m.is_in_lambda())
                .filter_map(|m| self.runnable(m))
                .collect()
        } else {
            Vec::new()
        };
        let killed = |(args, answer): &(Vec<Value>, Value)| -> SortedSet<usize> {
            let differs = |m: &Runnable| {
                let other = self.with_variant(m, || self.applied(function, args, heap));
                other.is_some_and(|other| differ(answer, &other))
            };
            (0..mutants.len())
                .filter(|i| mutants.get(*i).is_some_and(differs))
                .collect()
        };
        let mut kills: Vec<SortedSet<usize>> = candidates.iter().map(killed).collect();
        // Greedily, the next argument list is the one that kills most of the mutants that are left.
        let mut chosen: Vec<usize> = Vec::new();
        while let Some((_, Reverse(best))) = kills
            .iter()
            .enumerate()
            .map(|(i, k)| (k.len(), Reverse(i)))
            .max()
            .filter(|(count, _)| *count > 0)
        {
            let done = kills.get(best).cloned().unwrap_or_default();
            chosen.push(best);
            for k in &mut kills {
                k.retain(|m| !done.contains(m));
            }
        }
        // Results that differ from the known ones first, because they show more.
        let mut seen: Vec<&Value> = Vec::new();
        let mut others: Vec<usize> = Vec::new();
        for (i, (_, answer)) in candidates.iter().enumerate() {
            if !seen.contains(&answer) {
                seen.push(answer);
                others.push(i);
            }
        }
        others.extend(0..candidates.len());
        for i in others {
            if chosen.len() < MIN_QUESTIONS && !chosen.contains(&i) {
                chosen.push(i);
            }
        }
        chosen.sort_unstable();
        let args = |i: usize| candidates.get(i).map(|(args, _)| args.clone());
        chosen.into_iter().filter_map(args).collect()
    }

    /// Whether a function in the results of the unit, and the corresponding one of a mutant, have
    /// different results for some of the arguments.
    pub(super) fn answer_differently(
        &self,
        unit: CallableId,
        runnable: &Runnable,
        inputs: &Inputs,
        (execution, other): (&Execution, &Execution),
    ) -> bool {
        let (Outcome::Returned(results), Outcome::Returned(others)) =
            (&execution.outcome, &other.outcome)
        else {
            return false;
        };
        let typed = &self.program.typed;
        let map = typed
            .all_type_params(unit)
            .into_iter()
            .zip(inputs.type_args.iter().cloned())
            .collect();
        for ((result, other_result), out) in results.iter().zip(others).zip(&typed[unit].outs) {
            let (Some(result), Some(other_result)) = (result, other_result) else {
                continue;
            };
            let ty = typed[out.local].ty.subst(&map);
            let (own, theirs) = (
                self.functions(result, &ty),
                self.functions(other_result, &ty),
            );
            // The functions correspond, because the results have the same shape.
            for ((function, params), (changed, _)) in own.iter().zip(&theirs) {
                if !self.is_code(function) {
                    continue;
                }
                let differs = |args: Vec<Value>| {
                    let answer = self.applied(function, &args, &execution.heap);
                    let changed =
                        self.with_variant(runnable, || self.applied(changed, &args, &other.heap));
                    matches!((answer, changed), (Some(a), Some(b)) if differ(&a, &b))
                };
                if self.candidates(function, params).into_iter().any(differs) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a function is code of the program, and not an input.
    fn is_code(&self, function: &FunctionValue) -> bool {
        matches!(
            function,
            FunctionValue::Closure { .. } | FunctionValue::Named { receiver: None, .. }
        )
    }

    /// The functions within a value, with the types of their parameters.
    fn functions<'v>(&self, value: &'v Value, ty: &Type) -> Vec<Found<'v>> {
        let typed = &self.program.typed;
        let mut found = Vec::new();
        let mut work = vec![(value, ty.clone(), MAX_DEPTH)];
        while let Some((value, ty, depth)) = work.pop() {
            if depth == 0 || found.len() >= MAX_FUNCTIONS {
                break;
            }
            match (value, &typed.representation(&ty)) {
                (Value::Function(f), Type::Arrow { params, .. }) => {
                    found.push((&**f, params.clone()))
                }
                (Value::Seq(items), Type::Seq(elem)) => {
                    work.extend(items.iter().rev().map(|v| (v, (**elem).clone(), depth - 1)));
                }
                (Value::Tuple(items), Type::Tuple(types)) => {
                    let parts = items.iter().zip(types).rev();
                    work.extend(parts.map(|(v, (_, ty))| (v, ty.clone(), depth - 1)));
                }
                (Value::Map(pairs), Type::Map { value: ty, .. }) => {
                    let values = pairs.values().rev();
                    work.extend(values.map(|v| (v, (**ty).clone(), depth - 1)));
                }
                (Value::Datatype(d), Type::Named { decl, args, .. })
                    if matches!(typed[*decl].kind, TypeDeclKind::Datatype { .. }) =>
                {
                    let map = typed.substitution(*decl, args);
                    let fields = typed[d.ctor]
                        .fields
                        .iter()
                        .map(|f| typed[*f].ty.subst(&map));
                    let parts: Vec<(&Value, Type)> = d.args.iter().zip(fields).collect();
                    work.extend(parts.into_iter().rev().map(|(v, ty)| (v, ty, depth - 1)));
                }
                (_, _) => {}
            }
        }
        found
    }

    /// Argument lists on which a function may show its behaviour: near its captured values and the
    /// literals of its body, then samples of the types.
    fn candidates(&self, function: &FunctionValue, params: &[Type]) -> Vec<Vec<Value>> {
        let near = self.near(function);
        // Arguments with objects would need a heap, which the result does not have.
        let (nothing, heap) = (State::default(), Heap::default());
        let column = |ty: &Type| {
            let samples = probes(&self.program.typed, &nothing, ty);
            let mut column: Vec<Value> = Vec::new();
            for value in near.iter().cloned().chain(samples) {
                if column.len() < MAX_VALUES
                    && !column.contains(&value)
                    && self.value_has_type(&value, ty, &heap).is_true()
                {
                    column.push(value);
                }
            }
            column
        };
        let columns: Vec<Vec<Value>> = params.iter().map(column).collect();
        if let [only] = columns.as_slice() {
            return only.iter().map(|v| vec![v.clone()]).collect();
        }
        let mut all = rows(&columns);
        all.truncate(MAX_CANDIDATES);
        all
    }

    /// Values near those that a closure captured and the literals of its body.
    fn near(&self, function: &FunctionValue) -> Vec<Value> {
        let FunctionValue::Closure {
            lambda, captured, ..
        } = function
        else {
            return Vec::new();
        };
        let mut known: Vec<Value> = Vec::new();
        let mut work: Vec<&Expr> = Vec::new();
        work.extend(self.program.lambdas.get(*lambda as usize).map(|l| &l.body));
        while let Some(e) = work.pop() {
            if let ExprKind::Literal(literal) = &e.kind {
                known.extend(of_literal(literal));
            }
            work.extend(e.children().into_iter().rev());
        }
        // Parts of captured values serve as elements and fields.
        let captured = captured.iter().flat_map(Value::within).take(MAX_VALUES);
        let is_plain = |v: &&Value| {
            !v.within()
                .any(|v| matches!(v, Value::Ref(_) | Value::Function(_) | Value::Lazy(_)))
        };
        known.extend(captured.filter(is_plain).cloned());
        let mut found: Vec<Value> = Vec::new();
        for value in known {
            for v in neighbours(&value) {
                if !found.contains(&v) {
                    found.push(v);
                }
            }
        }
        found
    }
}

/// Whether two results certainly differ. Functions and objects are not compared.
fn differ(a: &Value, b: &Value) -> bool {
    let is_plain = |v: &Value| {
        !v.within()
            .any(|v| matches!(v, Value::Ref(_) | Value::Function(_) | Value::Lazy(_)))
    };
    a != b && is_plain(a) && is_plain(b)
}

fn of_literal(literal: &Literal) -> Option<Value> {
    match literal {
        Literal::Int(n) => Some(Value::Int(n.clone())),
        Literal::Real(r) => Some(Value::Real(r.clone())),
        Literal::Char(c) => Some(Value::Char(*c)),
        Literal::String(s) => Some(Value::seq(s.iter().map(|c| Value::Char(*c)))),
        Literal::Bool(_) | Literal::Null => None,
    }
}

/// A value and those next to it: a number one less and more, a sequence with an element less and
/// more.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(n) => vec![
            value.clone(),
            Value::Int(n - BigInt::one()),
            Value::Int(n + BigInt::one()),
        ],
        Value::Seq(items) => {
            let mut all = vec![value.clone()];
            if let (Some(first), Some((_, rest))) = (items.first(), items.split_last()) {
                all.push(Value::seq(items.iter().cloned().chain([first.clone()])));
                all.push(Value::seq(rest.iter().cloned()));
            }
            all
        }
        Value::Bool(_)
        | Value::Char(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Set(_)
        | Value::Multiset(_)
        | Value::Map(_)
        | Value::Tuple(_)
        | Value::Datatype(_)
        | Value::Null
        | Value::Ref(_)
        | Value::Function(_)
        | Value::Newtype(_)
        | Value::Lazy(_) => vec![value.clone()],
    }
}
