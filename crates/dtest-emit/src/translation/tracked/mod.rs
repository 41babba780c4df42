//! Tracking of ghost state: ghost state that executed clauses read becomes state of the
//! translation.
//!
//! A contract that mentions a ghost field (`Repr`, `Contents`, also through `Valid()`) can be
//! executed only if the field exists. [`needs`] determines the ghost state that a clause reads, and
//! its dependencies: ghost assignments, the ghost conditions around them, and the ghost variables,
//! parameters and methods that these use. [`Choice`] selects the clauses for which all of this can
//! be translated, and [`apply`] builds a program in which that state is not ghost. A program
//! without such clauses stays unchanged.

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

/// The tracked ghost state, closed under its needs.
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

    /// Returns the program in which the tracked state is not ghost.
    pub(crate) fn applied<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
        if self.is_empty() {
            Cow::Borrowed(program)
        } else {
            Cow::Owned(apply::apply(program, self))
        }
    }
}

/// The search for the ghost state that can be tracked. Each attempted translation excludes the
/// state that has no translation.
pub(super) struct Choice {
    needs: Needs,
    forbidden: SortedMap<Node, String>,
    /// Clauses that cannot be executed for other reasons.
    pointless: SortedSet<Span>,
}

impl Choice {
    /// Starts with all ghost state that clauses of compiled code read.
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

    /// Returns the state that the next attempt tracks.
    pub(super) fn tracked(&self) -> Tracked {
        let mut nodes = SortedSet::new();
        for (span, reads) in &self.needs.roots {
            if self.pointless.contains(span) {
                continue;
            }
            // Part of the state would make a clause wrong instead of missing, so it is all or
            // nothing.
            let all = self.needs.closure(reads);
            if !all.iter().any(|n| self.forbidden.contains_key(n)) {
                nodes.extend(all);
            }
        }
        // A call of a ghost method is kept if it assigns tracked state, even if the method's own is
        // not tracked.
        let effective = self
            .needs
            .effects
            .iter()
            .filter(|(_, e)| !e.is_disjoint(&nodes))
            .map(|(m, _)| *m)
            .collect();
        Tracked { nodes, effective }
    }

    /// Records the results of an attempt: state that has no translation because of the tracking,
    /// and clauses that are not executed. Returns whether there was anything new, so that another
    /// attempt is needed.
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
                // Compiled code must not suffer from tracking, so all tracked state is excluded.
                Some((_, why)) => self
                    .forbidden
                    .extend(tracked.nodes.iter().map(|n| (*n, why.reason.to_string()))),
                // The state exists now, and the clause still cannot be executed: it needs none of
                // it.
                None => self
                    .pointless
                    .extend(clauses.keys().filter(|s| self.needs.roots.contains_key(s))),
            }
        }
        before != (self.forbidden.len(), self.pointless.len())
    }

    /// Returns the reason why ghost state that a clause reads is not tracked.
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

/// Describes a node.
fn describe(program: &Program, node: Node) -> String {
    match node {
        Node::Field(f) => format!("the ghost field `{}`", program[f].name),
        Node::Local(l) => format!("the ghost variable `{}`", program[l].name),
        Node::Method(m) => format!("the ghost method `{}`", program[m].name),
    }
}
