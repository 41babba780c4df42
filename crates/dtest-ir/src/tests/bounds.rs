//! Tests of the bounds of the encoding and the scopes of claims.

use dtest_sorted::SortedSet;

use crate::bounds::{BoundKind, Bounds, Scope};

fn all() -> SortedSet<BoundKind> {
    BoundKind::ALL.into_iter().collect()
}

#[test]
fn cheap_bounds_are_doubled_and_costly_ones_grow_by_two() {
    let raised = Bounds::START.raised(&all(), &Bounds::CAPS);
    for (kind, value) in [
        (BoundKind::Collection, 4),
        (BoundKind::Unroll, 4),
        (BoundKind::Depth, 4),
        (BoundKind::Inline, 4),
        (BoundKind::Objects, 4),
    ] {
        assert_eq!(raised.of(kind), value, "{kind:?}");
    }
    let again = raised.raised(&all(), &Bounds::CAPS);
    assert_eq!((again.collection, again.depth), (8, 6));
}

#[test]
fn only_the_named_bounds_are_raised() {
    let one = SortedSet::from([BoundKind::Unroll]);
    let raised = Bounds::START.raised(&one, &Bounds::CAPS);
    assert_eq!(
        raised,
        Bounds {
            unroll: 4,
            ..Bounds::START
        }
    );
}

#[test]
fn bounds_do_not_exceed_their_caps() {
    let mut bounds = Bounds::START;
    for _ in 0..20 {
        bounds = bounds.raised(&all(), &Bounds::CAPS);
    }
    for kind in BoundKind::ALL
        .into_iter()
        .filter(|k| *k != BoundKind::Calls)
    {
        assert_eq!(bounds.of(kind), Bounds::CAPS.of(kind), "{kind:?}");
    }
}

#[test]
fn a_bound_above_its_cap_stays() {
    let high = Bounds {
        depth: 20,
        ..Bounds::START
    };
    assert_eq!(high.raised(&all(), &Bounds::CAPS).depth, 20);
}

#[test]
fn rationed_calls_have_a_copy_for_each_iteration() {
    assert!(!Bounds::START.is_rationed());
    let rationed = Bounds {
        unroll: 5,
        ..Bounds::START
    }
    .rationed();
    assert!(rationed.is_rationed());
    assert_eq!(rationed.calls, 6);
    // More iterations allow more copies than the cap.
    let many = Bounds {
        unroll: 16,
        calls: 6,
        ..Bounds::START
    };
    let calls = SortedSet::from([BoundKind::Calls]);
    assert_eq!(many.raised(&calls, &Bounds::CAPS).calls, 12);
}

#[test]
fn bounds_are_described_in_one_line() {
    assert_eq!(
        Bounds::START.to_string(),
        "collections 2, depth 2, loops 2, recursion 2, objects 2"
    );
    let rationed = Bounds {
        calls: 3,
        ..Bounds::START
    };
    assert!(rationed.to_string().ends_with(", copies of a callee 3"));
}

#[test]
fn a_scope_has_the_sizes_of_the_bounds_that_matter() {
    let kinds = SortedSet::from([BoundKind::Collection, BoundKind::Unroll]);
    let scope = Scope::of(&Bounds::START, &kinds, Some(8));
    assert_eq!(
        (scope.collection, scope.depth, scope.numbers),
        (Some(2), None, Some(8))
    );
    // Bounds of executions limit no inputs.
    assert_eq!(scope.kinds(), SortedSet::from([BoundKind::Collection]));
    assert_eq!(scope.to_string(), "collections 2, integers -8 to 8");
    assert_eq!(Scope::default().to_string(), "all inputs");
}
