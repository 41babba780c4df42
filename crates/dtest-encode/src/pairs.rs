//! Input-output pairs of observed executions, used in place of a callee's body.
//!
//! A call without a copy of its callee may equal a call of an observed execution. Then its results
//! and the goals that it reaches are known (Christ, Hoenicke, Schäf 2012, section 6). Pairs are an
//! under-approximation; every execution adds to them.
//!
//! Key types: [`Pairs`], [`Known`]. Key function: [`Encoder::by_pairs`].

use super::value::Sym;
use super::{Encoder, Frame};
use dafny_resolve::typed::{CallableId, FieldId, Substitution, Type};
use dtest_interp::Pair;
use dtest_ir::Procedure;
use dtest_smt::{Sort, Term};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::Value;

/// The limit of pairs of one callee in an encoding.
const MAX_PAIRS: usize = 16;

/// The selected pairs by callee.
#[derive(Clone, Debug, Default)]
pub struct Pairs(SortedMap<CallableId, Vec<Pair>>);

impl Pairs {
    /// Selects from all pairs: first pairs with different results and goals, then further ones up
    /// to the limit.
    pub fn of(all: Vec<Pair>) -> Self {
        let mut by_callee: SortedMap<CallableId, Vec<Pair>> = SortedMap::new();
        let mut rest: Vec<Pair> = Vec::new();
        for pair in all {
            let chosen = by_callee.entry(pair.callee).or_default();
            // Pairs that differ in results, goals or effects come first; the rest only fills up.
            let writes = |p: &Pair| p.on.as_ref().map(|o| o.writes.clone());
            let is_new = chosen.iter().all(|c| {
                c.results != pair.results || c.goals != pair.goals || writes(c) != writes(&pair)
            });
            if chosen.len() < MAX_PAIRS && is_new {
                chosen.push(pair);
            } else {
                rest.push(pair);
            }
        }
        // Remaining places are filled in the order of recording.
        for pair in rest {
            let chosen = by_callee.entry(pair.callee).or_default();
            if chosen.len() < MAX_PAIRS {
                chosen.push(pair);
            }
        }
        Self(by_callee)
    }
}

/// The result of a call according to pairs.
pub(super) struct Known {
    /// The condition that the call equals one of the pairs.
    pub(super) cond: Term,
    pub(super) results: Vec<Sym>,
    /// The new values of fields of arguments.
    pub(super) writes: Vec<(usize, FieldId, Sym)>,
}

impl Encoder<'_> {
    /// Encodes a call by pairs: its results and its effects on fields. `None` if no pair fits.
    pub(super) fn by_pairs(
        &mut self,
        proc: &Procedure,
        type_args: &[Type],
        args: &[Sym],
    ) -> Option<Known> {
        let pairs = self.fitting_pairs(proc, type_args)?;
        if pairs.is_empty() {
            return None;
        }
        let subst: Substitution = proc
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let frame = Frame::new(&proc.vars, std::rc::Rc::new(subst));
        // The fresh condition lets the solver choose between the pairs and the copy. The results
        // are fresh variables that the chosen pair constrains.
        let known = self.t.fresh("known", Sort::Bool);
        let types: Vec<Type> = proc
            .outs
            .iter()
            .map(|v| frame.type_of(*v).unwrap_or(Type::Error))
            .collect();
        let results: Vec<Sym> = types.iter().map(|ty| self.unknown_result(ty)).collect();
        let on = || pairs.iter().filter_map(|p| p.on.as_ref());
        // Pairs depend on fields of their receivers as well, so that these count as inputs and
        // outputs.
        let touched = on().flat_map(|o| {
            o.reads
                .iter()
                .chain(&o.writes)
                .map(|(field, _)| (o.receiver, *field))
        });
        let before: SortedMap<(usize, FieldId), Sym> = touched
            .collect::<SortedSet<_>>()
            .into_iter()
            .map(|(i, field)| ((i, field), self.held(args, i, field)))
            .collect();
        let written: SortedSet<(usize, FieldId)> = on()
            .flat_map(|o| o.writes.iter().map(|(field, _)| (o.receiver, *field)))
            .collect();
        let writes: Vec<(usize, FieldId, Sym)> = written
            .into_iter()
            .map(|(i, field)| {
                let ty = self.typed()[field].ty.clone();
                (i, field, self.unknown_result(&ty))
            })
            .collect();
        let mut some = self.t.ff;
        for pair in &pairs {
            let same = self.equals_pair(known, pair, args, &before);
            some = self.t.or(some, same);
            self.assume_pair(same, pair, &results, &writes, &before);
            self.reaches(&pair.goals, same);
        }
        // If pairs are chosen, some pair has to fit.
        let meant = self.t.implies(known, some);
        self.require(meant);
        Some(Known {
            cond: known,
            results,
            writes,
        })
    }

    /// Returns the pairs of a procedure for these type arguments that depend on scalar fields only.
    fn fitting_pairs(&self, proc: &Procedure, type_args: &[Type]) -> Option<Vec<Pair>> {
        let pairs: Vec<Pair> = self
            .calls
            .pairs
            .0
            .get(&proc.callable)?
            .iter()
            .filter(|p| p.type_args == type_args)
            .cloned()
            .collect();
        // The representation of a field whose type is a type parameter depends on the class.
        let is_scalar = |field: &FieldId| {
            matches!(
                self.typed().representation(&self.typed()[*field].ty),
                Type::Bool | Type::Int | Type::Char
            )
        };
        let is_plain = |p: &Pair| {
            p.on.iter()
                .flat_map(|o| o.reads.iter().chain(&o.writes))
                .all(|(field, _)| is_scalar(field))
        };
        Some(pairs.into_iter().filter(is_plain).collect())
    }

    /// Returns the condition that `known` holds and that the call equals a pair: arguments and fields
    /// have the observed values.
    fn equals_pair(
        &mut self,
        known: Term,
        pair: &Pair,
        args: &[Sym],
        before: &SortedMap<(usize, FieldId), Sym>,
    ) -> Term {
        // Of a reference only nullness matters.
        let mut same = known;
        for (arg, value) in args.iter().zip(&pair.args) {
            let equal = match (arg, value) {
                (Sym::Ref(r), Value::Null | Value::Ref(_)) => {
                    let zero = self.t.int(0);
                    if *value == Value::Null {
                        self.t.eq(*r, zero)
                    } else {
                        self.t.ne(*r, zero)
                    }
                }
                (arg, value) => self.equals_value(arg, value),
            };
            same = self.t.and(same, equal);
        }
        let Some(on) = &pair.on else { return same };
        for (field, value) in &on.reads {
            let Some(held) = before.get(&(on.receiver, *field)) else {
                continue;
            };
            let equal = self.equals_value(held, value);
            same = self.t.and(same, equal);
        }
        same
    }

    /// Assumes that results and written fields have the observed values where the call equals a
    /// pair.
    fn assume_pair(
        &mut self,
        same: Term,
        pair: &Pair,
        results: &[Sym],
        writes: &[(usize, FieldId, Sym)],
        before: &SortedMap<(usize, FieldId), Sym>,
    ) {
        let mut left = SortedMap::new();
        if let Some(on) = &pair.on {
            left.extend(
                on.writes
                    .iter()
                    .map(|(field, value)| ((on.receiver, *field), value)),
            );
        }
        for (result, value) in results.iter().zip(&pair.results) {
            let equal = self.equals_value(result, value);
            let fact = self.t.implies(same, equal);
            self.assumed.facts.push(fact);
        }
        for (i, field, result) in writes {
            // A field that another pair writes stays unchanged by this one.
            let equal = match (left.get(&(*i, *field)), before.get(&(*i, *field))) {
                (Some(value), _) => self.equals_value(result, value),
                (None, Some(held)) => self.equal(result, held),
                (None, None) => continue,
            };
            let fact = self.t.implies(same, equal);
            self.assumed.facts.push(fact);
        }
    }

    /// Creates a result that pairs will constrain. It is no input, so that it adds neither hints
    /// nor leaves.
    fn unknown_result(&mut self, ty: &Type) -> Sym {
        let (hints, leaves) = (self.inputs.hints.len(), self.inputs.leaves.len());
        let result = self.in_specification(|e| e.input("result", ty));
        self.inputs.hints.truncate(hints);
        self.inputs.leaves.truncate(leaves);
        result
    }

    /// Returns the value of a field of an argument.
    fn held(&mut self, args: &[Sym], i: usize, field: FieldId) -> Sym {
        let ty = self.typed()[field].ty.clone();
        let object = args.get(i).cloned().unwrap_or(Sym::Any);
        let (value, _) = self.isolated(|e| e.read_field(&object, field, &ty));
        value
    }
}
