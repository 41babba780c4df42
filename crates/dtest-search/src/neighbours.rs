//! Inputs that differ from others in one part, listed instead of drawn.
//!
//! Random changes rarely make the one replacement that a mutant needs: another word of a text,
//! another sign between two words, a number that another part of the inputs has. Where inputs reach
//! a mutant already, few such replacements are left, and each is tried once (the deterministic
//! stages of AFL: Zalewski, *american fuzzy lop*, technical notes, sections 6 and 7, over typed
//! values instead of bytes).
//!
//! [`Mutator::neighbours`] lists them so that no part has to wait for all replacements of the parts
//! before it.

use num_bigint::BigInt;

use super::mutate::Mutator;
use super::parts::{self, Part, Scope};
use dafny_resolve::typed::Type;
use dtest_interp::{Inputs, Interp};
use dtest_sorted::SortedSet;
use dtest_value::Value;

/// Maximum number of parts that are replaced, and of replacements of each.
const MAX_PARTS: usize = 24;
const MAX_REPLACEMENTS: usize = 90;
/// Maximum number of constants, and of numbers of the inputs, that replace a number.
const MAX_CONSTANTS: usize = 5;
const MAX_PRESENT: usize = 4;
/// Maximum number of small values that replace a value of another kind.
const MAX_SMALL: usize = 4;
/// Maximum number of inputs whose elements a sequence gets, of values that are taken from each, and
/// of such elements.
const MAX_DONORS: usize = 24;
const MAX_HELD: usize = 40;
const MAX_ELEMENTS: usize = 16;
/// Maximum numbers of separators and of words that a text gets, and of its words that are replaced.
const MAX_SEPARATORS: usize = 4;
const MAX_WORDS: usize = 16;
const MAX_REPLACED: usize = 4;
/// Maximum length of a text.
const MAX_LENGTH: usize = 32;

impl Mutator<'_> {
    /// The inputs with one part replaced, for each part in turn and each replacement. Sequences get
    /// elements that inputs among `donors` have. Results of stubs are left out, because they belong
    /// to other arguments.
    pub(super) fn neighbours(
        &mut self,
        interp: &Interp<'_>,
        inputs: &Inputs,
        donors: &[Inputs],
        scope: Scope,
    ) -> Vec<Inputs> {
        let all = parts::parts(self.program, &self.types, inputs, MAX_PARTS);
        let is_in_scope = |p: &Part| scope == Scope::Objects || p.slot < inputs.args.len();
        let all: Vec<Part> = all.into_iter().filter(is_in_scope).collect();
        let present: SortedSet<BigInt> = all
            .iter()
            .filter_map(|p| {
                if let Value::Int(n) = &p.value {
                    Some(n.clone())
                } else {
                    None
                }
            })
            .collect();
        let mut columns: Vec<(Part, Vec<Value>)> = Vec::with_capacity(all.len());
        for part in all {
            let mut others = self.replacements(interp, &part, &present);
            others.truncate(MAX_REPLACEMENTS);
            columns.push((part, others));
        }
        columns.extend(self.longer_and_shorter(inputs, donors, scope));
        // Round-robin over the parts.
        let longest = columns.iter().map(|(_, c)| c.len()).max().unwrap_or(0);
        (0..longest)
            .flat_map(|i| {
                columns
                    .iter()
                    .filter_map(move |(part, column)| Some((part, column.get(i)?)))
            })
            .filter_map(|(part, other)| parts::with(inputs, part, other.clone()))
            .collect()
    }

    /// The sequences among inputs with one element more or less.
    fn longer_and_shorter(
        &self,
        inputs: &Inputs,
        donors: &[Inputs],
        scope: Scope,
    ) -> Vec<(Part, Vec<Value>)> {
        let all = parts::structures(self.program, &self.types, inputs, scope, MAX_PARTS);
        let known: Vec<(Value, Type)> = donors
            .iter()
            .take(MAX_DONORS)
            .flat_map(|d| parts::all_values(self.program, &self.types, d, MAX_HELD))
            .collect();
        let mut found = Vec::new();
        for part in all {
            let Type::Seq(elem) = self.program.representation(&part.ty) else {
                continue;
            };
            let elem = self.program.representation(&elem);
            let Value::Seq(xs) = &part.value else {
                continue;
            };
            // Texts change by their words.
            if elem == Type::Char || xs.len() > MAX_LENGTH {
                continue;
            }
            let mut elements: Vec<&Value> = Vec::new();
            for (value, _) in known.iter().filter(|(_, ty)| *ty == elem) {
                if !elements.contains(&value) && elements.len() < MAX_ELEMENTS {
                    elements.push(value);
                }
            }
            let longer = elements.into_iter().flat_map(|x| {
                let (one, all) = (std::iter::once(x), xs.iter());
                [
                    Value::seq(all.clone().chain(one.clone()).cloned()),
                    Value::seq(one.chain(all).cloned()),
                ]
            });
            let shorter = (0..xs.len()).map(|at| {
                let others = xs.iter().enumerate().filter(|(i, _)| *i != at);
                Value::seq(others.map(|(_, x)| x.clone()))
            });
            let column: Vec<Value> = longer.chain(shorter).take(MAX_REPLACEMENTS).collect();
            found.push((part, column));
        }
        found
    }

    /// Other values of a part, the most promising ones first.
    fn replacements(
        &mut self,
        interp: &Interp<'_>,
        part: &Part,
        present: &SortedSet<BigInt>,
    ) -> Vec<Value> {
        let rep = self.program.representation(&part.ty);
        let mut found = match (&part.value, &rep) {
            (Value::Bool(b), _) => vec![Value::Bool(!b)],
            (Value::Int(n), _) => self
                .other_numbers(n, present)
                .into_iter()
                .map(Value::Int)
                .collect(),
            (Value::Char(_), _) => {
                let [own, all] = &self.chars;
                let known = own.iter().chain(all).take(MAX_WORDS);
                known.map(|c| Value::Char(*c)).collect()
            }
            (Value::Seq(xs), Type::Seq(elem))
                if self.program.representation(elem) == Type::Char =>
            {
                let code = |v: &Value| {
                    if let Value::Char(c) = v {
                        Some(*c)
                    } else {
                        None
                    }
                };
                let text: Vec<u32> = xs.iter().filter_map(code).collect();
                let texts = self.other_texts(&text).into_iter();
                texts
                    .map(|t| Value::seq(t.into_iter().map(Value::Char)))
                    .collect()
            }
            (_, _) => (0..MAX_SMALL)
                .filter_map(|_| self.any_small(interp, &part.ty))
                .collect(),
        };
        let mut seen = SortedSet::new();
        found.retain(|v| *v != part.value && seen.insert(v.clone()));
        found
    }

    /// Neighbours of a number, the numbers of the inputs, and constants of the program.
    fn other_numbers(&self, n: &BigInt, present: &SortedSet<BigInt>) -> Vec<BigInt> {
        let [own, all] = &self.numbers;
        let mut found = vec![n + 1, n - 1, -n, n * 2];
        found.extend(present.iter().take(MAX_PRESENT).cloned());
        found.extend(present.iter().next_back().map(|most| most + 1));
        found.extend(own.iter().take(MAX_CONSTANTS).cloned());
        found.extend(all.iter().take(MAX_CONSTANTS).cloned());
        found
    }

    /// A text with another word, with another separator, or with one word more at an end.
    fn other_texts(&self, text: &[u32]) -> Vec<Vec<u32>> {
        let is_word = |c: &u32| char::from_u32(*c).is_some_and(char::is_alphanumeric);
        let [own, all] = &self.chars;
        let known = own.iter().chain(self.texts.iter().flatten().flatten());
        let mut separators: Vec<u32> = Vec::new();
        for c in known.chain(all).copied().filter(|c| !is_word(c)) {
            if !separators.contains(&c) && separators.len() < MAX_SEPARATORS {
                separators.push(c);
            }
        }
        let common = ["2", "0", "a"].map(|w| w.chars().map(u32::from).collect());
        let of_program = self.texts.iter().flatten().filter(|t| !t.is_empty());
        let mut words: Vec<Vec<u32>> = Vec::new();
        for word in of_program.take(MAX_WORDS).cloned().chain(common) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let replaced = self.with_other_words(text, &words, is_word);
        let mut separated = Vec::new();
        for (at, _) in text.iter().enumerate().filter(|(_, c)| !is_word(c)) {
            for separator in &separators {
                let mut other = text.to_vec();
                other.splice(at..=at, [*separator]);
                separated.push(other);
            }
        }
        let mut longer = Vec::new();
        for word in &words {
            for separator in &separators {
                longer.push([text, &[*separator], word].concat());
                longer.push([word.as_slice(), &[*separator], text].concat());
            }
        }
        interleaved([separated, replaced, longer])
            .into_iter()
            .filter(|t| t.len() <= MAX_LENGTH)
            .collect()
    }

    /// A text with each of its words replaced by each of the given ones.
    fn with_other_words(
        &self,
        text: &[u32],
        words: &[Vec<u32>],
        is_word: impl Fn(&u32) -> bool,
    ) -> Vec<Vec<u32>> {
        let runs = text.chunk_by(|a, b| is_word(a) == is_word(b));
        let mut start = 0;
        let mut found = Vec::new();
        for run in runs.filter(|r| !r.is_empty()) {
            let range = start..start + run.len();
            start = range.end;
            if !run.first().is_some_and(&is_word) || found.len() >= MAX_REPLACED * words.len() {
                continue;
            }
            for word in words {
                let mut other = text.to_vec();
                other.splice(range.clone(), word.iter().copied());
                found.push(other);
            }
        }
        found
    }
}

/// The elements of several lists, one of each in turn.
fn interleaved<T>(lists: [Vec<T>; 3]) -> Vec<T> {
    let mut lists = lists.map(Vec::into_iter);
    let mut found = Vec::new();
    loop {
        let before = found.len();
        found.extend(lists.iter_mut().filter_map(Iterator::next));
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::mutate::Mutator;
    use super::super::parts::Scope;
    use dafny_resolve::typed::CallableId;
    use dtest_interp::{Inputs, Interp, Limits};
    use dtest_ir::{Criteria, Criterion};
    use dtest_value::Value;

    /// The neighbours of the inputs of `F` with these arguments.
    fn neighbours(source: &str, args: Vec<Value>) -> Vec<Vec<Value>> {
        let criteria = Criteria::new([Criterion::Block]).expect("criteria");
        let program = dtest_lower::testing::lowered(source, criteria).1;
        let mut ids = (0..program.typed.callables.len() as u32).map(CallableId);
        let unit = ids
            .find(|id| program.typed.callable_path(*id) == "F")
            .expect("declared");
        let procedure = program.procedures.get(&unit).expect("a body");
        let interp = Interp::new(&program, Limits::default());
        let mut mutator = Mutator::new(&program, procedure, &[], 1);
        let inputs = Inputs {
            args,
            ..Inputs::default()
        };
        let donors = [inputs.clone()];
        let all = mutator.neighbours(&interp, &inputs, &donors, Scope::Objects);
        all.into_iter().map(|i| i.args).collect()
    }

    fn text(s: &str) -> Value {
        Value::seq(s.chars().map(|c| Value::Char(c as u32)))
    }

    #[test]
    fn texts_get_other_words_other_separators_and_further_words() {
        let source = "function F(s: string): int { if s == \"km\" then 1 else if |s| > 0 && (s[0] == '/' || s[0] == '*') then 2 else 3 }";
        let all = neighbours(source, vec![text("m/s")]);
        for expected in ["m*s", "km/s", "m/km", "m/s*km", "km*m/s"] {
            assert!(all.contains(&vec![text(expected)]), "{expected}");
        }
        assert!(!all.contains(&vec![text("m/s")]));
    }

    #[test]
    fn sequences_get_and_lose_elements() {
        let row = |xs: &[i32]| Value::seq(xs.iter().map(|n| Value::int(*n)));
        let all = neighbours(
            "function F(s: seq<int>, n: int): int { if |s| > n then s[0] else n }",
            vec![row(&[4, 6]), Value::int(9)],
        );
        for expected in [row(&[4]), row(&[6]), row(&[4, 6, 9]), row(&[9, 4, 6])] {
            assert!(all.contains(&vec![expected.clone(), Value::int(9)]));
        }
    }

    #[test]
    fn numbers_become_those_beside_them_and_constants() {
        let source = "function F(a: int, b: int): int { if a == 40 then b else a }";
        let all = neighbours(source, vec![Value::int(3), Value::int(8)]);
        let has = |a: i32, b: i32| all.contains(&vec![Value::int(a), Value::int(b)]);
        assert!(has(4, 8) && has(8, 8) && has(9, 8) && has(40, 8) && has(3, 40));
        // One part changes at a time.
        assert!(!has(4, 9));
    }
}
