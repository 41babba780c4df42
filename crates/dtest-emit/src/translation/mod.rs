//! The translation of the typed program to Rust.
//!
//! Each item is translated separately ([`pieces`]) and records the items that it needs. An item
//! that needs one without a translation is left out, with the reason. [`translate`] repeats the
//! translation: first the set of passed defaults grows, then ghost state whose tracking fails is
//! given up ([`tracked`]), then clauses that cannot be executed as a whole are split
//! ([`conjuncts`]). Each loop ends because its set only grows or only shrinks.

mod access;
mod assign;
mod binding;
pub(crate) mod body;
mod call;
pub(crate) mod class;
pub(crate) mod code;
mod comprehension;
mod conjuncts;
mod construct;
mod control;
pub(crate) mod convention;
mod conversion;
mod datatype;
mod default;
pub(crate) mod docs;
mod entry;
mod enumerate;
pub(crate) mod erase;
mod exhaustive;
mod expr;
pub(crate) mod external;
mod instrument;
pub(crate) mod item;
mod iterator;
mod jumps;
mod lifetimes;
pub(crate) mod literal;
mod local_names;
pub(crate) mod names;
mod object;
mod ops;
mod pattern;
pub(crate) mod pieces;
pub(crate) mod reason;
mod recursion;
pub(crate) mod rep;
mod specification;
mod stmt;
pub(crate) mod synthesize;
mod tracked;
pub(crate) mod traits;
pub(crate) mod two_state;
mod type_test;
mod variables;
pub(crate) mod walk;

pub use entry::EntryPoint;
pub use instrument::{Instrumented, instrument};
pub use reason::{Missing, Reason, Unsupported};

use std::borrow::Cow;
use std::cell::OnceCell;

use conjuncts::Conjuncts;
use convention::Dependency;
use pieces::{Piece, is_ghost, is_specification, pieces_of, placed, propagate};
use rep::Ground;
use specification::{apart, specification};
use tracked::{Choice, Tracked};

use crate::package::{self, Modules, Placement, RustFile};
use dafny_resolve::typed::{Arena, CallableId, ModuleId, Program};
use dafny_source::{SourceMap, Span};
use dtest_desugar::casts;
use dtest_sorted::{SortedMap, SortedSet};

/// A translated program.
#[derive(Debug, Clone, Default)]
pub struct Translation {
    /// Relative paths and texts.
    pub files: Vec<(String, String)>,
    /// The compiled items that were left out, with the reasons.
    pub unsupported: Vec<Unsupported>,
    /// The translated callables, including ghost ones.
    pub callables: SortedSet<CallableId>,
    /// The entry point, if `Main` is translated.
    pub main: Option<EntryPoint>,
    /// All translated items.
    pub(crate) present: SortedSet<Dependency>,
    /// Specification functions and the program's own tests that are in the suite, because the
    /// compiled program does not need them.
    apart: SortedSet<CallableId>,
    /// The Rust modules with their items.
    pub(crate) modules: Modules,
    /// Clauses of contracts that cannot be executed, by the span of the condition.
    pub clauses: SortedMap<Span, Reason>,
    /// The clauses that are split.
    conjuncts: Conjuncts,
    /// The tracked ghost state.
    tracked: Tracked,
    /// The callables that use defaults of type parameters.
    defaults: default::Defaults,
}

impl Translation {
    /// Returns the program as its tests see it: tracked ghost state is compiled, and casts are
    /// explicit. Hand-written code has no ghost state.
    pub(crate) fn tested<'p>(
        &self,
        program: &'p Program,
        is_translation: bool,
    ) -> Cow<'p, Program> {
        // Each step borrows the previous program if it changes nothing.
        // The order is that of the translation: clauses are split before ghost state is chosen.
        let mut tested = self.conjuncts.applied(program);
        if is_translation && let Cow::Owned(kept) = self.tracked.applied(&tested) {
            tested = Cow::Owned(kept);
        }
        if let Cow::Owned(with_casts) = casts::explicit(&tested) {
            tested = Cow::Owned(with_casts);
        }
        tested
    }

    /// Creates the context for a suite of the translation; `program` is the result of
    /// [`Self::tested`].
    pub(crate) fn ground_of_suite<'p>(
        &self,
        program: &'p Program,
        sources: &'p SourceMap,
        placement: &'p Placement,
        is_translation: bool,
    ) -> Ground<'p> {
        let ground = Ground::new(program, sources, placement);
        ground.defaults.replace(self.defaults.clone());
        ground.foreign.set(!is_translation);
        let is_ghost = |c: &CallableId| program[*c].ghost;
        ground.apart.replace(match is_translation {
            true => self.apart.clone(),
            false => Arena::<CallableId>::ids(program)
                .into_iter()
                .filter(is_ghost)
                .collect(),
        });
        ground
    }
}

/// Translates a program. Ghost state that clauses of contracts read is tracked if it can be
/// executed.
pub fn translate(program: &Program, sources: &SourceMap, placement: &Placement) -> Translation {
    // Split clauses change no item, so that the same items fail without tracked state in each round.
    let erased = OnceCell::new();
    by_conjuncts(program, &|program, accepts| {
        whole(program, sources, placement, &erased, accepts)
    })
}

/// Decides from the clauses that cannot be executed whether a translation is the last one.
type Accepts<'a> = dyn FnMut(&SortedMap<Span, Reason>) -> bool + 'a;

/// Translates a program, and splits clauses that cannot be executed as a whole until nothing
/// changes.
fn by_conjuncts(
    program: &Program,
    translate: &dyn Fn(&Program, &mut Accepts<'_>) -> Option<Translation>,
) -> Translation {
    let mut conjuncts = Conjuncts::default();
    loop {
        let parts = conjuncts.applied(program);
        let mut accepts = |clauses: &SortedMap<_, _>| !conjuncts.learn(&parts, clauses);
        let Some(mut translation) = translate(&parts, &mut accepts) else {
            continue;
        };
        // If no conjunct of a clause can be executed, the reason is that of the whole clause.
        for (span, reason) in conjuncts.failed() {
            let known = translation.clauses.entry(*span);
            known.or_insert_with(|| reason.clone());
        }
        translation.conjuncts = conjuncts;
        return translation;
    }
}

/// Translates a program with the ghost state that can be tracked. `None` if `accepts` refuses the
/// clauses. `erased` gets the items that fail without tracked state.
fn whole(
    program: &Program,
    sources: &SourceMap,
    placement: &Placement,
    erased: &OnceCell<SortedMap<Dependency, Unsupported>>,
    accepts: &mut Accepts<'_>,
) -> Option<Translation> {
    let mut choice = Choice::new(program);
    loop {
        // Each attempt tracks less: state whose tracking makes an item fail that translates without
        // it is given up.
        let tracked = choice.tracked();
        let mut is_due = false;
        let translation = attempt(
            &tracked.applied(program),
            sources,
            placement,
            &mut |outcome| {
                is_due = !tracked.is_empty() && {
                    // The program without tracked state is translated only if something failed, and
                    // once.
                    let erased = if outcome.failed.is_empty() {
                        &SortedMap::new()
                    } else {
                        erased.get_or_init(|| failed_items(program, sources, placement))
                    };
                    learn(&mut choice, program, &tracked, outcome, erased)
                };
                if is_due {
                    return false;
                }
                for (span, reason) in &mut outcome.clauses {
                    if let Some(why) = choice.reason(program, *span) {
                        *reason = Reason::Untracked(why);
                    }
                }
                accepts(&outcome.clauses)
            },
        );
        if !is_due {
            return translation.map(|translation| Translation {
                tracked,
                ..translation
            });
        }
    }
}

/// Gives up tracked state because of an attempt. Returns whether there was a reason to. `erased` has
/// the items that fail without tracked state, too.
fn learn(
    choice: &mut Choice,
    program: &Program,
    tracked: &Tracked,
    outcome: &Outcome,
    erased: &SortedMap<Dependency, Unsupported>,
) -> bool {
    let is_own = |id: &Dependency| !erased.contains_key(id) && !is_specification(program, *id);
    // An item that fails because of another one is no evidence against its own ghost state.
    let new = outcome
        .failed
        .iter()
        .filter(|(id, _)| is_own(id) && !outcome.causes.get(id).is_some_and(is_own));
    choice.learn(tracked, &new.collect::<Vec<_>>(), &outcome.clauses)
}

/// Translates a program without any ghost state, as hand-written code in place of the translation
/// has it.
pub fn translate_erased(
    program: &Program,
    sources: &SourceMap,
    placement: &Placement,
) -> Translation {
    by_conjuncts(program, &|program, accepts| {
        attempt(program, sources, placement, &mut |outcome| {
            accepts(&outcome.clauses)
        })
    })
}

/// The items of a program that have no translation.
fn failed_items(
    program: &Program,
    sources: &SourceMap,
    placement: &Placement,
) -> SortedMap<Dependency, Unsupported> {
    let mut failed = SortedMap::new();
    attempt(program, sources, placement, &mut |outcome| {
        failed = std::mem::take(&mut outcome.failed);
        false
    });
    failed
}

/// The items and clauses of a program that an attempt could not translate.
struct Outcome {
    failed: SortedMap<Dependency, Unsupported>,
    /// For items that failed because they need another failed item: that item.
    causes: SortedMap<Dependency, Dependency>,
    /// The clauses that cannot be executed.
    clauses: SortedMap<Span, Reason>,
}

/// Translates the items of a program, and writes the files if `accepts` takes the outcome: writing
/// takes longer than the translation of the items, and most attempts are repeated.
fn attempt(
    program: &Program,
    sources: &SourceMap,
    placement: &Placement,
    accepts: &mut dyn FnMut(&mut Outcome) -> bool,
) -> Option<Translation> {
    let program = &*casts::explicit(program);
    let ground = Ground::new(program, sources, placement);
    let (pieces, mut failed) = loop {
        let found = pieces_of(&ground);
        let known = ground.defaults.borrow().clone();
        found.0.iter().for_each(|p| {
            ground
                .defaults
                .borrow_mut()
                .learn(&ground, p.id, &p.wanted, &p.fixed)
        });
        // The set of passed defaults grows with each round until it is stable.
        if *ground.defaults.borrow() == known {
            break found;
        }
    };
    let present: SortedSet<Dependency> = pieces.iter().map(|p| p.id).collect();
    let causes = propagate(&ground, &pieces, &present, &mut failed);

    // Specification functions are kept if a clause that can be executed calls them.
    let (wanted, clauses) = specification(&ground, &pieces, &failed);
    let mut outcome = Outcome {
        failed,
        causes,
        clauses,
    };
    if !accepts(&mut outcome) {
        return None;
    }
    let Outcome {
        failed, clauses, ..
    } = outcome;
    let kept: Vec<Piece<'_>> = pieces
        .into_iter()
        .filter(|p| !failed.contains_key(&p.id) && (!p.ghost || wanted.contains(&p.id)))
        .collect();
    let present = kept.iter().map(|p| p.id).collect();
    let apart = apart(&ground, &kept);
    // What no compiled code uses is not part of the library.
    let in_suite = |p: &Piece<'_>| matches!(p.id, Dependency::Callable(c) if apart.contains(&c));
    let kept: Vec<Piece<'_>> = kept.into_iter().filter(|p| !in_suite(p)).collect();
    let is_kept = |c: &CallableId| kept.iter().any(|p| p.id == Dependency::Callable(*c));
    let main = program
        .main
        .filter(is_kept)
        .map(|c| entry::call(&ground, c));
    let callables = kept
        .iter()
        .filter_map(|p| {
            if let Dependency::Callable(c) = p.id {
                Some(c)
            } else {
                None
            }
        })
        .collect();
    // A ghost item that fails is reported with the clauses that call it.
    let mut unsupported: Vec<Unsupported> = failed
        .iter()
        .filter(|(id, _)| !is_ghost(program, **id))
        .map(|(_, u)| u.clone())
        .collect();
    let main = main.and_then(|entry| entry.map_err(|reason| unsupported.push(reason)).ok());
    let (files, modules) = package::files(placement, placed(&ground, &kept));
    let defaults = ground.defaults.take();
    Some(Translation {
        files,
        unsupported,
        callables,
        main,
        present,
        apart,
        modules,
        clauses,
        conjuncts: Conjuncts::default(),
        tracked: Tracked::default(),
        defaults,
    })
}

impl<'p> Ground<'p> {
    /// Returns the Rust module, relative to the root, of an item that is declared at `span` in
    /// `module`.
    pub(crate) fn rust_module(&self, module: ModuleId, span: Span) -> Vec<String> {
        let mut path = Vec::new();
        let (mut at, mut head) = (Some(module), span);
        while let Some(m) = at {
            if self.program[m].parent.is_some() {
                path.push(self.names.module(m).to_owned());
                head = self.program[m].span;
            }
            at = self.program[m].parent;
        }
        path.reverse();
        let mut full = self.file_of(head).module.clone();
        full.extend(path);
        full
    }

    fn file_of(&self, span: Span) -> &'p RustFile {
        let file = self
            .sources
            .file_at(span.start)
            .and_then(|(id, _)| self.placement.files.get(&id));
        file.unwrap_or(&self.placement.other)
    }

    pub(crate) fn describe(&self, what: Dependency) -> String {
        match what {
            Dependency::Type(t) => self.program.type_path(t),
            Dependency::Callable(c) => self.program.callable_path(c),
            Dependency::Const(f) => {
                let field = &self.program[f];
                let mut path = self.program.module_path(field.module);
                path.extend(field.owner.map(|t| self.program[t].name.clone()));
                path.push(field.name.clone());
                path.join(".")
            }
        }
    }
}
