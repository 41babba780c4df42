// tests/dtest/book.rs

use dunit::prelude::*;

use crate::subject::field_and_result_before_return::Book;

/// An object of the class at src/field_and_result_before_return.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Book")]
fn object() {
    let book = Ref::new(Book {
        ids: Field::new(seq![int(-1)]),
    });

    expect_eq!(
        to_dafny_string(&book),
        "_module.Book",
        "src/field_and_result_before_return.dfy:1:7: Book, printed",
    );
    expect_eq!(
        field_names(&book),
        ["ids"],
        "src/field_and_result_before_return.dfy:1:7: Book, fields that can be assigned",
    );
}

// tests/dtest/book_cancel.rs

use dunit::prelude::*;

use crate::subject::field_and_result_before_return::Book;

/// Reaches src/field_and_result_before_return.dfy:14:18: `n < |ids|` holds (block 2 of 3); also block 1.
/// Path: n < |ids|.
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Book.Cancel")]
fn when_n_is_less_than_len_ids() {
    let this = Ref::new(Book {
        ids: Field::new(seq![int(7), int(2), int(3)]),
    });
    let n = int(0);
    require!(0 <= n, "src/field_and_result_before_return.dfy:9:17: n is a nat");

    let before = Snapshot::take();
    let found = Book::cancel(&this, &n);

    expect_eq!(
        found,
        true,
        "src/field_and_result_before_return.dfy:9:10: Cancel by Dafny's semantics",
    );
    expect_eq!(
        this.ids.get(),
        Seq::<Int>::new(),
        "src/field_and_result_before_return.dfy:9:10: Cancel by Dafny's semantics",
    );
    expect!(
        !found || this.ids.get().len() == n,
        "src/field_and_result_before_return.dfy:11:13: found ==> |ids| == n",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/field_and_result_before_return.dfy:10:14: modifies this",
    );
}

/// Reaches src/field_and_result_before_return.dfy:17:6: `n < |ids|` does not hold (block 3 of 3); also block 1.
/// Path: n >= |ids|.
#[dunit(unit = "Book.Cancel")]
fn when_n_is_at_least_len_ids() {
    let this = Book::new();
    let n = int(0);
    require!(0 <= n, "src/field_and_result_before_return.dfy:9:17: n is a nat");

    let before = Snapshot::take();
    let found = Book::cancel(&this, &n);

    expect_eq!(
        found,
        false,
        "src/field_and_result_before_return.dfy:9:10: Cancel by Dafny's semantics",
    );
    expect_eq!(
        this.ids.get(),
        Seq::<Int>::new(),
        "src/field_and_result_before_return.dfy:9:10: Cancel by Dafny's semantics",
    );
    expect!(
        !found || this.ids.get().len() == n,
        "src/field_and_result_before_return.dfy:11:13: found ==> |ids| == n",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/field_and_result_before_return.dfy:10:14: modifies this",
    );
}

// tests/dtest/book_new.rs

use dunit::prelude::*;

use crate::subject::field_and_result_before_return::Book;

/// Reaches src/field_and_result_before_return.dfy:5:3: the body is entered (block 1 of 1).
#[dunit(unit = "Book._ctor")]
fn runs() {
    let this = Book::new();

    expect_eq!(
        this.ids.get(),
        Seq::<Int>::new(),
        "src/field_and_result_before_return.dfy:4:3: _ctor by Dafny's semantics",
    );
}
