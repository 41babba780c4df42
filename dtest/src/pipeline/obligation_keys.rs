//! Keys of obligations: [`Keys`].

use dafny_resolve::typed::{Arena, CallableId};
use dafny_source::{SourceMap, Span};
use dtest_ir::{self as ir, ObligationKind};
use dtest_sorted::{SortedMap, SortedSet};

use crate::report::key::{Key, text_of};

/// The place of an obligation: its span, its kind, and the span of its clause.
type At = (Span, ObligationKind, Option<Span>);

/// The number of declarations before a place that are looked at to find the one around it.
const NEAREST: usize = 8;

/// The keys of the obligations of a program. They are those of all units, so that a key does not
/// depend on the units that are searched.
pub struct Keys<'p> {
    sources: &'p SourceMap,
    /// The start of each declaration with a body or contract, with its end and its path.
    owners: SortedMap<u32, (u32, String)>,
    known: SortedMap<At, Key>,
}

impl<'p> Keys<'p> {
    /// Assigns keys to all obligations of a program.
    pub fn new(program: &ir::Program, sources: &'p SourceMap) -> Self {
        let typed = &program.typed;
        let mut owners = SortedMap::new();
        for id in Arena::<CallableId>::ids(&**typed) {
            let span: Span = typed[id].full_span;
            if span.start < span.end {
                owners
                    .entry(span.start)
                    .or_insert_with(|| (span.end, typed.callable_path(id)));
            }
        }
        let mut keys = Self {
            sources,
            owners,
            known: SortedMap::new(),
        };
        let units = dtest_lower::units::units_with_obligations(typed, |_| true);
        let all: SortedSet<(At, &str)> = units
            .iter()
            .flat_map(|unit| {
                let goals = program.goals(unit.callable);
                goals.into_iter().filter_map(|(_, goal)| {
                    let (kind, clause) = goal.obligation()?;
                    Some(((goal.span, kind, clause), unit.path.as_str()))
                })
            })
            .collect();
        let mut seen: SortedMap<(String, String), usize> = SortedMap::new();
        for (at, unit) in all {
            if keys.known.contains_key(&at) {
                continue;
            }
            let (unit, text) = keys.described(at, unit);
            let count = seen.entry((unit.clone(), text.clone())).or_default();
            *count += 1;
            let occurrence = *count;
            keys.known.insert(
                at,
                Key {
                    unit,
                    text,
                    occurrence,
                },
            );
        }
        keys
    }

    /// Returns the key of an obligation. `unit` is the unit whose executions reach it.
    pub fn of(&self, span: Span, kind: ObligationKind, clause: Option<Span>, unit: &str) -> Key {
        let known = self.known.get(&(span, kind, clause)).or_else(|| {
            // A finding of a test does not name the clause.
            let mut same = self.known.range((span, kind, None)..);
            let (at, key) = same.next()?;
            (clause.is_none() && (at.0, at.1) == (span, kind)).then_some(key)
        });
        known.cloned().unwrap_or_else(|| {
            let (unit, text) = self.described((span, kind, clause), unit);
            Key {
                unit,
                text,
                occurrence: 1,
            }
        })
    }

    /// The unit and the text of a key.
    fn described(&self, (span, kind, clause): At, unit: &str) -> (String, String) {
        let around = self.owners.range(..=span.start).rev().take(NEAREST);
        let owner = around
            .map(|(_, owner)| owner)
            .find(|(end, _)| *end >= span.end)
            .map_or(unit, |(_, path)| path);
        let mut text = format!("{} `{}`", name(kind), text_of(self.sources.text(span)));
        if let Some(clause) = clause.filter(|c| *c != span) {
            text += &format!(" for `{}`", text_of(self.sources.text(clause)));
        }
        (owner.to_owned(), text)
    }
}

/// The name of a kind of obligation, as in JSON.
fn name(kind: ObligationKind) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
