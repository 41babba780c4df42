// tests/dtest/repeat.rs

use dunit::prelude::*;

use crate::subject::iterator_with_precondition::Repeat;

/// Reaches src/iterator_with_precondition.dfy:7:4: the loop `i := 0 to times` runs to completion (block 3 of 3); also blocks 1, 2.
/// Path: loop i := 0 to times ends.
#[dunit(unit = "Repeat")]
fn after_i_0_to_times() {
    let x = int(6);
    let times = int(4);
    require!(0 <= times, "src/iterator_with_precondition.dfy:1:25: times is a nat");
    require!(times > 0, "src/iterator_with_precondition.dfy:2:12: times > 0");

    let repeat = Repeat::new(&x, &times);
    expect!(
        Repeat::valid(&repeat),
        "src/iterator_with_precondition.dfy:1:10: Repeat.Valid() of a new iterator",
    );
    let mut more = true;
    let mut ys = Seq::new();
    for _ in 0..5 {
        more = Repeat::move_next(&repeat);
        if !more {
            break;
        }
        ys = &ys + seq![repeat.y.get()];
        expect!(
            repeat.y.get() == repeat.x,
            "src/iterator_with_precondition.dfy:3:17: y == x",
        );
    }

    expect_eq!(
        more,
        false,
        "src/iterator_with_precondition.dfy:1:10: Repeat by Dafny's semantics",
    );
    expect_eq!(
        ys,
        seq![int(6), int(6), int(6), int(6)],
        "src/iterator_with_precondition.dfy:1:10: Repeat by Dafny's semantics",
    );
    expect_eq!(
        to_dafny_string(&repeat),
        "_module.Repeat",
        "src/iterator_with_precondition.dfy:1:10: Repeat, printed",
    );
    expect_eq!(
        Repeat::valid(&repeat),
        more,
        "src/iterator_with_precondition.dfy:1:10: Repeat.Valid()",
    );
}
