//! Clones: parts of the source that the lowering has at several places, such as the middle operand
//! of a chain of comparisons, or the subject of a `match`. A mutant changes all of them, because it
//! is an edit of the source.

use super::defined::is_same;
use super::{Change, Place, bounds, exprs, stmts};
use dafny_source::Span;
use dtest_ir::{BlockId, Expr, Lambda, Procedure, Program, Stmt, Terminator, VarInfo};
use rustc_hash::FxHashMap;

/// An expression of a callable's code, with its path from a root of a place.
struct Twin<'p> {
    place: Place,
    root: usize,
    path: Vec<usize>,
    expr: &'p Expr,
}

/// Compiled expressions whose location other expressions share.
pub(super) struct Clones<'p> {
    program: &'p Program,
    procedure: &'p Procedure,
    all: FxHashMap<Span, Vec<Twin<'p>>>,
}

/// A root of a place by its index, with its changes.
type ChangedRoot<'e> = (Place, usize, &'e Expr, Vec<(Vec<usize>, Expr)>);

impl<'p> Clones<'p> {
    /// Collects the expressions of a procedure and of the lambdas that it creates.
    pub(super) fn of(
        program: &'p Program,
        procedure: &'p Procedure,
        lambdas: &[u32],
        is_compiled: &dyn Fn(&Stmt, usize) -> bool,
    ) -> Self {
        // The roots of all compiled expressions.
        let mut roots: Vec<(Place, usize, &Expr)> = Vec::new();
        for (i, block) in procedure.blocks.iter().enumerate() {
            let id = BlockId(i as u32);
            for (at, stmt) in block.stmts.iter().enumerate() {
                let of_stmt = stmts::roots(stmt).into_iter().enumerate();
                let compiled = of_stmt.filter(|(n, _)| is_compiled(stmt, *n));
                roots.extend(compiled.map(|(n, e)| (Place::Stmt(id, at), n, e)));
            }
            if let Terminator::Branch { cond, .. } = &block.terminator {
                roots.push((Place::End(id), 0, cond));
            }
        }
        let bodies = lambdas
            .iter()
            .filter_map(|l| Some((Place::Lambda(*l), 0, &lambda(program, *l)?.body)));
        roots.extend(bodies);
        let mut clones = Self {
            program,
            procedure,
            all: FxHashMap::default(),
        };
        // Most locations occur once. Paths are kept only for the others.
        let mut count: FxHashMap<Span, u32> = FxHashMap::default();
        for (_, _, root) in &roots {
            parts(program, root, &mut |_, e| {
                *count.entry(e.span).or_default() += 1
            });
        }
        for (place, number, root) in roots {
            parts(program, root, &mut |path, expr| {
                if count.get(&expr.span).is_some_and(|n| *n > 1) {
                    clones.all.entry(expr.span).or_default().push(Twin {
                        place,
                        root: number,
                        path: path.to_vec(),
                        expr,
                    });
                }
            });
        }
        clones
    }

    /// The changes that replace a part of the code and its clones by `instead`. The first one is at
    /// the part itself. `None` if a bound variable has no domain any more.
    pub(super) fn changes(
        &self,
        (place, root, whole): (Place, usize, &Expr),
        path: Vec<usize>,
        instead: Expr,
    ) -> Option<Vec<(Place, Change)>> {
        // The clones are found by the location of the original part.
        let original = bounds::at(whole, &path)?;
        let vars = |place: Place| -> Option<&[VarInfo]> {
            match place {
                Place::Lambda(index) => lambda(self.program, index).map(|l| &l.vars[..]),
                Place::Whole | Place::Stmt(..) | Place::End(_) => Some(&self.procedure.vars),
            }
        };
        let mut changed: Vec<ChangedRoot<'_>> =
            vec![(place, root, whole, vec![(path.clone(), instead.clone())])];
        for clone in self.all.get(&original.span).into_iter().flatten() {
            let is_own = (clone.place, clone.root) == (place, root) && clone.path == path;
            // Other lambdas have variables of their own.
            let is_lambda = matches!(clone.place, Place::Lambda(_)) && clone.place != place;
            if is_own || is_lambda || !is_same(clone.expr, original) {
                continue;
            }
            let change = (clone.path.clone(), instead.clone());
            // Changes within the same root are applied together, because the loops are adapted only
            // once.
            let known = changed
                .iter_mut()
                .find(|(p, r, ..)| (*p, *r) == (clone.place, clone.root));
            match known {
                Some((_, _, _, changes)) => changes.push(change),
                None => {
                    let whole = self.root(clone.place, clone.root)?;
                    changed.push((clone.place, clone.root, whole, vec![change]));
                }
            }
        }
        // Each root is adapted to all of its changes.
        let refit = |(place, root, whole, changes)| {
            let (path, instead) = bounds::refitted(self.program, vars(place)?, whole, changes)?;
            let instead = Box::new(instead);
            Some((
                place,
                Change::Expr {
                    root,
                    path,
                    instead,
                },
            ))
        };
        changed.into_iter().map(refit).collect()
    }

    fn root(&self, place: Place, root: usize) -> Option<&'p Expr> {
        match place {
            Place::Stmt(block, at) => {
                let stmt = self.procedure.block(block)?.stmts.get(at)?;
                stmts::roots(stmt).into_iter().nth(root)
            }
            Place::End(block) => match &self.procedure.block(block)?.terminator {
                Terminator::Branch { cond, .. } => Some(cond),
                Terminator::Goto(_)
                | Terminator::Choose { .. }
                | Terminator::Return
                | Terminator::Stop => None,
            },
            Place::Lambda(index) => Some(&lambda(self.program, index)?.body),
            Place::Whole => None,
        }
    }
}

fn lambda(program: &Program, index: u32) -> Option<&Lambda> {
    program.lambdas.get(index as usize)
}

/// Visits the compiled parts of an expression, including ranges.
pub(super) fn parts<'p>(
    program: &'p Program,
    root: &'p Expr,
    visit: &mut dyn FnMut(&[usize], &'p Expr),
) {
    let mut work = vec![(Vec::new(), root)];
    while let Some((path, e)) = work.pop() {
        // Expressions without a location have no clones.
        if e.span.start < e.span.end {
            visit(&path, e);
        }
        let mut children = exprs::compiled_children(program, e);
        if let Some(q) = e.quantified()
            && let Some(range) = q.range.as_deref()
        {
            // The domains come first and are derived from the conditions.
            children.push((q.operands().count() - 1, range));
        }
        work.extend(children.into_iter().map(|(i, child)| {
            let way = path.iter().copied().chain([i]).collect();
            (way, child)
        }));
    }
}
