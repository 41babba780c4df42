//! Ghost state that executed clauses read becomes state of the translation.
//!
//! A contract that speaks of a ghost field (`Repr`, `Contents`, also by way of `Valid()`) can be executed only where the
//! field is there. [`needs`] says what ghost state a clause reads and what it takes to keep it: the ghost assignments to it,
//! the ghost conditions around them, the ghost variables, parameters and methods that these depend on. Here the clauses are
//! chosen for which all of that has a translation, and [`apply`] makes a program of it in which that state is not ghost. A
//! program without such clauses is left as it is.

mod apply;
mod needs;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::convention::Dependency;
use super::reason::{Reason, Unsupported};
use dafny_resolve::typed::{CallableId, Program, Span};
use dtest_sorted::{SortedMap, SortedSet};
use needs::{Needs, Node};

/// The ghost state that the translation keeps, closed under what it needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tracked {
    nodes: SortedSet<Node>,
    /// The ghost methods whose calls assign some of it.
    effective: SortedSet<CallableId>,
}

impl Tracked {
    /// Whether nothing is tracked.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn has(&self, node: Node) -> bool {
        self.nodes.contains(&node)
    }

    /// The program in which what is tracked is not ghost.
    pub(crate) fn applied<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
        if self.is_empty() {
            Cow::Borrowed(program)
        } else {
            Cow::Owned(apply::apply(program, self))
        }
    }
}

/// The search for what can be tracked: each attempt to translate rules out what it shows to have no translation.
pub(super) struct Choice {
    needs: Needs,
    forbidden: SortedMap<Node, String>,
    /// Clauses that cannot be executed for other reasons.
    pointless: SortedSet<Span>,
}

impl Choice {
    /// Everything that clauses of compiled code read may be tracked, until an attempt shows otherwise.
    pub(super) fn new(program: &Program) -> Self {
        let needs = Needs::of(program);
        let forbidden = needs
            .kept_by_others
            .iter()
            .map(|n| (*n, "linked Rust assigns it".to_owned()))
            .collect();
        Self {
            needs,
            forbidden,
            pointless: SortedSet::new(),
        }
    }

    /// What the next attempt tracks.
    pub(super) fn tracked(&self) -> Tracked {
        let mut nodes = SortedSet::new();
        for (span, reads) in &self.needs.roots {
            if self.pointless.contains(span) {
                continue;
            }
            let all = self.needs.closure(reads);
            if !all.iter().any(|n| self.forbidden.contains_key(n)) {
                nodes.extend(all);
            }
        }
        let effective = self
            .needs
            .effects
            .iter()
            .filter(|(_, e)| !e.is_disjoint(&nodes))
            .map(|(m, _)| *m)
            .collect();
        Tracked { nodes, effective }
    }

    /// Learns from an attempt: what has no translation because of the tracking, and which clauses are not executed. Says
    /// whether there was anything to learn, so that another attempt is due.
    pub(super) fn learn(
        &mut self,
        tracked: &Tracked,
        failed: &[(&Dependency, &Unsupported)],
        clauses: &SortedMap<Span, Reason>,
    ) -> bool {
        let before = (self.forbidden.len(), self.pointless.len());
        for (id, why) in failed {
            for node in self
                .needs
                .kept_in(**id, why.span)
                .into_iter()
                .filter(|n| tracked.has(*n))
            {
                self.forbidden
                    .entry(node)
                    .or_insert_with(|| why.reason.to_string());
            }
        }
        if self.forbidden.len() == before.0 {
            match failed.first() {
                // Compiled code comes before clauses, whatever it was.
                Some((_, why)) => self
                    .forbidden
                    .extend(tracked.nodes.iter().map(|n| (*n, why.reason.to_string()))),
                None => self
                    .pointless
                    .extend(clauses.keys().filter(|s| self.needs.roots.contains_key(s))),
            }
        }
        before != (self.forbidden.len(), self.pointless.len())
    }

    /// Why ghost state that a clause reads is not tracked, for the report of the clause.
    pub(super) fn reason(&self, program: &Program, clause: Span) -> Option<String> {
        let reads = self.needs.roots.get(&clause)?;
        reads.iter().find_map(|read| {
            let all = self.needs.closure(&SortedSet::from([*read]));
            let (lost, why) = all.iter().find_map(|n| self.forbidden.get_key_value(n))?;
            let (read_is, lost_is) = (describe(program, *read), describe(program, *lost));
            Some(if read == lost {
                format!("{read_is}: {why}")
            } else {
                format!("{read_is}, which needs {lost_is}: {why}")
            })
        })
    }
}

/// A node in words.
fn describe(program: &Program, node: Node) -> String {
    match node {
        Node::Field(f) => format!("the ghost field `{}`", program[f].name),
        Node::Local(l) => format!("the ghost variable `{}`", program[l].name),
        Node::Method(m) => format!("the ghost method `{}`", program[m].name),
    }
}
