//! Unused parameters: compiled code passes them only to other unused parameters. Typically, only
//! specifications mention them (`append(lowest, highest, xs, ys)`, whose contract says that all
//! elements lie between the two). The argument for such a parameter makes no difference as long as
//! it has a value, so that its mutants cannot be killed.

use super::defined::{alike, is_same, is_total_after, may_fail};
use super::live::Live;
use super::{Change, Mutant, Place};
use dafny_resolve::typed::CallableId;
use dtest_ir::{BlockId, Expr, ExprKind, Procedure, Program, StmtKind};
use dtest_sorted::{SortedMap, SortedSet};

/// Maximum number of callables in one analysis.
const MAX_CALLABLES: usize = 64;

/// The indices of unused parameters, by callable.
#[derive(Default)]
pub(super) struct Unused(SortedMap<CallableId, SortedSet<usize>>);

impl Unused {
    /// The unused parameters of a callable and its callees: the greatest solution of "a parameter
    /// is unused if it is read only in arguments for unused parameters".
    pub(super) fn of(program: &Program, callable: CallableId) -> Self {
        let all: Vec<CallableId> = std::iter::once(callable)
            .chain(program.callees(callable))
            .collect();
        if all.len() > MAX_CALLABLES {
            return Self::default();
        }
        // Overridden functions are called through the trait, whose other implementations may read
        // the parameter.
        let is_fixed = |c: &CallableId| {
            let declared = &program.typed[*c];
            declared.is_static || !declared.owner.is_some_and(|o| program.typed.is_trait(o))
        };
        let followed = all
            .into_iter()
            .filter(is_fixed)
            .filter_map(|c| Some((c, &**program.procedures.get(&c)?)));
        let followed: Vec<(CallableId, &Procedure)> = followed
            .filter(|(_, procedure)| is_plain(procedure))
            .collect();
        // Starts with all parameters, and removes those that are read until nothing changes.
        let mut unused = Self(
            followed
                .iter()
                .map(|(c, p)| (*c, (0..p.params.len()).collect()))
                .collect(),
        );
        let mut again = true;
        while again {
            again = false;
            for (callable, procedure) in &followed {
                if unused.0.get(callable).is_none_or(SortedSet::is_empty) {
                    continue;
                }
                // The parameters that are live at the entry are read.
                let live = Live::new(procedure, &unused).at(BlockId(0));
                let is_read =
                    |at: &usize| procedure.params.get(*at).is_none_or(|p| live.contains(p));
                if let Some(places) = unused.0.get_mut(callable) {
                    let before = places.len();
                    places.retain(|at| !is_read(at));
                    again |= places.len() < before;
                }
            }
        }
        unused.0.retain(|_, places| !places.is_empty());
        unused
    }

    /// Whether a parameter of a callable is unused.
    pub(super) fn is(&self, callee: CallableId, at: usize) -> bool {
        self.0
            .get(&callee)
            .is_some_and(|places| places.contains(&at))
    }

    /// The parts of an expression that affect its value.
    pub(super) fn used_parts<'e>(&self, e: &'e Expr) -> Vec<&'e Expr> {
        if let ExprKind::Call { callee, args, .. } = &e.kind {
            self.used_arguments(*callee, args)
        } else {
            e.children()
        }
    }

    /// The arguments of a call that affect it. Of arguments for unused parameters, only the parts
    /// that may fail.
    pub(super) fn used_arguments<'e>(&self, callee: CallableId, args: &'e [Expr]) -> Vec<&'e Expr> {
        let used = |(at, arg)| {
            if self.is(callee, at) {
                partial_parts(arg)
            } else {
                vec![arg]
            }
        };
        args.iter().enumerate().flat_map(used).collect()
    }

    /// Whether a mutant only changes the argument for an unused parameter.
    pub(super) fn hides(&self, program: &Program, mutant: &Mutant) -> bool {
        if self.0.is_empty() {
            return false;
        }
        // Only replaced expressions change an argument.
        let (
            Some(root),
            Change::Expr {
                root: number,
                path,
                instead,
            },
        ) = (mutant.root(program), &mutant.change)
        else {
            return false;
        };
        self.hides_argument(program, mutant, *number, (path, instead))
            || self.hides_in(root, path, instead)
    }

    /// The same for an argument of a call statement.
    fn hides_argument(
        &self,
        program: &Program,
        mutant: &Mutant,
        number: usize,
        (path, instead): (&[usize], &Expr),
    ) -> bool {
        let Place::Stmt(block, at) = mutant.place else {
            return false;
        };
        let stmt = program
            .procedures
            .get(&mutant.callable)
            .and_then(|p| p.block(block)?.stmts.get(at));
        let Some(StmtKind::Call { callee, args, .. }) = stmt.map(|s| &s.kind) else {
            return false;
        };
        args.get(number)
            .is_some_and(|arg| self.is(*callee, number) && alike(arg, path, instead))
    }

    fn hides_in(&self, e: &Expr, path: &[usize], instead: &Expr) -> bool {
        let Some((step, rest)) = path.split_first() else {
            return self.passes_the_same(e, instead);
        };
        let children = e.children();
        let Some(child) = children.get(*step) else {
            return false;
        };
        // The change is within an argument of an unused parameter.
        let is_unused = matches!(&e.kind, ExprKind::Call { callee, .. } if self.is(*callee, *step) && alike(child, rest, instead));
        is_unused || self.hides_in(child, rest, instead)
    }

    /// Whether two calls differ only in arguments for unused parameters.
    fn passes_the_same(&self, e: &Expr, other: &Expr) -> bool {
        let ExprKind::Call {
            callee,
            args,
            type_args,
            label: None,
        } = &e.kind
        else {
            return false;
        };
        let ExprKind::Call {
            callee: same,
            args: others,
            type_args: other_types,
            label: None,
        } = &other.kind
        else {
            return false;
        };
        let is_alike = |(at, (a, b)): (usize, (&Expr, &Expr))| {
            self.is(*callee, at) && is_total_after(b, e) || is_same(a, b)
        };
        callee == same
            && type_args == other_types
            && args.len() == others.len()
            && args.iter().zip(others).enumerate().all(is_alike)
    }
}

/// Whether a procedure is Dafny code without stubs or unsupported statements.
fn is_plain(procedure: &Procedure) -> bool {
    // Such statements have effects that are not visible here.
    let is_plain = |kind: &StmtKind| {
        !matches!(
            kind,
            StmtKind::Answer { .. }
                | StmtKind::Redefine { .. }
                | StmtKind::HavocHeap(..)
                | StmtKind::Save { .. }
                | StmtKind::Restore { .. }
                | StmtKind::Unsupported { .. }
        )
    };
    procedure
        .blocks
        .iter()
        .flat_map(|b| &b.stmts)
        .all(|s| is_plain(&s.kind))
}

/// The parts of an expression that may fail when evaluated.
fn partial_parts(e: &Expr) -> Vec<&Expr> {
    if may_fail(e) {
        vec![e]
    } else {
        e.children().into_iter().flat_map(partial_parts).collect()
    }
}
