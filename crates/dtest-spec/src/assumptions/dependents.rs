//! The callables that depend on an assumption: their proofs or results use it.

use dafny_resolve::typed::visit::{Visit, walk_call, walk_callable, walk_expr};
use dafny_resolve::typed::{Arena, Call, CallableId, Expr, ExprKind, FieldId, FieldKind, Program};
use dtest_sorted::{SortedMap, SortedSet};

use super::{Assumption, AssumptionKind, Subject};

/// The uses of declarations in a program.
pub struct Dependents {
    users: SortedMap<Subject, SortedSet<CallableId>>,
}

impl Dependents {
    /// Collects the uses of all declarations: a callable uses what its contract and its body name. A
    /// member of a trait uses the members that override it, because a call may execute them.
    pub fn new(program: &Program) -> Self {
        let mut users: SortedMap<Subject, SortedSet<CallableId>> = SortedMap::new();
        for id in Arena::<CallableId>::ids(program) {
            let mut uses = Uses {
                program,
                found: SortedSet::new(),
                seen: SortedSet::new(),
            };
            walk_callable(&mut uses, &program[id]);
            for subject in uses.found {
                users.entry(subject).or_default().insert(id);
            }
            for overridden in &program[id].overrides {
                let own = Subject::Callable(id);
                users.entry(own).or_default().insert(*overridden);
            }
        }
        Self { users }
    }

    /// Returns the callables that depend on an assumption, also by way of others. The callable with
    /// a statement that assumes something depends on it itself; one that is assumed as a whole does
    /// not.
    pub fn of(&self, assumption: &Assumption) -> SortedSet<CallableId> {
        let mut found = SortedSet::new();
        let mut open = vec![assumption.subject];
        if let (Subject::Callable(id), true) = (assumption.subject, is_within(assumption.kind)) {
            found.insert(id);
        }
        while let Some(subject) = open.pop() {
            for user in self.users.get(&subject).into_iter().flatten() {
                if found.insert(*user) {
                    open.push(Subject::Callable(*user));
                }
            }
        }
        // A recursive axiom uses itself, which makes no difference.
        if let (Subject::Callable(id), false) = (assumption.subject, is_within(assumption.kind)) {
            found.remove(&id);
        }
        found
    }
}

/// Whether the proof of the declaration itself uses the assumption.
fn is_within(kind: AssumptionKind) -> bool {
    match kind {
        AssumptionKind::Assume
        | AssumptionKind::AssumedChoice
        | AssumptionKind::AssumedSuccess
        | AssumptionKind::LoopWithoutBody
        | AssumptionKind::ForallWithoutBody => true,
        AssumptionKind::Axiom
        | AssumptionKind::NoBody
        | AssumptionKind::ExternalFunction
        | AssumptionKind::ExternalEnsures
        | AssumptionKind::ExternalRequires
        | AssumptionKind::NotVerified
        | AssumptionKind::MayNotTerminate
        | AssumptionKind::CrossModuleTermination
        | AssumptionKind::Only => false,
    }
}

struct Uses<'p> {
    program: &'p Program,
    found: SortedSet<Subject>,
    /// Constants whose values were visited.
    seen: SortedSet<FieldId>,
}

impl<'p> Visit<'p> for Uses<'p> {
    fn call(&mut self, c: &'p Call) {
        self.found.insert(Subject::Callable(c.callee));
        walk_call(self, c);
    }

    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::Field { field, .. } = &e.kind {
            self.found.insert(Subject::Field(*field));
            // A constant is used with everything that its value uses.
            if self.seen.insert(*field)
                && let FieldKind::Const(Some(value)) = &self.program[*field].kind
            {
                self.expr(value);
            }
        } else if let ExprKind::FunctionRef { callee, .. } = &e.kind {
            self.found.insert(Subject::Callable(*callee));
        }
        walk_expr(self, e);
    }
}
