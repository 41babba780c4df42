// tests/dtest/count.rs

use dunit::prelude::*;

use crate::subject::iterator_yield::Count;

/// Reaches src/iterator_yield.dfy:7:4: the loop is exited: `i < n` does not hold (block 3 of 3); also blocks 1, 2.
/// Path: i >= n.
#[dunit(unit = "Count")]
fn when_i_is_at_least_n() {
    let n = int(4);
    require!(0 <= n, "src/iterator_yield.dfy:1:16: n is a nat");

    let count = Count::new(&n);
    expect!(
        Count::valid(&count),
        "src/iterator_yield.dfy:1:10: Count.Valid() of a new iterator",
    );
    let mut more = true;
    let mut xs = Seq::new();
    for _ in 0..5 {
        more = Count::move_next(&count);
        if !more {
            break;
        }
        xs = &xs + seq![count.x.get()];
    }

    expect_eq!(more, false, "src/iterator_yield.dfy:1:10: Count by Dafny's semantics");
    expect_eq!(
        xs,
        seq![int(0), int(1), int(2), int(3)],
        "src/iterator_yield.dfy:1:10: Count by Dafny's semantics",
    );
    expect_eq!(
        to_dafny_string(&count),
        "_module.Count",
        "src/iterator_yield.dfy:1:10: Count, printed",
    );
    expect_eq!(
        Count::valid(&count),
        more,
        "src/iterator_yield.dfy:1:10: Count.Valid()",
    );
    expect!(
        xs.iter().all(|e| 0 <= *e),
        "src/iterator_yield.dfy:1:32: xs is a seq<nat>",
    );
}

// tests/dtest/first.rs

use dunit::prelude::*;

use crate::subject::iterator_yield;

/// Reaches src/iterator_yield.dfy:13:21: `more` holds (block 2 of 3); also block 1.
/// Path: more.
#[dunit(unit = "First")]
fn when_more() {
    let r = iterator_yield::first();

    expect_eq!(r, int(0), "src/iterator_yield.dfy:10:8: First by Dafny's semantics");
}
