//! Tests of traversals and renaming of expressions built by hand.

use dafny_resolve::typed::{Program as Typed, Type};
use dafny_source::Span;

use crate::walk::Simple;
use crate::{
    BlockId, Domain, Expr, ExprKind, Num, Op, Quantified, Stmt, StmtKind, Terminator, Var, build,
};

const AT: Span = Span { start: 0, end: 0 };

fn var(n: u32) -> Expr {
    build::var(Var(n), Type::Int, AT)
}

fn int(n: i64) -> Expr {
    build::int(n, Type::Int, AT)
}

fn add(a: Expr, b: Expr) -> Expr {
    build::op(Op::Add(Num::Int), vec![a, b], Type::Int, AT)
}

/// Returns `v` with the values from `low` to `high`, and a range.
fn between(v: u32, low: Expr, high: Expr, range: Expr) -> Quantified {
    let domain = Domain::IntRange {
        low: Some(Box::new(low)),
        high: Some(Box::new(high)),
    };
    Quantified {
        vars: vec![Var(v)],
        range: Some(Box::new(range)),
        bounds: Some(vec![(Var(v), domain)]),
    }
}

#[test]
fn children_are_listed_in_the_order_of_evaluation() {
    let e = build::choose(build::boolean(true, AT), var(1), var(2), Type::Int, AT);
    let kinds: Vec<bool> = e.children().iter().map(|c| build::is_literal(c)).collect();
    assert_eq!(kinds, [true, false, false]);
}

#[test]
fn bounds_and_ranges_of_binders_are_children() {
    let e = build::exists(between(0, int(0), var(5), build::boolean(true, AT)), AT);
    // The bounds, the range, and the body.
    assert_eq!(e.children().len(), 4);
    assert!(e.mentions(&[Var(5)]));
}

#[test]
fn children_for_modification_are_the_same() {
    let mut e = build::exists(between(0, int(0), var(5), build::boolean(true, AT)), AT);
    let before: Vec<Expr> = e.children().into_iter().cloned().collect();
    let after: Vec<Expr> = e.children_mut().into_iter().map(|c| c.clone()).collect();
    assert_eq!(format!("{before:?}"), format!("{after:?}"));
}

#[test]
fn sizes_are_counted_up_to_a_limit() {
    let three = add(var(0), var(1));
    assert_eq!(three.size_within(3), Some(3));
    assert_eq!(three.size_within(2), None);
    let deep = (0..100_000).fold(var(0), |e, _| build::not(e));
    assert_eq!(deep.size_within(100), None);
    // The expression is nested too deeply to be dropped by recursion.
    std::mem::forget(deep);
}

#[test]
fn variables_are_found_at_any_depth() {
    let e = build::lets(vec![(Var(7), var(1))], add(var(7), int(2)));
    assert!(e.mentions(&[Var(1)]) && e.mentions(&[Var(9), Var(7)]));
    assert!(!e.mentions(&[Var(2)]));
}

#[test]
fn bindings_nest_with_the_first_outermost() {
    let e = build::lets(vec![(Var(1), int(1)), (Var(2), int(2))], var(2));
    let ExprKind::Let(outer, _, body) = &e.kind else {
        panic!("a binding")
    };
    let ExprKind::Let(inner, ..) = &body.kind else {
        panic!("a binding")
    };
    assert_eq!((*outer, *inner), (Var(1), Var(2)));
}

#[test]
fn atoms_can_be_duplicated() {
    assert!(build::is_atom(&var(0)) && build::is_atom(&int(1)));
    assert!(!build::is_atom(&add(var(0), int(1))));
    assert!(build::is_literal(&build::boolean(false, AT)) && !build::is_literal(&var(0)));
}

#[test]
fn renaming_reaches_uses_and_binders() {
    let mut e = build::exists(between(0, var(1), var(2), build::boolean(true, AT)), AT);
    e.rename(&|v| Var(v.0 + 10));
    assert!(e.mentions(&[Var(11)]) && e.mentions(&[Var(12)]) && !e.mentions(&[Var(1), Var(2)]));
    assert_eq!(e.quantified().map(|q| q.vars.clone()), Some(vec![Var(10)]));
}

#[test]
fn a_range_with_both_ends_is_finite() {
    let range = |low: Option<Expr>, high: Option<Expr>| Domain::IntRange {
        low: low.map(Box::new),
        high: high.map(Box::new),
    };
    assert!(range(Some(int(0)), Some(int(3))).is_finite());
    assert!(!range(Some(int(0)), None).is_finite());
    assert!(!range(None, Some(int(3))).is_finite());
    assert!(Domain::Elements(Box::new(var(0))).is_finite());
    assert_eq!(Domain::Allocated.operands().len(), 0);
}

#[test]
fn arithmetic_does_not_read_the_heap() {
    let typed = Typed::default();
    assert!(!add(var(0), int(1)).reads_state(&typed));
    let slice = build::op(Op::ArraySlice, vec![var(0), int(0), int(1)], Type::Int, AT);
    assert!(slice.reads_state(&typed));
    assert!(build::not(slice).reads_state(&typed));
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: AT }
}

#[test]
fn an_assignment_is_a_simple_statement() {
    let s = stmt(StmtKind::Assign {
        var: Var(3),
        value: int(1),
    });
    assert!(matches!(s.simple(), Some(Simple::Assigns(Var(3), _))));
    assert_eq!(s.assigned(), [Var(3)]);
    let h = stmt(StmtKind::Havoc(Var(4)));
    assert!(h.simple().is_none());
    assert_eq!(h.assigned(), [Var(4)]);
}

#[test]
fn control_continues_at_the_successors() {
    let (a, b) = (BlockId(1), BlockId(2));
    let branch = || Terminator::Branch {
        cond: build::boolean(true, AT),
        then: a,
        els: b,
    };
    assert_eq!(Terminator::Goto(a).successors(), [a]);
    assert_eq!(branch().successors(), [a, b]);
    assert_eq!(Terminator::Return.successors(), []);
    let mut redirected = branch();
    redirected.redirect(a, BlockId(9));
    assert_eq!(redirected.successors(), [BlockId(9), b]);
}
