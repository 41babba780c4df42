// tests/dtest/from.rs

use dunit::prelude::*;

use crate::subject::codatatype_lazy;

/// Reaches src/codatatype_lazy.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "From")]
fn runs() {
    let n = int(3);

    let result = codatatype_lazy::from(&n);

    expect_eq!(
        *result.head(),
        int(3),
        "src/codatatype_lazy.dfy:3:10: From by Dafny's semantics: .head",
    );
    expect_eq!(
        *result.tail().head(),
        int(4),
        "src/codatatype_lazy.dfy:3:10: From by Dafny's semantics: .tail.head",
    );
    expect_eq!(
        *result.tail().tail().head(),
        int(5),
        "src/codatatype_lazy.dfy:3:10: From by Dafny's semantics: .tail.tail.head",
    );
    expect_eq!(
        *result.tail().tail().tail().head(),
        int(6),
        "src/codatatype_lazy.dfy:3:10: From by Dafny's semantics: .tail.tail.tail.head",
    );
}

// tests/dtest/stream.rs

use dunit::prelude::*;

use crate::subject::codatatype_lazy::Stream;

/// Values of the constructors at src/codatatype_lazy.dfy:1:12: discriminators, fields, printed form.
#[dunit(unit = "Stream")]
fn constructors() {
    let cons = Stream::Cons {
        head: int(2),
        tail: Lazy::ready(Stream::Cons {
            head: int(0),
            tail: Lazy::ready(Stream::Cons {
                head: int(1),
                tail: Lazy::ready(Stream::Cons {
                    head: int(0),
                    tail: DafnyDefault::dafny_default(),
                }),
            }),
        }),
    };
    expect!(cons.is_cons(), "src/codatatype_lazy.dfy:1:21: Cons");
    expect_eq!(*cons.head(), int(2), "src/codatatype_lazy.dfy:1:21: Cons.head");
    expect_eq!(
        *cons.tail().head(),
        int(0),
        "src/codatatype_lazy.dfy:1:21: Cons.tail.head",
    );
    expect_eq!(
        *cons.lazy_tail().head(),
        int(0),
        "src/codatatype_lazy.dfy:1:21: Cons.tail.head",
    );
    expect_eq!(
        format!("{cons:?}"),
        "Stream.Cons",
        "src/codatatype_lazy.dfy:1:21: Cons, printed",
    );
}

// tests/dtest/third.rs

use dunit::prelude::*;

use crate::subject::codatatype_lazy;

/// Reaches src/codatatype_lazy.dfy:8:3: the body is entered (block 1 of 1).
#[dunit(unit = "Third")]
fn runs() {
    let n = int(3);

    let result = codatatype_lazy::third(&n);

    expect_eq!(
        result,
        int(5),
        "src/codatatype_lazy.dfy:7:10: Third by Dafny's semantics",
    );
}
