//! Diversification of inputs: numbers become different from each other and from 0 and 1, sequences
//! and arrays get a few elements, and constant functions become ones that depend on their
//! arguments.
//!
//! Simplified inputs let mutants survive that have nothing to do with the goal: a sum of zeros is
//! also a difference and a product, equal elements do not reveal their order, a bit pattern without
//! bits is the same wherever it is shifted, and all functions agree on the empty sequence. [`vary`]
//! is the entry point; [`rewrite_inputs`] is the traversal that other stages use, too.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::One;

use super::constants::Constants;
use super::enlarge_collections::{Grown, Places, grown};
use super::seeds::{Maker, combined};
use super::shrink::is_as_good;
use super::validate::{Candidate, Validator};
use dafny_resolve::typed::{Program, Substitution, Type};
use dtest_interp::Inputs;
use dtest_sorted::SortedSet;
use dtest_value::{Contents, FunctionValue, Heap, Template, Value, real};

/// Maximum number of executions per test.
const MAX_CANDIDATES: usize = 24;
/// Values for weak numbers: sums, differences and products of them differ. They are not sorted, so
/// that a sorted input is not produced by accident.
const PRIMES: [u32; 12] = [3, 2, 7, 5, 13, 11, 19, 17, 29, 23, 37, 31];
/// Maximum number of places whose collections are enlarged one by one.
const MAX_PLACES: usize = 8;
/// Maximum number of entries of a table, and of values of one parameter in them.
const MAX_TABLE_ROWS: usize = 8;
const MAX_TABLE_COLUMN: usize = 4;
/// Number of rounds of table creation: a table may be applied to the results of another.
const TABLE_ROUNDS: usize = 2;
/// Nesting of values in tables.
const TABLE_DEPTH: u32 = 1;
/// Number of results that are moved to the end: the first values of a type are the trivial ones.
const TRIVIAL_RESULTS: usize = 3;
/// A bit pattern without regularities, repeated for wide vectors.
const BIT_PATTERN: u64 = 0x9A3C_5E71_D248_B6E5;

/// The candidate with diversified inputs, if all goals stay covered; otherwise the candidate
/// itself.
pub(super) fn vary(validator: &mut Validator<'_>, candidate: Candidate) -> Candidate {
    let (findings, blocked) = (validator.findings.len(), validator.blocked.clone());
    let mut best = candidate;
    let typed = &validator.interp().program().typed;
    let template = |params: &[Type], result: &Type| {
        telling_template(typed, params, result).map(FunctionValue::Template)
    };
    // All functions at once first, then each alone.
    for inputs in with_functions(validator, &best.inputs, &template) {
        if let Some(better) = attempt(validator, &best, inputs) {
            best = better;
            break;
        }
    }
    // Collections grow before numbers change, so that new elements are diversified, too.
    best = with_elements(validator, best);
    // All weak numbers at once, then one by one.
    let places = weak_places(&best.inputs);
    let mut tries: Vec<SortedSet<usize>> = vec![places.iter().copied().collect()];
    if places.len() > 1 {
        tries.extend(places.iter().map(|p| SortedSet::from([*p])));
    }
    for (i, places) in tries.into_iter().take(MAX_CANDIDATES).enumerate() {
        if places.is_empty() {
            break;
        }
        let inputs = strengthened(&best.inputs, &places);
        if let Some(better) = attempt(validator, &best, inputs) {
            best = better;
            if i == 0 {
                break;
            }
        }
    }
    // Tables come last: their entries depend on the values that the inputs hold now.
    best = with_tables(validator, best);
    // Candidates that were validated on the way are not inputs that the search was asked for: their
    // violations are dropped.
    validator.findings.truncate(findings);
    validator.blocked = blocked;
    best
}

/// The candidate with tables instead of functions that are still constant. A table may be applied
/// to the results of another, so that there are several rounds.
fn with_tables(validator: &mut Validator<'_>, candidate: Candidate) -> Candidate {
    let mut best = candidate;
    // The tables of one round are arguments of the next.
    for _ in 0..TABLE_ROUNDS {
        let inputs = best.inputs.clone();
        // The candidates hold tables for all constant functions, and for each of them alone.
        let candidates = with_functions(validator, &inputs, &|params, result| {
            telling_table(validator, &inputs, params, result)
        });
        // The first valid candidate is enough: the candidates are in the order of preference.
        let Some(better) = candidates
            .into_iter()
            .find_map(|inputs| attempt(validator, &best, inputs))
        else {
            break;
        };
        best = with_short_tables(validator, better);
    }
    best
}

/// The candidate with a few elements in every collection; if that is not valid, in as many
/// collections as possible.
fn with_elements(validator: &mut Validator<'_>, candidate: Candidate) -> Candidate {
    let all = grown(validator, &candidate.inputs, Places::All);
    if all.places == 0 {
        return candidate;
    }
    let places = all.places;
    // Many preconditions relate collections, so that all must grow together.
    if let Some(better) = with_grown(validator, &candidate, all) {
        return better;
    }
    let mut best = candidate;
    if places > 1 {
        let mut at = 0;
        for _ in 0..places.min(MAX_PLACES) {
            let one = grown(validator, &best.inputs, Places::One(at));
            match with_grown(validator, &best, one) {
                // The enlarged collection is no longer a place, so that the next place has this
                // number.
                Some(better) => best = better,
                None => at += 1,
            }
        }
    }
    best
}

/// The first valid candidate of enlarged inputs: with diversified numbers, with these in ascending
/// order, or unchanged.
fn with_grown(validator: &mut Validator<'_>, best: &Candidate, grown: Grown) -> Option<Candidate> {
    // Adjusted lengths first, because a precondition often requires them.
    for inputs in grown.followed.into_iter().chain([grown.plain]) {
        let all: SortedSet<usize> = weak_places(&inputs).into_iter().collect();
        let in_order = in_ascending_order(&strengthened(&inputs, &all));
        let candidates = [strengthened(&inputs, &all), in_order, inputs];
        if let Some(better) = candidates
            .into_iter()
            .find_map(|inputs| attempt(validator, best, inputs))
        {
            return Some(better);
        }
    }
    None
}

/// Validates other inputs. Returns the candidate if it is as good as `best`.
pub(super) fn attempt(
    validator: &mut Validator<'_>,
    best: &Candidate,
    inputs: Inputs,
) -> Option<Candidate> {
    let candidate = validator.validate(inputs)?;
    is_as_good(&candidate, best, &best.covers).then_some(candidate)
}

/// The inputs with discriminating functions instead of constant ones: all replaced together, then
/// each alone. `telling_of` returns such a function for a type.
fn with_functions(
    validator: &Validator<'_>,
    inputs: &Inputs,
    telling_of: &dyn Fn(&[Type], &Type) -> Option<FunctionValue>,
) -> Vec<Inputs> {
    let (interp, procedure) = (validator.interp(), validator.procedure());
    let typed = &interp.program().typed;
    // Types in the inputs are concrete, so that type parameters are substituted.
    let subst: Substitution = procedure
        .type_params
        .iter()
        .copied()
        .zip(inputs.type_args.iter().cloned())
        .collect();
    let mut telling = Vec::new();
    // Only constant functions are replaced. Others were chosen by the solver or the user for a
    // reason.
    for (i, (param, arg)) in procedure.params.iter().zip(&inputs.args).enumerate() {
        let Some(info) = procedure.vars.get(param.0 as usize) else {
            continue;
        };
        let Value::Function(f) = arg else { continue };
        let is_constant =
            matches!(&**f, FunctionValue::Table { entries, .. } if entries.is_empty());
        let Type::Arrow { params, result, .. } = typed.strip_subset(&info.ty.subst(&subst)) else {
            continue;
        };
        let params: Vec<Type> = params.iter().map(|t| typed.strip_subset(t)).collect();
        if !is_constant {
            continue;
        }
        let result = typed.strip_subset(&result);
        telling.extend(telling_of(&params, &result).map(|f| (i, Value::Function(Arc::new(f)))));
    }
    // Replaces some of the arguments by their functions.
    let with = |some: &[(usize, Value)]| {
        let mut other = inputs.clone();
        for (i, f) in some {
            if let Some(arg) = other.args.get_mut(*i) {
                *arg = f.clone();
            }
        }
        other
    };
    // If only one function was replaced, the candidate with all of them is the same.
    let each = telling
        .iter()
        .map(|one| with(std::slice::from_ref(one)))
        .filter(|_| telling.len() > 1);
    [&telling[..]]
        .into_iter()
        .filter(|all| !all.is_empty())
        .map(with)
        .chain(each)
        .collect()
}

/// A function of the given type whose result depends on all arguments, and on their order if
/// possible.
fn telling_template(program: &Program, params: &[Type], result: &Type) -> Option<Template> {
    match (params, result) {
        ([Type::Int], Type::Int) => Some(Template::Successor),
        ([Type::Int, Type::Int], Type::Int) => Some(Template::Mix),
        ([Type::Int], Type::Bool) => Some(Template::Odd),
        (
            [Type::Int, Type::Int] | [Type::Real, Type::Real] | [Type::Char, Type::Char],
            Type::Bool,
        ) => Some(Template::Less),
        ([a], r) if a == r => Some(Template::Identity),
        ([a, b], Type::Bool) if a == b && program.supports_equality(a) => Some(Template::Equal),
        (_, _) => None,
    }
}

/// A table with different results for the arguments that the function is likely to be applied to:
/// values of the parameter types that the inputs hold, and a few others. `None` if the result type
/// has only one value, or values hold references.
fn telling_table(
    validator: &Validator<'_>,
    inputs: &Inputs,
    params: &[Type],
    result: &Type,
) -> Option<FunctionValue> {
    let interp = validator.interp();
    let typed = &interp.program().typed;
    if !params
        .iter()
        .chain([result])
        .all(|t| typed.holds_no_references(t))
    {
        return None;
    }
    // Values are made without constants of the program: any distinct values will do.
    let constants = Constants::default();
    let mut maker = Maker::new(interp.program(), interp, &constants);
    let mut results = maker.values(result, TABLE_DEPTH, &mut Heap::default());
    let by = TRIVIAL_RESULTS.min(results.len().saturating_sub(1));
    // The most trivial results become the last ones, and the first remaining one the default.
    results.rotate_left(by);
    // A function with only one possible result cannot reveal its arguments.
    let (default, others) = results.split_first()?;
    if others.is_empty() {
        return None;
    }
    let held: Vec<&Value> = inputs
        .args
        .iter()
        .chain(inputs.heap.contents())
        .flat_map(Value::within)
        .flat_map(held_by)
        .collect();
    // One column of candidate arguments per parameter.
    let mut columns = Vec::new();
    for ty in params {
        let is_one = |v: &&&Value| interp.value_has_type(v, ty, &inputs.heap).is_true();
        // Values of the inputs come first: these are what the unit applies the function to.
        let mut seen = SortedSet::new();
        let own = held
            .iter()
            .filter(is_one)
            .map(|v| (*v).clone())
            .chain(results.iter().filter(|_| ty == result).cloned());
        let known: Vec<Value> = own
            .chain(maker.values(ty, TABLE_DEPTH, &mut Heap::default()))
            .filter(|v| seen.insert(v.clone()))
            .take(MAX_TABLE_COLUMN)
            .collect();
        columns.push(known);
    }
    let rows = combined(&columns, MAX_TABLE_ROWS);
    // Results are assigned to the rows in turn, so that neighbouring rows differ.
    (!rows.is_empty()).then(|| FunctionValue::Table {
        entries: rows
            .into_iter()
            .zip(others.iter().cycle().cloned())
            .collect(),
        default: default.clone(),
    })
}

/// The value itself; for a function that is a table, its results.
fn held_by(value: &Value) -> Vec<&Value> {
    if let Value::Function(f) = value {
        match &**f {
            FunctionValue::Table { entries, default } => {
                entries.iter().map(|(_, v)| v).chain([default]).collect()
            }
            FunctionValue::Template(_)
            | FunctionValue::Partial { .. }
            | FunctionValue::Closure { .. }
            | FunctionValue::Named { .. } => Vec::new(),
        }
    } else {
        vec![value]
    }
}

/// The candidate without table entries that are not used: removing one changes neither the outcome
/// nor the heap.
fn with_short_tables(validator: &mut Validator<'_>, candidate: Candidate) -> Candidate {
    let mut best = candidate;
    // Each table is shortened entry by entry. A removed entry shifts the next one to its index.
    for i in 0..best.inputs.args.len() {
        let mut at = 0;
        while let Some(inputs) = without_entry(&best.inputs, i, at) {
            let same = |t: &Candidate| {
                t.execution.outcome == best.execution.outcome
                    && t.execution.heap == best.execution.heap
            };
            match attempt(validator, &best, inputs).filter(same) {
                Some(shorter) => best = shorter,
                None => at += 1,
            }
        }
    }
    best
}

/// The inputs with a table argument without one of its entries; `None` if there is no such entry or
/// it is the only one.
fn without_entry(inputs: &Inputs, arg: usize, entry: usize) -> Option<Inputs> {
    let Value::Function(f) = inputs.args.get(arg)? else {
        return None;
    };
    let FunctionValue::Table { entries, default } = &**f else {
        return None;
    };
    // A table must keep at least one entry, or it would be a constant function.
    if entries.len() < 2 || entry >= entries.len() {
        return None;
    }
    let mut shorter = entries.clone();
    shorter.remove(entry);
    let mut out = inputs.clone();
    let table = FunctionValue::Table {
        entries: shorter,
        default: default.clone(),
    };
    *out.args.get_mut(arg)? = Value::Function(Arc::new(table));
    Some(out)
}

/// The inputs with sorted sequences and arrays, which many preconditions require.
fn in_ascending_order(inputs: &Inputs) -> Inputs {
    let mut out = inputs.clone();
    for arg in &mut out.args {
        // Sequences are sorted as values, arrays in place.
        if let Value::Seq(xs) = &*arg {
            let mut sorted = xs.to_vec();
            sorted.sort();
            *arg = Value::seq(sorted);
        }
    }
    for object in &mut out.heap.objects {
        if let Contents::Elements(elements) = &mut object.contents {
            elements.sort();
        }
    }
    out
}

/// Positions, in the order of [`rewrite_inputs`], of numbers that reveal little: repeated or
/// neutral ones.
fn weak_places(inputs: &Inputs) -> Vec<usize> {
    let (mut weak, mut seen, mut place) = (Vec::new(), SortedSet::new(), 0);
    rewrite_inputs(inputs, &mut |v| {
        // The first occurrence of a value is kept, and every repetition is weak.
        let is_known = !seen.insert(v.clone());
        if is_known || is_neutral(v) {
            weak.push(place);
        }
        place += 1;
        None
    });
    weak
}

/// Whether a number is a neutral element of some operation.
fn is_neutral(v: &Value) -> bool {
    // 0 and 1 are neutral for addition and multiplication; -1 behaves like 1 up to the sign.
    let near_zero = |n: &BigInt| n.magnitude() <= &BigUint::one();
    match v {
        Value::Int(n) => near_zero(n),
        Value::Real(r) => r.is_integer() && near_zero(&r.to_integer()),
        Value::Bv { bits, .. } => bits <= &BigUint::one(),
        Value::Bool(_)
        | Value::Char(_)
        | Value::Ordinal(_)
        | Value::Seq(_)
        | Value::Set(_)
        | Value::Multiset(_)
        | Value::Map(_) => false,
        Value::Tuple(_)
        | Value::Datatype(_)
        | Value::Newtype(_)
        | Value::Null
        | Value::Ref(_)
        | Value::Function(_)
        | Value::Lazy(_) => false,
    }
}

/// The inputs with other numbers at these positions. A new number differs from all numbers of the
/// inputs.
fn strengthened(inputs: &Inputs, places: &SortedSet<usize>) -> Inputs {
    let mut taken: SortedSet<Value> = SortedSet::new();
    rewrite_inputs(inputs, &mut |v| {
        taken.insert(v.clone());
        None
    });
    let mut place = 0;
    rewrite_inputs(inputs, &mut |v| {
        let here = place;
        place += 1;
        if !places.contains(&here) {
            return None;
        }
        // The first replacement that is not in the inputs yet.
        let fresh = (0..PRIMES.len())
            .filter_map(|i| stronger(v, i))
            .find(|s| !taken.contains(s))?;
        taken.insert(fresh.clone());
        Some(fresh)
    })
}

/// The `i`-th replacement for a value, or `None`.
fn stronger(v: &Value, i: usize) -> Option<Value> {
    let prime = BigInt::from(*PRIMES.get(i)?);
    match v {
        Value::Int(_) => Some(Value::Int(prime)),
        Value::Real(_) => Some(Value::Real(BigRational::new(
            prime * 2 + 1,
            BigInt::from(2),
        ))),
        Value::Char(c) => char::from_u32(*c)
            .filter(char::is_ascii_alphabetic)
            .map(|_| Value::Char(u32::from(b'a') + i as u32)),
        Value::Bv { width, .. } if *width > 3 => {
            let word = BigUint::from(BIT_PATTERN.rotate_left(i as u32 * 5));
            let words = width.div_ceil(64);
            let all = (0..words).fold(BigUint::from(0u32), |all, _| (all << 64u32) | &word);
            let mask = (BigUint::one() << *width) - BigUint::one();
            Some(Value::Bv {
                width: *width,
                bits: all & mask,
            })
        }
        Value::Bool(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Seq(_)
        | Value::Set(_)
        | Value::Multiset(_)
        | Value::Map(_) => None,
        Value::Tuple(_)
        | Value::Datatype(_)
        | Value::Newtype(_)
        | Value::Null
        | Value::Ref(_)
        | Value::Function(_)
        | Value::Lazy(_) => None,
    }
}

/// The inputs with changed scalars: `change` is called for each number and character, including
/// those of stubs' results, in a fixed order. Keys stay: keys of maps, elements of multisets, and
/// arguments of tables.
pub(super) fn rewrite_inputs(
    inputs: &Inputs,
    change: &mut impl FnMut(&Value) -> Option<Value>,
) -> Inputs {
    rewritten(inputs, false, change)
}

/// The same, but keys are changed too. For injective changes, which do not merge keys.
pub(super) fn rewrite_keys_too(
    inputs: &Inputs,
    change: &mut impl FnMut(&Value) -> Option<Value>,
) -> Inputs {
    rewritten(inputs, true, change)
}

fn rewritten(
    inputs: &Inputs,
    keys: bool,
    change: &mut impl FnMut(&Value) -> Option<Value>,
) -> Inputs {
    let mut out = inputs.clone();
    // Arguments, heap and stubs' results, always in this order: positions are counted in it.
    for arg in &mut out.args {
        *arg = rewrite(arg, keys, change);
    }
    for object in &mut out.heap.objects {
        match &mut object.contents {
            Contents::Fields(fields) => fields
                .values_mut()
                .for_each(|v| *v = rewrite(v, keys, change)),
            Contents::Elements(elements) => elements
                .iter_mut()
                .flatten()
                .for_each(|v| *v = rewrite(v, keys, change)),
        }
    }
    for answer in &mut out.answers {
        let changed = answer.changes.iter_mut().map(|(_, _, v)| v);
        answer
            .results
            .iter_mut()
            .flatten()
            .chain(changed)
            .for_each(|v| *v = rewrite(v, keys, change));
    }
    out
}

/// The inputs with reals in the form that a test writes as literals. The printed form of a real
/// depends on its denominator, and so does that of values computed from it.
pub(super) fn as_literals(inputs: &Inputs) -> Inputs {
    rewrite_inputs(inputs, &mut |v| {
        if let Value::Real(r) = v {
            Some(Value::Real(real::of_literal(r)))
        } else {
            None
        }
    })
}

pub(super) fn rewrite(
    v: &Value,
    keys: bool,
    change: &mut impl FnMut(&Value) -> Option<Value>,
) -> Value {
    changed(v, keys, change).unwrap_or_else(|| v.clone())
}

/// The value with changed scalars; `None` if there are none. Values without changes stay shared,
/// because inputs may hold long sequences.
fn changed(
    v: &Value,
    keys: bool,
    change: &mut impl FnMut(&Value) -> Option<Value>,
) -> Option<Value> {
    Some(match v {
        // Scalars are changed, and composite values rebuilt from their parts.
        Value::Int(_) | Value::Real(_) | Value::Char(_) | Value::Bv { .. } => return change(v),
        Value::Seq(xs) => Value::seq(changed_all(xs.iter(), keys, change)?),
        Value::Set(xs) => Value::set(changed_all(xs.iter(), keys, change)?),
        Value::Map(xs) => {
            let mut is_changed = false;
            let mut pairs = Vec::with_capacity(xs.len());
            for (k, x) in xs.iter() {
                let pair = (changed_key(k, keys, change), changed(x, keys, change));
                is_changed |= pair.0.is_some() || pair.1.is_some();
                pairs.push((
                    pair.0.unwrap_or_else(|| k.clone()),
                    pair.1.unwrap_or_else(|| x.clone()),
                ));
            }
            is_changed.then(|| Value::map(pairs))?
        }
        Value::Tuple(xs) => Value::tuple(changed_all(xs.iter(), keys, change)?),
        Value::Datatype(d) => Value::datatype(d.ctor, changed_all(&d.args, keys, change)?),
        Value::Newtype(n) => n.with(changed(&n.value, keys, change)?),
        Value::Function(f) => match &**f {
            FunctionValue::Table { entries, default } => {
                let key = |a: &Value, change: &mut _| {
                    changed_key(a, keys, change).unwrap_or_else(|| a.clone())
                };
                let entries = entries
                    .iter()
                    .map(|(args, r)| {
                        let args = args.iter().map(|a| key(a, change)).collect();
                        (args, rewrite(r, keys, change))
                    })
                    .collect();
                Value::Function(Arc::new(FunctionValue::Table {
                    entries,
                    default: rewrite(default, keys, change),
                }))
            }
            FunctionValue::Template(_)
            | FunctionValue::Partial { .. }
            | FunctionValue::Closure { .. }
            | FunctionValue::Named { .. } => return None,
        },
        Value::Multiset(xs) => {
            let all = changed_all(xs.keys().filter(|_| keys), keys, change)?;
            Value::Multiset(Arc::new(
                all.into_iter().zip(xs.values().cloned()).collect(),
            ))
        }
        Value::Bool(_) | Value::Ordinal(_) | Value::Null | Value::Ref(_) | Value::Lazy(_) => {
            return None;
        }
    })
}

/// The values with changed scalars; `None` if there are none.
fn changed_all<'v>(
    xs: impl IntoIterator<Item = &'v Value, IntoIter: Clone>,
    keys: bool,
    change: &mut impl FnMut(&Value) -> Option<Value>,
) -> Option<Vec<Value>> {
    let all = xs.into_iter();
    let mut out: Option<Vec<Value>> = None;
    for (i, x) in all.clone().enumerate() {
        match (&mut out, changed(x, keys, change)) {
            (None, None) => {}
            (None, Some(new)) => {
                let before = all.clone().take(i).cloned();
                out = Some(before.chain([new]).collect());
            }
            (Some(out), new) => out.push(new.unwrap_or_else(|| x.clone())),
        }
    }
    out
}

/// The key with changed scalars, if `keys` is set.
fn changed_key(
    v: &Value,
    keys: bool,
    change: &mut impl FnMut(&Value) -> Option<Value>,
) -> Option<Value> {
    keys.then(|| changed(v, keys, change)).flatten()
}
