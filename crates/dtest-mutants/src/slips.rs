//! Slips of programmers that no mutation operator makes, because too many of them are equivalent:
//! parentheses around other operands of `&&` and `||`, a variable that keeps its value in one case
//! of `x := if c then a else b`, and the value that a variable began with instead of its current
//! one.
//!
//! Conditions are control flow in the IR: `a || (b && c)` tests `a`, and `b` only where `a` is
//! false. Other parentheses are another target of one edge ([`Finder::other_parentheses`]).

use super::hints::is_branch;
use super::stmts::{is_argument_compiled, roots};
use super::{Change, Finder, Mutant, Mutation, MutationKind, Piece, Place, clones};
use dafny_source::Span;
use dtest_ir::{
    Block, BlockId, Decision, Expr, ExprKind, GoalReason, Op, Simple, StmtKind, Terminator, Var,
};
use dtest_sorted::SortedSet;

/// Maximum number of places at which a callable reads the first value of a variable.
const MAX_STALE: usize = 12;

/// A block that tests a condition, and the blocks of its two cases.
#[derive(Clone, Copy)]
struct Test {
    cond: Span,
    then: BlockId,
    els: BlockId,
}

impl<'p> Finder<'p> {
    /// Adds all slips in the order of the code.
    pub(super) fn slips(&mut self) {
        for (i, block) in self.procedure.blocks.iter().enumerate() {
            let id = BlockId(i as u32);
            self.other_parentheses(id);
            self.kept_values(id, block);
        }
        self.first_values();
    }

    /// The test at the end of a block.
    fn test(&self, id: BlockId) -> Option<Test> {
        let Terminator::Branch { cond, then, els } = &self.procedure.block(id)?.terminator else {
            return None;
        };
        Some(Test {
            cond: cond.span,
            then: *then,
            els: *els,
        })
    }

    /// Whether a block evaluates an operand of `&&` or `||` after another one.
    fn is_operand(&self, id: BlockId) -> bool {
        let goal = self.procedure.block(id).and_then(|b| b.goal.as_ref());
        goal.is_some_and(|g| {
            matches!(
                g.reason,
                GoalReason::Branch {
                    decision: Decision::Operand,
                    ..
                }
            )
        })
    }

    /// Groups three operands in the other way, where two operators differ.
    fn other_parentheses(&mut self, id: BlockId) {
        let Some(first) = self.test(id) else {
            return;
        };
        let operand = |at: BlockId| self.test(at).filter(|_| self.is_operand(at));
        let (then, els) = match (operand(first.then), operand(first.els)) {
            // `a || (b && c)`: `c` decides where `a` is true.
            (_, Some(second)) if second.els != first.then && self.is_operand(second.then) => {
                if second.then == first.then {
                    // `(a || b) && c`: `c` does not matter where `a` is true.
                    let Some(third) = operand(first.then) else {
                        return;
                    };
                    (third.then, first.els)
                } else {
                    (second.then, first.els)
                }
            }
            // `a && (b || c)`: `c` decides where `a` is false.
            (Some(second), _) if second.then != first.els && self.is_operand(second.els) => {
                if second.els == first.els {
                    // `(a && b) || c`: `c` does not matter where `a` is false.
                    let Some(third) = operand(first.els) else {
                        return;
                    };
                    (first.then, third.els)
                } else {
                    (first.then, second.els)
                }
            }
            (_, _) => return,
        };
        let change = Change::Branch {
            then,
            els,
            flipped: None,
        };
        let around = Mutation::new(first.cond, MutationKind::Order, Vec::new());
        self.slip(Place::End(id), change, around);
    }

    /// Leaves out the assignment in one case of a conditional expression: the variable keeps its
    /// value there. Whole statements are removed by a mutation operator.
    fn kept_values(&mut self, id: BlockId, block: &Block) {
        if !is_branch(block) {
            return;
        }
        for (at, stmt) in block.stmts.iter().enumerate() {
            let place = Place::Stmt(id, at);
            let StmtKind::Assign { var, .. } = &stmt.kind else {
                continue;
            };
            let Some(whole) = self.procedure.statement_around(stmt.span) else {
                continue;
            };
            let Some(info) = self.procedure.vars.get(var.0 as usize) else {
                continue;
            };
            let is_case = !info.name.starts_with('$')
                && !whole.contains_span(info.span)
                && self.assignments(*var, whole) > 1;
            if is_case
                && self.is_compiled(stmt)
                && self.seen.matters(id, at)
                && self.has_value_before(*var, place)
            {
                let mutation = Mutation::left_out(stmt.span);
                self.slip(place, Change::LeftOut, mutation);
            }
        }
    }

    /// Replaces reads of a variable by the value that it began with, if that is an expression of
    /// what never changes: the year of a date instead of the year that a loop counts down.
    fn first_values(&mut self) {
        let (program, procedure) = (self.program, self.procedure);
        let mut count = 0;
        for (var, first) in self.beginnings() {
            for (i, block) in procedure.blocks.iter().enumerate().skip(1) {
                let id = BlockId(i as u32);
                let mut found: Vec<(Place, usize, &Expr, Vec<usize>)> = Vec::new();
                let mut visit = |place: Place, root: usize, whole| {
                    clones::parts(program, whole, &mut |path, e: &Expr| {
                        if matches!(e.kind, ExprKind::Var(v) if v == var) {
                            found.push((place, root, whole, path.to_vec()));
                        }
                    });
                };
                for (at, stmt) in block.stmts.iter().enumerate() {
                    if !self.seen.matters(id, at) || !self.is_compiled(stmt) {
                        continue;
                    }
                    for (n, root) in roots(stmt).into_iter().enumerate() {
                        if is_argument_compiled(program, stmt, n) {
                            visit(Place::Stmt(id, at), n, root);
                        }
                    }
                }
                if let Terminator::Branch { cond, .. } = &block.terminator {
                    visit(Place::End(id), 0, cond);
                }
                for (place, root, whole, path) in found {
                    if count < MAX_STALE {
                        count += 1;
                        self.stale((place, root, whole), path, first);
                    }
                }
            }
        }
    }

    /// The variables that are assigned again, with the expressions that they begin with.
    fn beginnings(&self) -> Vec<(Var, &'p Expr)> {
        let procedure = self.procedure;
        let stmts = || procedure.blocks.iter().flat_map(|b| &b.stmts);
        let assigned: Vec<Var> = stmts().flat_map(|s| s.assigned()).collect();
        let times = |v: &Var| assigned.iter().filter(|a| *a == v).count();
        // Parameters that are never assigned, and what is read from them.
        let fixed: SortedSet<Var> = procedure
            .params
            .iter()
            .copied()
            .filter(|p| times(p) == 0)
            .collect();
        let Some(entry) = procedure.blocks.first() else {
            return Vec::new();
        };
        let begins = entry.stmts.iter().filter_map(|stmt| {
            let Some(Simple::Assigns(var, value)) = stmt.simple() else {
                return None;
            };
            let is_changed = times(&var) > 1 && self.is_compiled(stmt);
            (is_changed && is_of(value, &fixed)).then_some((var, value))
        });
        begins.collect()
    }

    fn stale(&mut self, root: (Place, usize, &Expr), path: Vec<usize>, first: &Expr) {
        let Some(span) = super::bounds::at(root.2, &path).map(|e| e.span) else {
            return;
        };
        let text = vec![Piece::Source(first.span)];
        let mutation = Mutation::new(span, MutationKind::Operand, text);
        let is_known = self.found.iter().any(|h| h.mutation == mutation);
        if let Some(changes) = self.clones.changes(root, path, first.clone())
            && !is_known
        {
            let mut changes = changes.into_iter();
            let Some((place, change)) = changes.next() else {
                return;
            };
            self.slip(place, change, mutation);
            if let Some(added) = self.found.last_mut() {
                added.also = changes.collect();
            }
        }
    }

    fn slip(&mut self, place: Place, change: Change, mutation: Mutation) {
        self.found.push(Mutant {
            callable: self.procedure.callable,
            place,
            change,
            also: Vec::new(),
            mutation,
        });
    }
}

/// Whether an expression that is no literal has the same value everywhere: it is a parameter that
/// is never assigned, or a part of one, or an operation on such values and literals.
fn is_of(e: &Expr, fixed: &SortedSet<Var>) -> bool {
    let is_part = |a: &Expr| matches!(a.kind, ExprKind::Literal(_)) || is_of(a, fixed);
    if let ExprKind::Op(op, args) = &e.kind {
        // Elements of arrays change.
        !matches!(op, Op::ArraySlice)
            && args.iter().all(is_part)
            && args.iter().any(|a| is_of(a, fixed))
    } else {
        matches!(&e.kind, ExprKind::Var(v) if fixed.contains(v))
    }
}

#[cfg(test)]
mod tests {
    use crate::describe;
    use dtest_ir::Criteria;
    use dtest_lower::testing::lowered;
    use dtest_lower::units;

    /// The descriptions of the hints of the first unit.
    fn hints(source: &str) -> Vec<String> {
        let (sources, program) = lowered(source, Criteria::default());
        let unit = units::units(&program.typed, |_| true)[0].callable;
        let (hints, mutants) = (crate::hints(&program, unit), crate::of(&program, unit));
        for hint in &hints {
            assert!(hint.applied(&program).is_some());
            assert!(mutants.iter().all(|m| m.mutation != hint.mutation));
        }
        hints
            .iter()
            .map(|h| describe::mutation(&h.mutation, &sources))
            .collect()
    }

    #[test]
    fn three_operands_are_grouped_in_the_other_way() {
        for condition in [
            "a || (b && c)",
            "a && (b || c)",
            "(a || b) && c",
            "(a && b) || c",
        ] {
            let source = format!(
                "method M(a: bool, b: bool, c: bool) returns (r: int) {{ if {condition} {{ r := 1; }} else {{ r := 2; }} }}"
            );
            assert_eq!(hints(&source), ["parts of `a` exchanged"]);
        }
        // One operator is associative.
        let same = "method M(a: bool, b: bool, c: bool) returns (r: int) { if a && b && c { r := 1; } else { r := 2; } }";
        assert_eq!(hints(same), [""; 0]);
    }

    #[test]
    fn a_variable_keeps_its_value_in_a_case_of_a_conditional_expression() {
        let source = "method M(s: seq<bool>) returns (r: int) { r := 1; for i := 0 to |s| { r := if s[i] then 2 else r + r; } }";
        let all = hints(source);
        assert!(all.contains(&"`2` is removed".to_owned()), "{all:#?}");
        assert!(all.contains(&"`r + r` is removed".to_owned()), "{all:#?}");
        // There is no value to keep.
        let declared = "method M(b: bool) returns (r: int) { var x := if b then 2 else 3; r := x + x; }";
        assert!(hints(declared).iter().all(|h| !h.contains("is removed")));
    }

    #[test]
    fn a_variable_may_be_read_as_if_it_had_its_first_value() {
        let source = "datatype D = D(year: int)\nmethod M(d: D, n: nat) returns (r: int) { var y := d.year; r := 0; for i := 0 to n { y := y - 1; r := r + y; } }";
        let all = hints(source);
        assert!(all.contains(&"`d.year` instead of `y`".to_owned()), "{all:#?}");
        // What it begins with changes itself.
        let other = "method M(n: nat) returns (r: int) { r := 0; var k := n; var y := k + 1; while k > 0 { y := y - 1; k := k - 1; r := r + y; } }";
        assert!(hints(other).iter().all(|h| !h.contains("k + 1")), "{other}");
    }
}
