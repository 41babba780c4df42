//! The view of the verifier at a place of a unit: the code that it knows by specifications, and the
//! functions and labelled conditions that are hidden there.

use std::collections::BTreeSet;

use super::modular::{Abstraction, ObligationId, loops};
use dafny_resolve::typed::visit::{Visit, walk_block, walk_body, walk_call, walk_stmt};
use dafny_resolve::typed::{self, Body, CallableId, Revealed, StmtKind};
use dafny_source::{Name, Span};
use dtest_ir as ir;
use dtest_search::portable::Closures;
use dtest_sorted::{SortedMap, SortedSet};

/// The code of a unit that the verifier may know by specifications.
pub(super) struct View<'p> {
    program: &'p typed::Program,
    /// Methods that the unit calls, and its loops.
    always: SortedSet<Abstraction>,
    /// The functions whose bodies may be hidden.
    functions: BTreeSet<CallableId>,
    uses: Uses,
    body: Span,
}

impl<'p> View<'p> {
    pub(super) fn new(program: &'p ir::Program, unit: CallableId) -> Self {
        let typed = &*program.typed;
        let callable = &typed[unit];
        let body = match &callable.body {
            Body::None => callable.span,
            Body::Expr(e) => e.span,
            Body::Block(b) | Body::ByMethod(_, b) => b.span,
        };
        let mut uses = Uses {
            ends: vec![body.end],
            ..Uses::default()
        };
        walk_body(&mut uses, &callable.body);
        for clause in &callable.spec.requires {
            uses.labelled(clause.label.as_ref(), clause.cond.span);
        }
        // A method is seen where it is called, a function in any contract on the way.
        let (opaque, methods): (BTreeSet<CallableId>, BTreeSet<CallableId>) =
            dtest_desugar::known_by_contract(typed)
                .into_iter()
                .partition(|id| typed[*id].kind.is_function());
        let called = methods.into_iter().filter(|id| uses.called.contains(id));
        let own = loops(program, unit).into_iter().map(Abstraction::Loop);
        let always = called.map(Abstraction::Callable).chain(own).collect();
        let mut functions = BTreeSet::new();
        if !opaque.is_empty() || uses.changes.iter().any(|c| c.what.hides) {
            let hidden = |id: &CallableId| {
                let hides = |c: &Change| c.what.hides && c.what.mentions(*id);
                opaque.contains(id) || uses.changes.iter().any(hides)
            };
            let closures = Closures::new(program, [unit], "");
            let reached = closures.of(unit);
            let reached = reached.iter().flat_map(|closure| closure.callables());
            functions.extend(reached.filter(|id| {
                let has_body = !matches!(typed[*id].body, Body::None);
                *id != unit && has_body && typed[*id].kind.is_function() && hidden(id)
            }));
        }
        Self {
            program: typed,
            always,
            functions,
            uses,
            body,
        }
    }

    /// Groups obligations by what the verifier abstracts for them.
    pub(super) fn groups(
        &self,
        wanted: &SortedSet<ObligationId>,
    ) -> Vec<(SortedSet<Abstraction>, SortedSet<ObligationId>)> {
        let mut groups: SortedMap<SortedSet<Abstraction>, SortedSet<ObligationId>> =
            SortedMap::new();
        for id in wanted {
            groups.entry(self.at(id.0)).or_default().insert(*id);
        }
        groups.into_iter().collect()
    }

    /// Returns what the verifier abstracts for an obligation at `place`. Postconditions are due at
    /// the end of the body.
    fn at(&self, place: Span) -> SortedSet<Abstraction> {
        let at = match self.body.contains_span(place) {
            true => place.start,
            false => self.body.end,
        };
        let mut all = self.always.clone();
        let hidden = self.functions.iter().filter(|id| {
            let is_shown = self.uses.last(at, |what| what.mentions(**id));
            !is_shown.unwrap_or(!self.program[**id].opaque)
        });
        all.extend(hidden.copied().map(Abstraction::Callable));
        for (label, span) in &self.uses.labels {
            // A labelled assertion is hidden behind it, a labelled precondition everywhere.
            let is_earlier = span.end <= at || !self.body.contains_span(*span);
            let is_shown = self.uses.last(at, |what| what.labels.contains(label));
            if is_earlier && is_shown != Some(true) {
                all.insert(Abstraction::Label(*span));
            }
        }
        all
    }
}

/// A `reveal` or `hide` statement, and the places where it has an effect.
struct Change {
    from: u32,
    to: u32,
    what: Revealed,
}

/// The callees, labels and `reveal` and `hide` statements of a body.
#[derive(Default)]
struct Uses {
    called: SortedSet<CallableId>,
    /// Labelled conditions: their labels and spans.
    labels: Vec<(Name, Span)>,
    changes: Vec<Change>,
    /// The ends of the blocks around the current place.
    ends: Vec<u32>,
}

impl Uses {
    fn labelled(&mut self, label: Option<&Name>, span: Span) {
        self.labels.extend(label.map(|label| (label.clone(), span)));
    }

    /// Whether the last statement that concerns a function or label reveals it at a place.
    fn last(&self, at: u32, concerns: impl Fn(&Revealed) -> bool) -> Option<bool> {
        let here = self.changes.iter().filter(|c| c.from <= at && at <= c.to);
        let last = here
            .filter(|c| concerns(&c.what))
            .max_by_key(|change| change.from)?;
        Some(!last.what.hides)
    }
}

impl<'t> Visit<'t> for Uses {
    fn block(&mut self, b: &'t typed::Block) {
        self.ends.push(b.span.end);
        walk_block(self, b);
        self.ends.pop();
    }

    fn stmt(&mut self, s: &'t typed::Stmt) {
        if let StmtKind::Reveal(what) = &s.kind {
            self.changes.push(Change {
                from: s.span.start,
                to: self.ends.last().copied().unwrap_or(s.span.end),
                what: what.clone(),
            });
        } else if let StmtKind::Assert { cond, label, by } = &s.kind {
            self.labelled(label.as_ref(), cond.span);
            // What the proof reveals is known for the assertion.
            for proof in by.iter().flat_map(|block| &block.stmts) {
                if let StmtKind::Reveal(what) = &proof.kind {
                    self.changes.push(Change {
                        from: cond.span.start,
                        to: cond.span.end,
                        what: what.clone(),
                    });
                }
            }
        }
        walk_stmt(self, s);
    }

    fn call(&mut self, c: &'t typed::Call) {
        self.called.insert(c.callee);
        walk_call(self, c);
    }
}
