//! Texts composed of what the program and the inputs hold: literals, separators and words.
//!
//! Parsers and printers decide by literals and separators. Errors hide in what surrounds them: an
//! empty field, a separator that is repeated or comes last, a literal that is the beginning of
//! another one, a word that is cut off. Random changes of single characters rarely make these, and
//! a grammar is not known; the parts of a text at its separators, and the literals of the program,
//! stand for its terminals (as tokens in Holler, Herzig and Zeller, *Fuzzing with Code Fragments*,
//! 2012).

use super::mutate::Mutator;

/// Maximum number of parts of a composed text, and of its characters.
const MAX_TOKENS: usize = 6;
const MAX_LENGTH: usize = 48;
/// Maximum length of a part of a text that is removed or repeated.
const MAX_PART: usize = 8;
/// Words that every program may read.
const WORDS: [&str; 8] = ["a", "b", "ab", "1", "12", "007", "0", ""];

impl Mutator<'_> {
    /// A text of some parts of the given one, literals of the program and words, mostly with one
    /// separator between them. `None` if it is too long.
    pub(super) fn composed(&mut self, text: &[u32]) -> Option<Vec<u32>> {
        if !text.is_empty() && self.random.flip() {
            return self.edited(text).filter(|t| t.len() <= MAX_LENGTH);
        }
        let separator = self.separator(text);
        let words: Vec<Vec<u32>> = match separator {
            Some(separator) => text
                .split(|c| *c == separator)
                .map(<[u32]>::to_vec)
                .collect(),
            None => vec![text.to_vec()],
        };
        let mut parts = words.clone();
        match self.random.below(6) {
            // One part more, less, again, or another one.
            0 => {
                let at = self.random.below(parts.len() + 1);
                let new = self.token(&words);
                parts.insert(at, new);
            }
            1 => {
                let at = self.random.below(parts.len());
                (at < parts.len()).then(|| parts.remove(at))?;
            }
            2 => {
                let at = self.random.below(parts.len());
                let again = parts.get(at)?.clone();
                parts.insert(at, again);
            }
            3 => {
                let at = self.random.below(parts.len());
                let new = self.token(&words);
                *parts.get_mut(at)? = new;
            }
            // The whole text anew.
            _ => {
                let count = self.random.below(MAX_TOKENS);
                parts = (0..count).map(|_| self.token(&words)).collect();
            }
        }
        let separator: Vec<u32> = if self.random.below(4) == 0 {
            Vec::new()
        } else {
            separator.into_iter().collect()
        };
        let mut all = parts.join(separator.as_slice());
        // The text is cut off, or begins or ends with a separator.
        match self.random.below(8) {
            0 => drop(all.pop()),
            1 => all.extend(&separator),
            2 => all.splice(0..0, separator).for_each(drop),
            _ => {}
        }
        (all.len() <= MAX_LENGTH).then_some(all)
    }

    /// A text with an edit at any place: a literal or a word more, a part less or repeated, or another
    /// character for all of one kind, such as other quotes. Edits keep what is around them: from a
    /// text that a parser accepts, they lead to others that it almost accepts.
    fn edited(&mut self, text: &[u32]) -> Option<Vec<u32>> {
        let mut edited = text.to_vec();
        let at = self.random.below(text.len() + 1);
        let to = (at + 1 + self.random.below(MAX_PART)).min(text.len());
        match self.random.below(5) {
            0 | 1 => {
                let new = self.token(&[]);
                edited.splice(at..at, new).for_each(drop);
            }
            2 => drop(edited.drain(at.min(to)..to)),
            3 => {
                let again = text.get(at..to)?.to_vec();
                edited.splice(at..at, again).for_each(drop);
            }
            _ => {
                let old = *self.random.pick(text)?;
                let new = self.separator(&[])?;
                edited
                    .iter_mut()
                    .filter(|c| **c == old)
                    .for_each(|c| *c = new);
            }
        }
        (edited != text).then_some(edited)
    }

    /// A character that separates parts: one that the text holds and the program mentions, or
    /// another one that the program mentions. Letters and digits rarely separate anything.
    pub(super) fn separator(&mut self, text: &[u32]) -> Option<u32> {
        let is_separator = |c: &u32| char::from_u32(*c).is_some_and(|c| !c.is_ascii_alphanumeric());
        let [own, all] = &self.chars;
        let known: Vec<u32> = own
            .iter()
            .chain(all)
            .chain(self.texts.iter().flatten().flatten())
            .copied()
            .filter(is_separator)
            .collect();
        let held: Vec<u32> = known.iter().copied().filter(|c| text.contains(c)).collect();
        let from = if held.is_empty() || self.random.below(4) == 0 {
            &known
        } else {
            &held
        };
        self.random.pick(from).copied()
    }

    /// A literal of the program, possibly cut off, a part of the text, a word, or nothing.
    fn token(&mut self, words: &[Vec<u32>]) -> Vec<u32> {
        let mut token = match self.random.below(4) {
            0 => self.random.pick(words).cloned(),
            1 => self
                .random
                .pick(&WORDS)
                .map(|w| w.chars().map(u32::from).collect()),
            _ => self.random.pick_near(&self.texts).cloned(),
        }
        .or_else(|| self.random.pick_near(&self.chars).map(|c| vec![*c]))
        .unwrap_or_default();
        if self.random.below(8) == 0 {
            token.pop();
        }
        token
    }
}

#[cfg(test)]
mod tests {
    use super::super::mutate::Mutator;
    use dafny_resolve::typed::CallableId;
    use dtest_ir::{Criteria, Criterion};

    #[test]
    fn texts_have_empty_parts_repeated_separators_and_literals() {
        let criteria = Criteria::new([Criterion::Block]).expect("criteria");
        let program = dtest_lower::testing::lowered(
            "function F(s: string): int { if s == \"key\" then 1 else if |s| > 0 && s[0] == '=' then 2 else 3 }",
            criteria,
        )
        .1;
        let mut ids = (0..program.typed.callables.len() as u32).map(CallableId);
        let unit = ids
            .find(|id| program.typed.callable_path(*id) == "F")
            .expect("declared");
        let procedure = program.procedures.get(&unit).expect("a body");
        let mut mutator = Mutator::new(&program, procedure, &[], 1);
        let mut text: Vec<u32> = Vec::new();
        let mut all: Vec<String> = Vec::new();
        for _ in 0..600 {
            if let Some(next) = mutator.composed(&text) {
                all.push(next.iter().filter_map(|c| char::from_u32(*c)).collect());
                text = next;
            }
        }
        let has = |what: &dyn Fn(&str) -> bool| all.iter().any(|t| what(t));
        assert!(has(&|t| t.contains("key=")));
        assert!(has(&|t| t.contains("==")));
        assert!(has(&|t| t.starts_with("=key")));
        assert!(has(&|t| t.ends_with("=ke")));
        assert!(all.iter().all(|t| t.len() <= super::MAX_LENGTH));
        // Edits of one text: a literal within it, a part less, a part again, another separator.
        let text: Vec<u32> = "a:b:c".chars().map(u32::from).collect();
        let edits: Vec<String> = (0..600)
            .filter_map(|_| mutator.edited(&text))
            .map(|t| t.iter().filter_map(|c| char::from_u32(*c)).collect())
            .collect();
        for expected in ["a:bkey:c", "a:c", "a:b:b:c", "a=b=c"] {
            assert!(
                edits.iter().any(|t| t == expected),
                "{expected} in {edits:?}"
            );
        }
    }
}
