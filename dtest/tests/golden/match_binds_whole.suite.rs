// tests/dtest/list.rs

use dunit::prelude::*;

use crate::subject::match_binds_whole::List;

/// Values of the constructors at src/match_binds_whole.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "List")]
fn constructors() {
    let nil = List::Nil;
    expect!(nil.is_nil() && !nil.is_cons(), "src/match_binds_whole.dfy:1:17: Nil");
    expect_eq!(
        format!("{nil:?}"),
        "List.Nil",
        "src/match_binds_whole.dfy:1:17: Nil, printed",
    );

    let cons = List::Cons {
        head: int(2),
        tail: Rc::new(List::Cons {
            head: int(2),
            tail: Rc::new(List::Nil),
        }),
    };
    expect!(cons.is_cons() && !cons.is_nil(), "src/match_binds_whole.dfy:1:23: Cons");
    expect_eq!(*cons.head(), int(2), "src/match_binds_whole.dfy:1:23: Cons.head");
    expect_eq!(
        *cons.tail(),
        List::Cons {
            head: int(2),
            tail: Rc::new(List::Nil),
        },
        "src/match_binds_whole.dfy:1:23: Cons.tail",
    );
    expect_eq!(
        format!("{cons:?}"),
        "List.Cons(2, List.Cons(2, List.Nil))",
        "src/match_binds_whole.dfy:1:23: Cons, printed",
    );
}

// tests/dtest/second.rs

use dunit::prelude::*;

use crate::subject::match_binds_whole::{self, List};

/// Reaches src/match_binds_whole.dfy:5:15: case `Nil` (block 2 of 3); also block 1.
/// Path: Nil.
#[dunit(unit = "Second")]
fn in_case_nil() {
    let l = List::Nil;

    let result = match_binds_whole::second(&l);

    expect_eq!(
        result,
        List::Nil,
        "src/match_binds_whole.dfy:3:10: Second by Dafny's semantics",
    );
}

/// Reaches src/match_binds_whole.dfy:6:31: case `Cons(_, rest: List)` (block 3 of 3); also block 1.
/// Path: !Nil.
#[dunit(unit = "Second")]
fn in_case_cons_any_rest_list() {
    let l = List::Cons {
        head: int(3),
        tail: Rc::new(List::Cons {
            head: int(0),
            tail: Rc::new(List::Cons {
                head: int(-1),
                tail: Rc::new(List::Nil),
            }),
        }),
    };

    let result = match_binds_whole::second(&l);

    expect_eq!(
        result,
        List::Cons {
            head: int(0),
            tail: Rc::new(List::Cons {
                head: int(-1),
                tail: Rc::new(List::Nil),
            }),
        },
        "src/match_binds_whole.dfy:3:10: Second by Dafny's semantics",
    );
}
