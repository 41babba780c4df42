//! Slips of programmers that no mutation operator makes, because too many of them are equivalent:
//! parentheses around other operands, of `&&` and `||` and in arithmetic, a variable that keeps its value in one case
//! of `x := if c then a else b`, and the value that a variable began with instead of its current
//! one.
//!
//! Conditions are control flow in the IR: `a || (b && c)` tests `a`, and `b` only where `a` is
//! false. Other parentheses are another target of one edge ([`Finder::other_parentheses`]).

use super::exprs::{is_written, only, operand, text};
use super::hints::is_branch;
use super::stmts::{is_argument_compiled, roots};
use super::{Change, Finder, Mutant, Mutation, MutationKind, Piece, Place, clones};
use dafny_source::Span;
use dtest_ir::build::is_literal;
use dtest_ir::{
    Block, BlockId, Decision, Expr, ExprKind, GoalReason, Num, Op, Simple, StmtKind, Terminator,
    Var,
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
        self.other_terms();
        self.first_values();
    }

    /// Groups the operands of arithmetic in the other way.
    fn other_terms(&mut self) {
        for (place, root, whole) in self.compiled_roots(&[]) {
            let mut found: Vec<(Vec<usize>, Expr, Vec<Piece>)> = Vec::new();
            clones::parts(self.program, whole, &mut |path, e| {
                let others = regrouped(e).into_iter().chain(pulled_out(e));
                found.extend(others.map(|(other, text)| (path.to_vec(), other, text)));
            });
            for (path, other, text) in found {
                let span = other.span;
                self.meaning((place, root, whole), path, other, (span, text));
            }
        }
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
    pub(super) fn is_operand(&self, id: BlockId) -> bool {
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

/// An operation on integers whose parentheses are missing or around other operands, with its text:
/// of `(a + b) * c`, `(a + b) / c`, `a * b / c`, `a / (b * c)`, `a - (b + c)` and `a - (b - c)`.
fn regrouped(e: &Expr) -> Option<(Expr, Vec<Piece>)> {
    let of = |e: &Expr| -> Option<(Op, Expr, Expr)> {
        let ExprKind::Op(
            op @ (Op::Add(Num::Int) | Op::Sub(Num::Int) | Op::Mul(Num::Int) | Op::Div(Num::Int)),
            args,
        ) = &e.kind
        else {
            return None;
        };
        let [a, b] = args.as_slice() else {
            return None;
        };
        let is_there = |part: &Expr| is_written(part) && part.span != e.span;
        (is_there(a) && is_there(b)).then(|| (op.clone(), a.clone(), b.clone()))
    };
    let (outer, left, right) = of(e)?;
    let with = |op: &Op, a: Expr, b: Expr| Expr {
        kind: ExprKind::Op(op.clone(), vec![a, b]),
        ty: e.ty.clone(),
        span: e.span,
    };
    let is_sum = |op: &Op| matches!(op, Op::Add(_) | Op::Sub(_));
    let texts = |parts: [&Expr; 3], op: [&Op; 2]| {
        let [a, b, c] = parts.map(operand);
        let [first, second] = op.map(|op| text(symbol(op)));
        (a, first, b, second, c)
    };
    // Of the left operand, its second part belongs to the outer operator.
    if let Some((inner, a, b)) = of(&left) {
        let is_sum_within = is_sum(&inner) && !is_sum(&outer);
        let rounds = matches!((&inner, &outer), (Op::Mul(_), Op::Div(_)));
        if !is_sum_within && !rounds {
            return None;
        }
        let (a_text, first, b_text, second, c_text) = texts([&a, &b, &right], [&inner, &outer]);
        let shown = vec![a_text, first, text("("), b_text, second, c_text, text(")")];
        return Some((with(&inner, a, with(&outer, b, right)), shown));
    }
    let (inner, b, c) = of(&right)?;
    let is_difference = matches!(outer, Op::Sub(_)) && is_sum(&inner);
    let is_quotient = matches!((&outer, &inner), (Op::Div(_), Op::Mul(_)));
    if !is_difference && !is_quotient {
        return None;
    }
    let (a_text, first, b_text, second, c_text) = texts([&left, &b, &c], [&outer, &inner]);
    let shown = vec![a_text, first, b_text, second, c_text];
    Some((with(&inner, with(&outer, left, b), c), shown))
}

/// `f(a, b) + c` for `f(a, b + c)`: the argument ends too early.
fn pulled_out(e: &Expr) -> Option<(Expr, Vec<Piece>)> {
    let ExprKind::Call { args, .. } = &e.kind else {
        return None;
    };
    let last = args.last()?;
    let ExprKind::Op(op @ (Op::Add(Num::Int) | Op::Sub(Num::Int)), parts) = &last.kind else {
        return None;
    };
    let [kept, pulled] = parts.as_slice() else {
        return None;
    };
    // Of a constant, nothing is left that could be mistaken.
    if e.ty != last.ty || args.len() < 2 || !is_written(kept) || is_literal(pulled) {
        return None;
    }
    let mut call = e.clone();
    if let ExprKind::Call { args, .. } = &mut call.kind
        && let Some(arg) = args.last_mut()
    {
        *arg = kept.clone();
    }
    let other = Expr {
        kind: ExprKind::Op(op.clone(), vec![call, pulled.clone()]),
        ty: e.ty.clone(),
        span: e.span,
    };
    let shown = vec![only(e), text(", with "), only(pulled), text(" outside")];
    Some((other, shown))
}

fn symbol(op: &Op) -> &'static str {
    if matches!(op, Op::Add(_)) {
        " + "
    } else if matches!(op, Op::Sub(_)) {
        " - "
    } else if matches!(op, Op::Mul(_)) {
        " * "
    } else {
        " / "
    }
}

/// Whether an expression that is no literal has the same value everywhere: it is a parameter that
/// is never assigned, or a part of one, or an operation on such values and literals.
pub(super) fn is_of(e: &Expr, fixed: &SortedSet<Var>) -> bool {
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
            let same = |m: &crate::Mutant| {
                (m.mutation.span, &m.mutation.kind, &m.mutation.instead)
                    == (
                        hint.mutation.span,
                        &hint.mutation.kind,
                        &hint.mutation.instead,
                    )
            };
            assert!(hint.mutation.is_hint && !mutants.iter().any(same));
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
    fn a_term_may_be_added_to_the_result_of_a_call() {
        let source = "method M(a: int, b: int, c: int) returns (r: int) { r := Max(a, b + c); }\nfunction Max(a: int, b: int): int { if a < b then b else a }";
        let all = hints(source);
        assert!(all.iter().any(|h| h.contains("with c outside")), "{all:#?}");
    }

    #[test]
    fn terms_are_grouped_in_the_other_way() {
        for (term, other) in [
            ("(a + b) * c", "a + (b * c)"),
            ("a * b / 7", "a * (b / 7)"),
            ("a - (b - c)", "a - b - c"),
        ] {
            let all = hints(&format!(
                "method M(a: nat, b: nat, c: nat) returns (r: int) {{ r := {term}; }}"
            ));
            let expected = format!("`{other}` instead of `{term}`");
            assert!(all.contains(&expected), "{expected} in {all:#?}");
        }
        let same = "method M(a: nat, b: nat, c: nat) returns (r: int) { r := a * b * c; }";
        assert!(hints(same).iter().all(|h| h.contains("in 64 bits")));
    }

    #[test]
    fn a_variable_keeps_its_value_in_a_case_of_a_conditional_expression() {
        let source = "method M(s: seq<bool>) returns (r: int) { r := 1; for i := 0 to |s| { r := if s[i] then 2 else r + r; } }";
        let all = hints(source);
        assert!(all.contains(&"`2` is removed".to_owned()), "{all:#?}");
        assert!(all.contains(&"`r + r` is removed".to_owned()), "{all:#?}");
        // There is no value to keep.
        let declared =
            "method M(b: bool) returns (r: int) { var x := if b then 2 else 3; r := x + x; }";
        assert!(hints(declared).iter().all(|h| !h.contains("is removed")));
    }

    #[test]
    fn a_variable_may_be_read_as_if_it_had_its_first_value() {
        let source = "datatype D = D(year: int)\nmethod M(d: D, n: nat) returns (r: int) { var y := d.year; r := 0; for i := 0 to n { y := y - 1; r := r + y; } }";
        let all = hints(source);
        assert!(
            all.contains(&"`d.year` instead of `y`".to_owned()),
            "{all:#?}"
        );
        // What it begins with changes itself.
        let other = "method M(n: nat) returns (r: int) { r := 0; var k := n; var y := k + 1; while k > 0 { y := y - 1; k := k - 1; r := r + y; } }";
        assert!(hints(other).iter().all(|h| !h.contains("k + 1")), "{other}");
    }
}
