//! Renaming of declarations.
//!
//! All names of the declaration are replaced, including those of overriding and overridden members.
//! Then the new text is resolved: every name has to denote the same declaration as before, and
//! there must be no new error. The rename thus needs no rules for name clashes.

use rustc_hash::FxHashSet;

use dafny_resolve::index::Definition;
use dafny_resolve::typed::CallableId;
use dafny_source::Span;
use dafny_syntax::TokenKind;

use crate::{Analysis, Occurrence};

/// A replacement of a source range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The replaced range.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// The reason why a rename is refused, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl Analysis {
    /// Returns the name at a position if it can be renamed.
    ///
    /// # Errors
    /// The position has no name that is declared in the texts of the program.
    pub fn renamable(&self, at: u32) -> Result<Span, Refused> {
        self.subject(at).map(|(o, _)| o.span)
    }

    fn subject(&self, at: u32) -> Result<(Occurrence, String), Refused> {
        let refuse = |why: &str| Err(Refused(why.to_owned()));
        let Some(found) = self.occurrence(at).copied() else {
            return refuse("there is no name here that the program declares");
        };
        let name = self.sources.text(found.place).to_owned();
        if crate::analysis::is_nowhere(found.place) || name.is_empty() {
            return refuse("this is defined by the language");
        }
        if matches!(found.definition, Definition::Callable(id) if &*self.program[id].name == "_ctor")
        {
            return refuse("an anonymous constructor has no name");
        }
        if spelled(self.sources.text(found.span), &name, "").is_none() {
            return refuse(
                "this is the local name of an import; rename it in the import declaration",
            );
        }
        if self
            .sources
            .file_at(found.place.start)
            .is_some_and(|(_, f)| !f.named)
        {
            return refuse("it is declared in an included file that is not part of this program");
        }
        Ok((found, name))
    }

    /// Returns the edits that rename the declaration at a position.
    ///
    /// # Errors
    /// `new` is no name, or another name would denote something else or have an error after the
    /// rename.
    pub fn rename(&self, at: u32, new: &str) -> Result<Vec<Edit>, Refused> {
        let (subject, old) = self.subject(at)?;
        let tokens = dafny_syntax::lex(0, new).tokens;
        let is_name = matches!(tokens.as_slice(), [t, _] if t.kind == TokenKind::Ident && t.span.end as usize == new.len());
        if !is_name {
            return Err(Refused(format!("`{new}` is not a name")));
        }
        let places = self.renamed_with(subject.place);
        let edits: Vec<Edit> = self
            .occurrences
            .iter()
            .filter(|o| places.contains(&o.place))
            .filter_map(|o| {
                Some(Edit {
                    span: o.span,
                    text: spelled(self.sources.text(o.span), &old, new)?,
                })
            })
            .collect();
        self.held_against(&edits, new)?;
        Ok(edits)
    }

    /// The declarations that have to be renamed together: overriding and overridden members.
    fn renamed_with(&self, place: Span) -> FxHashSet<Span> {
        let ids: Vec<CallableId> = (0..self.program.callables.len() as u32)
            .map(CallableId)
            .collect();
        let mut places: FxHashSet<Span> = [place].into_iter().collect();
        loop {
            let before = places.len();
            for id in &ids {
                let own = self.program[*id].span;
                for overridden in self.program[*id]
                    .overrides
                    .iter()
                    .map(|o| self.program[*o].span)
                {
                    if places.contains(&own) || places.contains(&overridden) {
                        places.extend([own, overridden]);
                    }
                }
            }
            if places.len() == before {
                return places;
            }
        }
    }

    /// Checks that the edits change nothing else.
    fn held_against(&self, edits: &[Edit], new: &str) -> Result<(), Refused> {
        // Step 1: apply the edits and analyze the new texts.
        let mut input = self.input();
        for (text, (_, file)) in input.texts.iter_mut().zip(self.sources.files()) {
            let own = edits.iter().filter(|e| file.span().contains_span(e.span));
            text.text = edited(&file.text, file.base, own).into();
        }
        let after = Analysis::of(&input);
        let moved = |span: Span| {
            Span::new(
                moved(edits, span.start, false),
                moved(edits, span.end, true),
            )
        };
        // Step 2: compare the errors, by position and id. Messages may contain the new name.
        let wrong =
            |a: &Analysis, map: &dyn Fn(Span) -> Span| -> Vec<(Option<Span>, &'static str)> {
                a.diagnostics
                    .iter()
                    .filter(|d| d.is_error())
                    .map(|d| (d.span.map(map), d.id))
                    .collect()
            };
        let before = wrong(self, &moved);
        if let Some(worse) = after
            .diagnostics
            .iter()
            .find(|d| d.is_error() && !before.contains(&(d.span, d.id)))
        {
            let at = worse
                .span
                .map_or_else(String::new, |s| format!(" ({})", after.sources.locate(s)));
            return Err(Refused(format!(
                "renaming to `{new}` would cause an error: {}{at}",
                worse.message
            )));
        }
        // Step 3: compare the definitions of all occurrences.
        let old: FxHashSet<(Span, Span)> = self
            .occurrences
            .iter()
            .map(|o| (moved(o.span), moved(o.place)))
            .collect();
        let now: FxHashSet<(Span, Span)> = after
            .occurrences
            .iter()
            .map(|o| (o.span, o.place))
            .collect();
        let mut different: Vec<Span> = old.symmetric_difference(&now).map(|(at, _)| *at).collect();
        different.sort_unstable();
        match different.first() {
            None => Ok(()),
            Some(at) => {
                let (name, place) = (after.sources.text(*at), after.sources.locate(*at));
                Err(Refused(format!(
                    "renaming to `{new}` would change what `{name}` at {place} refers to"
                )))
            }
        }
    }
}

/// A written form of a name with the name replaced: `C`, `C?` and `reveal_C`. Returns `None` for
/// any other text.
fn spelled(written: &str, old: &str, new: &str) -> Option<String> {
    let (front, rest) = written
        .strip_prefix("reveal_")
        .filter(|r| *r == old)
        .map_or(("", written), |r| ("reveal_", r));
    match rest.strip_prefix(old)? {
        "" => Some(format!("{front}{new}")),
        "?" => Some(format!("{front}{new}?")),
        _ => None,
    }
}

/// Applies edits, which are in source order, to a text.
fn edited<'e>(text: &str, base: u32, edits: impl Iterator<Item = &'e Edit>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut from = 0;
    for edit in edits {
        let (start, end) = (
            (edit.span.start - base) as usize,
            (edit.span.end - base) as usize,
        );
        result.push_str(text.get(from..start).unwrap_or_default());
        result.push_str(&edit.text);
        from = end;
    }
    result.push_str(text.get(from..).unwrap_or_default());
    result
}

/// The position after the edits. `end`: whether the position is the end of a range, which moves
/// behind a replacement.
fn moved(edits: &[Edit], at: u32, end: bool) -> u32 {
    let before = edits.iter().take_while(|e| {
        if end {
            e.span.end <= at
        } else {
            e.span.end <= at && e.span.start < at
        }
    });
    let delta: i64 = before
        .map(|e| e.text.len() as i64 - i64::from(e.span.end - e.span.start))
        .sum();
    u32::try_from(i64::from(at) + delta).unwrap_or(at)
}
