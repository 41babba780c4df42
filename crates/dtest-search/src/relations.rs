//! Changes that relate the parts of inputs to each other: a name in a record is that of another one,
//! a key that is looked up is in the map, and a few values occur again and again.
//!
//! Values that are drawn one by one differ almost always, so that lookups fail, elections have no
//! votes and groups have one member. Programs are interesting where values coincide (small scopes:
//! Jackson and Damon, *Elements of Style: Analyzing a Software Design Feature with a Counterexample
//! Detector*, 1996).

use super::mutate::Mutator;
use super::parts::{self, Scope};
use super::structural::{MAX_CHARACTERS, MAX_PLACES};
use dafny_resolve::typed::Type;
use dtest_interp::xorshift::Xorshift;
use dtest_interp::{Inputs, Interp};
use dtest_value::Value;

/// Maximum number of values that are put elsewhere.
const MAX_SOURCES: usize = 80;
/// Maximum number of distinct values that parts of one type are mixed from.
const MAX_DISTINCT: usize = 3;

impl Mutator<'_> {
    /// The inputs with a value put where there was another one of its type, or added to a
    /// collection: a key that is looked up is in the map then, a name in a record is that of
    /// another one, and a word is in the text.
    pub(super) fn linked(
        &mut self,
        interp: &Interp<'_>,
        inputs: &Inputs,
        scope: Scope,
    ) -> Option<Inputs> {
        let sources = parts::all_values(self.program, &self.types, inputs, MAX_SOURCES);
        let mut places = self.places(inputs, scope);
        let args = inputs.args.len();
        let single = parts::parts(self.program, &self.types, inputs, MAX_PLACES);
        places.extend(
            single
                .into_iter()
                .filter(|p| scope == Scope::Objects || p.slot < args),
        );
        let place = self.random.pick(&places)?;
        let ty = self.program.representation(&place.ty);
        let source = |ty: &Type, random: &mut Xorshift| {
            let ty = self.program.representation(ty);
            let fitting: Vec<&Value> = sources
                .iter()
                .filter(|(v, t)| *t == ty && *v != place.value)
                .map(|(v, _)| v)
                .collect();
            random.pick(&fitting).copied().cloned()
        };
        let value = match (&place.value, &ty) {
            (Value::Map(pairs), Type::Map { key, value, .. }) if self.random.below(4) > 0 => {
                let key = source(key, &mut self.random)?;
                let values: Vec<&Value> = pairs.values().collect();
                let value = match self.random.pick(&values) {
                    Some(v) if self.random.flip() => (*v).clone(),
                    Some(_) | None => match source(value, &mut self.random) {
                        Some(v) if self.random.flip() => v,
                        Some(_) | None => self.any_small(interp, value)?,
                    },
                };
                let pairs = pairs.iter().map(|(k, v)| (k.clone(), v.clone()));
                Value::map(pairs.chain([(key, value)]))
            }
            (Value::Set(xs), Type::Set { elem, .. }) if self.random.below(4) > 0 => {
                let new = source(elem, &mut self.random)?;
                Value::set(xs.iter().cloned().chain([new]))
            }
            (Value::Seq(xs), Type::Seq(elem)) if self.random.flip() => {
                let mut xs = xs.to_vec();
                let at = self.random.below(xs.len() + 1);
                match source(&ty, &mut self.random) {
                    // The whole of another sequence, such as a word of a text.
                    Some(Value::Seq(other)) if self.random.flip() => {
                        xs.splice(at..at, other.to_vec()).for_each(drop);
                    }
                    Some(_) | None => xs.insert(at, source(elem, &mut self.random)?),
                }
                if xs.len() > MAX_CHARACTERS {
                    return None;
                }
                Value::seq(xs)
            }
            _others => source(&ty, &mut self.random)?,
        };
        parts::with(inputs, place, value)
    }

    /// The inputs with all parts of one type drawn from few values, so that many are equal.
    pub(super) fn mixed(
        &mut self,
        interp: &Interp<'_>,
        inputs: &Inputs,
        scope: Scope,
    ) -> Option<Inputs> {
        let args = inputs.args.len();
        let mut places = parts::parts(self.program, &self.types, inputs, MAX_PLACES);
        places.retain(|p| scope == Scope::Objects || p.slot < args);
        let ty = self.program.representation(&self.random.pick(&places)?.ty);
        places.retain(|p| self.program.representation(&p.ty) == ty);
        let mut known: Vec<Value> = Vec::new();
        for (value, of) in parts::all_values(self.program, &self.types, inputs, MAX_SOURCES) {
            if of == ty && !known.contains(&value) {
                known.push(value);
            }
        }
        let mut few: Vec<Value> = Vec::new();
        for _ in 0..=self.random.below(MAX_DISTINCT) {
            few.extend(self.random.pick(&known).cloned());
        }
        if few.len() < 2 {
            few.extend(self.any_small(interp, &ty));
        }
        let mut out = inputs.clone();
        for place in &places {
            if self.random.below(3) > 0
                && let Some(value) = self.random.pick(&few).cloned()
            {
                out = parts::with(&out, place, value)?;
            }
        }
        (out != *inputs).then_some(out)
    }
}
