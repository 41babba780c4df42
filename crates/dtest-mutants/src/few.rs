//! Errors that small inputs do not show: a program that is right for one or two elements, for zero,
//! or for a leaf, and wrong beyond.
//!
//! Tests are as small as their purposes allow, so that a case that only the third element has, or
//! only a number above one, is often in none of them. The hints of this module are programs that
//! know small cases only: a number that never exceeds one, a rest of which only the last element
//! counts, an element that is looked up only at the first place, a map whose entries never change,
//! and a condition that is met only if a parameter is zero, or has one element, or a child is a
//! leaf. Inputs that show the difference are larger or more varied (small scopes do not suffice
//! where a program distinguishes sizes; compare boundary values in Myers, *The Art of Software
//! Testing*, 1979).

use super::exprs::{is_written, only, text};
use super::hints::is_branch;
use super::types::unconstrained;
use super::{Finder, Piece, Place, clones, is_same};
use dafny_resolve::typed::{CallableId, CtorId, Literal, Type, TypeDeclKind};
use dafny_source::Span;
use dtest_ir::build::{and, choose, int, is_literal, not, op, or, var};
use dtest_ir::{BlockId, Coll, Expr, ExprKind, Num, Op, Program, Terminator, Var};

/// Maximum number of conditions of a callable that are narrowed.
const MAX_NARROWED: usize = 20;
/// The same for restrictions of the numbers that the code changes.
const MAX_COUNTED: usize = 4;

/// An expression instead of another one, and its text.
type Instead = (Expr, Vec<Piece>);

impl Finder<'_> {
    /// Adds the hints in the order of the code.
    pub(super) fn for_few(&mut self, lambdas: &[u32]) {
        let (program, callable) = (self.program, self.procedure.callable);
        for (place, root, whole) in self.compiled_roots(lambdas) {
            let mut found: Vec<(Vec<usize>, Instead, Span)> = Vec::new();
            clones::parts(program, whole, &mut |path, e| {
                let others = [
                    capped(program, callable, e),
                    last_only(e),
                    first_entry(e),
                    found_first(e, !path.is_empty()),
                ];
                found.extend(
                    others
                        .into_iter()
                        .flatten()
                        .map(|o| (path.to_vec(), o, e.span)),
                );
            });
            for (path, (instead, text), span) in found {
                self.meaning((place, root, whole), path, instead, (span, text));
            }
        }
        self.narrowed();
    }

    /// Adds a restriction of a parameter to the conditions of branches.
    fn narrowed(&mut self) {
        let (program, procedure) = (self.program, self.procedure);
        let restrictions: Vec<Instead> = procedure
            .params
            .iter()
            .filter_map(|p| {
                let info = procedure.vars.get(p.0 as usize)?;
                let is_own = !info.ghost && !info.name.starts_with('$') && &*info.name != "this";
                is_own.then(|| restrictions(program, &var(*p, info.ty.clone(), info.span)))
            })
            .flatten()
            .collect();
        let mut count = 0;
        for (i, block) in procedure.blocks.iter().enumerate() {
            let Terminator::Branch { cond, then, els } = &block.terminator else {
                continue;
            };
            let decides = |id: &BlockId| procedure.block(*id).is_some_and(is_branch);
            if !is_written(cond) || block.loop_head.is_some() || !decides(then) && !decides(els) {
                continue;
            }
            for (restriction, shown) in &restrictions {
                if count < MAX_NARROWED {
                    count += 1;
                    let mut instead = and(cond.clone(), restriction.clone());
                    instead.span = cond.span;
                    let shown = [vec![only(cond), text(" && ")], shown.clone()].concat();
                    let place = (Place::End(BlockId(i as u32)), 0, cond);
                    self.meaning(place, Vec::new(), instead, (cond.span, shown));
                }
            }
        }
        self.narrowed_by_counters();
    }

    /// Restricts the conditions of branches to small values of numbers that the code changes: what
    /// follows a loop that ran twice is another case than what follows one that ran once.
    fn narrowed_by_counters(&mut self) {
        let procedure = self.procedure;
        let assigned: Vec<Var> = procedure
            .blocks
            .iter()
            .flat_map(|b| &b.stmts)
            .flat_map(|s| s.assigned())
            .collect();
        let is_counter = |v: Var| {
            procedure.vars.get(v.0 as usize).is_some_and(|info| {
                !info.ghost
                    && !info.name.starts_with('$')
                    && unconstrained(&self.program.typed, &info.ty) == Type::Int
            })
        };
        let mut counters: Vec<Var> = Vec::new();
        for v in &assigned {
            let times = assigned.iter().filter(|a| *a == v).count();
            if times > 1 && is_counter(*v) && !counters.contains(v) {
                counters.push(*v);
            }
        }
        let mut count = 0;
        for (i, block) in procedure.blocks.iter().enumerate() {
            let Terminator::Branch { cond, then, els } = &block.terminator else {
                continue;
            };
            let id = BlockId(i as u32);
            let decides = |id: &BlockId| procedure.block(*id).is_some_and(is_branch);
            if !is_written(cond) || block.loop_head.is_some() || !decides(then) && !decides(els) {
                continue;
            }
            for counter in &counters {
                let Some(info) = procedure.vars.get(counter.0 as usize) else {
                    continue;
                };
                // A comparison of the counter has mutants of its own.
                let is_compared = matches!(&cond.kind, ExprKind::Op(_, args)
                    if args.iter().any(|a| matches!(a.kind, ExprKind::Var(v) if v == *counter)));
                if count == MAX_COUNTED
                    || is_compared
                    || !self.has_value_before(*counter, Place::Stmt(id, block.stmts.len()))
                {
                    continue;
                }
                count += 1;
                let one = int(1, Type::Int, cond.span);
                let counted = var(*counter, info.ty.clone(), cond.span);
                let is_small = op(Op::Le(Num::Int), vec![counted, one], Type::Bool, cond.span);
                let mut instead = and(cond.clone(), is_small);
                instead.span = cond.span;
                let shown = vec![only(cond), text(format!(" && {} <= 1", info.name))];
                self.meaning(
                    (Place::End(id), 0, cond),
                    Vec::new(),
                    instead,
                    (cond.span, shown),
                );
            }
        }
    }
}

/// Conditions that a parameter meets in small inputs, or only in these.
fn restrictions(program: &Program, p: &Expr) -> Vec<Instead> {
    let span = p.span;
    let number = |n: i32| int(n, Type::Int, span);
    let shown = |before: &str, after: &str| vec![text(before), only(p), text(after)];
    match unconstrained(&program.typed, &p.ty) {
        Type::Int => {
            let zero = int(0, p.ty.clone(), span);
            let is_other = op(Op::Ne, vec![p.clone(), zero], Type::Bool, span);
            vec![(is_other, shown("", " != 0"))]
        }
        Type::Seq(_) => {
            let length = op(Op::Cardinality(Coll::Seq), vec![p.clone()], Type::Int, span);
            let is_short = op(Op::Le(Num::Int), vec![length, number(1)], Type::Bool, span);
            vec![(is_short, shown("|", "| <= 1"))]
        }
        Type::Named { decl, args, .. } => {
            let typed = &program.typed;
            let TypeDeclKind::Datatype { ctors, co: false } = &typed[decl].kind else {
                return Vec::new();
            };
            let is_leaf = |c: &CtorId| typed[*c].fields.is_empty() && !typed[*c].ghost;
            let Some(leaf) = ctors.iter().copied().find(is_leaf) else {
                return Vec::new();
            };
            let subst = typed.substitution(decl, &args);
            let mut found = Vec::new();
            for ctor in ctors.iter().copied() {
                for field in typed[ctor].fields.iter().copied() {
                    let ty = typed[field].ty.subst(&subst);
                    if typed[field].ghost
                        || unconstrained(typed, &ty) != unconstrained(typed, &p.ty)
                    {
                        continue;
                    }
                    let is_node = op(Op::CtorTest(ctor), vec![p.clone()], Type::Bool, span);
                    let child = op(Op::Destruct(field), vec![p.clone()], ty, span);
                    let is_leaf = op(Op::CtorTest(leaf), vec![child], Type::Bool, span);
                    let name = &typed[field].name;
                    found.push((
                        or(not(is_node.clone()), is_leaf.clone()),
                        shown("", &format!(".{name} is a leaf")),
                    ));
                    found.push((
                        or(not(is_node), not(is_leaf)),
                        shown("", &format!(".{name} is no leaf")),
                    ));
                }
            }
            found
        }
        Type::Bool
        | Type::Char
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Param(_)
        | Type::Object { .. }
        | Type::Error => Vec::new(),
    }
}

/// A difference, or the result of a recursive call, that does not exceed one.
fn capped(program: &Program, own: CallableId, e: &Expr) -> Option<Instead> {
    let is_difference =
        matches!(&e.kind, ExprKind::Op(Op::Sub(Num::Int), args) if !args.iter().all(is_literal));
    let is_recursive = matches!(&e.kind, ExprKind::Call { callee, .. } if *callee == own);
    if !is_written(e)
        || !(is_difference || is_recursive)
        || unconstrained(&program.typed, &e.ty) != Type::Int
    {
        return None;
    }
    let one = int(1, e.ty.clone(), e.span);
    let exceeds = op(
        Op::Lt(Num::Int),
        vec![one.clone(), e.clone()],
        Type::Bool,
        e.span,
    );
    let capped = choose(exceeds, one, e.clone(), e.ty.clone(), e.span);
    Some((capped, vec![only(e), text(" or 1")]))
}

/// Of `s[1..]`, the last element only.
fn last_only(e: &Expr) -> Option<Instead> {
    let ExprKind::Op(Op::Slice, args) = &e.kind else {
        return None;
    };
    let [s, low, high] = args.as_slice() else {
        return None;
    };
    let is_one = matches!(&low.kind, ExprKind::Literal(Literal::Int(n)) if *n == 1.into());
    let is_end = matches!(&high.kind, ExprKind::Op(Op::Cardinality(_), of) if of.first().is_some_and(|o| is_same(o, s)));
    if !is_written(e) || !is_one || !is_end {
        return None;
    }
    let one = int(1, Type::Int, e.span);
    let before = op(
        Op::Sub(Num::Int),
        vec![high.clone(), one.clone()],
        Type::Int,
        e.span,
    );
    let last = op(
        Op::Slice,
        vec![s.clone(), before.clone(), high.clone()],
        e.ty.clone(),
        e.span,
    );
    let is_longer = op(Op::Lt(Num::Int), vec![one, before], Type::Bool, e.span);
    let instead = choose(is_longer, last, e.clone(), e.ty.clone(), e.span);
    Some((instead, vec![text("the last of "), only(e)]))
}

/// Of `m[k := v]`, the map itself if it has the key.
fn first_entry(e: &Expr) -> Option<Instead> {
    let ExprKind::Op(Op::Update(Coll::Map), args) = &e.kind else {
        return None;
    };
    let [map, key, _] = args.as_slice() else {
        return None;
    };
    if !is_written(e) {
        return None;
    }
    let args = vec![key.clone(), map.clone()];
    let is_known = op(Op::In(Coll::Map), args, Type::Bool, e.span);
    let instead = choose(is_known, map.clone(), e.clone(), e.ty.clone(), e.span);
    Some((instead, vec![only(e), text(" for a new key")]))
}

/// Of the elements of a sequence that a bound variable may be, the first one only.
fn found_first(e: &Expr, is_within: bool) -> Option<Instead> {
    let ExprKind::Op(Op::In(Coll::Seq), args) = &e.kind else {
        return None;
    };
    let [x, s] = args.as_slice() else {
        return None;
    };
    if !is_written(e) || !is_within || !matches!(x.kind, ExprKind::Var(_)) {
        return None;
    }
    let number = |n: i32| int(n, Type::Int, e.span);
    let length = op(
        Op::Cardinality(Coll::Seq),
        vec![s.clone()],
        Type::Int,
        e.span,
    );
    let is_longer = op(
        Op::Lt(Num::Int),
        vec![number(1), length],
        Type::Bool,
        e.span,
    );
    let first = op(
        Op::Slice,
        vec![s.clone(), number(0), number(1)],
        s.ty.clone(),
        e.span,
    );
    let few = choose(is_longer, first, s.clone(), s.ty.clone(), e.span);
    let instead = op(Op::In(Coll::Seq), vec![x.clone(), few], Type::Bool, e.span);
    Some((instead, vec![only(e), text(" at the first place")]))
}

#[cfg(test)]
mod tests {
    use crate::testing::hints;

    fn assert_hint(source: &str, expected: &str) {
        let all = hints(source);
        assert!(all.iter().any(|h| h.contains(expected)), "{all:#?}");
    }

    #[test]
    fn differences_and_recursive_results_do_not_exceed_one() {
        assert_hint(
            "datatype D = D(users: nat)\nfunction F(d: D): D requires d.users > 0 { d.(users := d.users - 1) }",
            "d.users - 1 or 1",
        );
        assert_hint(
            "function Sum(s: seq<nat>): nat { if s == [] then 0 else s[0] + Sum(s[1..]) }",
            "Sum(s[1..]) or 1",
        );
    }

    #[test]
    fn only_the_last_of_the_rest_counts() {
        let sum = "function Sum(s: seq<int>): int { if s == [] then 0 else s[0] + Sum(s[1..]) }";
        assert_hint(sum, "the last of s[1..]");
        // These are other parts of a sequence.
        for part in ["s[2..]", "s[..1]", "s[1..2]"] {
            let source = format!("function F(s: seq<int>): seq<int> requires |s| > 1 {{ {part} }}");
            assert!(hints(&source).iter().all(|h| !h.contains("the last of")));
        }
    }

    #[test]
    fn entries_of_maps_stay() {
        assert_hint(
            "function Put(m: map<int, int>, k: int, v: int): map<int, int> { m[k := v] }",
            "m[k := v] for a new key",
        );
    }

    #[test]
    fn elements_are_found_at_the_first_place_only() {
        assert_hint(
            "function Any(s: seq<int>, n: int): bool { exists x <- s :: x > n }",
            "at the first place",
        );
    }

    #[test]
    fn conditions_are_met_for_some_parameters_only() {
        let tree = "datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)\n";
        let source = "function Floor(t: Tree, key: int, path: seq<bool>): int { if t.Leaf? || key == t.key then key else t.key }";
        let all = hints(&format!("{tree}{source}"));
        for expected in [
            "t.left is a leaf",
            "t.right is no leaf",
            "key != 0",
            "|path| <= 1",
        ] {
            assert!(all.iter().any(|h| h.contains(expected)), "{all:#?}");
        }
        // A loop that ran twice is another case than one that ran once.
        assert_hint(
            "method Find(s: seq<int>, k: int) returns (found: bool) { var i := 0; while i < |s| && s[i] < k { i := i + 1; } if i < |s| && s[i] == k { found := true; } else { found := false; } }",
            "s[i] == k && i <= 1",
        );
        // Without a condition there is nothing to narrow.
        let none = hints("function F(n: int): int { n }");
        assert!(none.is_empty(), "{none:#?}");
    }
}
