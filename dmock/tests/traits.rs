//! Mocks of traits: their answers, and their messages if there is no answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dmock::{Anything, mock};
use dunit::prelude::*;

trait Cell<T: Value>: Dynamic {
    fn value(&self) -> &Field<T>;
    fn scaled(&self, by: &Int) -> T;
    fn touch(&self);
}

trait Named: Dynamic {
    fn create(&self, times: u8) -> Seq<Char>;
}

mock! {
    /// Of two traits, and generic.
    #[class("M.Cell")]
    pub struct MockCell<T>;

    impl Cell<T> for MockCell {
        fn value(&self) -> &Field<T>;
        fn scaled(&self, by: &Int) -> T;
        fn touch(&self);
    }

    impl Named for MockCell {
        fn create(&self, times: u8) -> Seq<Char>;
    }
}

fn message<R>(work: impl FnOnce() -> R) -> String {
    match catch_unwind(AssertUnwindSafe(|| drop(work()))) {
        Ok(()) => "nothing".to_owned(),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => payload
                .downcast_ref::<&str>()
                .copied()
                .unwrap_or_default()
                .to_owned(),
        },
    }
}

/// Calls a member like translated code, which only knows the trait.
fn scale(cell: &Dyn<dyn Cell<Int>>, by: i32) -> Int {
    cell.scaled(&int(by))
}

#[test]
fn a_mock_behaves_as_defined_in_each_of_its_traits() {
    let cell = MockCell::build()
        .value(int(3))
        .scaled(|by| by * int(3))
        .touch(|| ())
        .create_(|n| Seq::from_iter((0..n).map(|_| ch('a'))))
        .create();
    let (seen, named) = (
        upcast::<dyn Cell<Int>, _>(&cell),
        upcast::<dyn Named, _>(&cell),
    );
    seen.value().set(int(4));
    seen.touch();
    assert_eq!((cell.value().get(), scale(&seen, 2)), (int(4), int(6)));
    assert!(is_same(&seen, &named) && named.create(2) == str("aa"));
    assert_eq!(to_dafny_string(&named), "M.Cell");
}

#[test]
fn descriptions_come_first_in_their_order_and_the_closure_last() {
    let cell = MockCell::<Int>::build()
        .on_scaled(int(2))
        .answers_once(int(20))
        .on_scaled(int(2))
        .answers(int(21))
        .on_scaled(int(3))
        .answers(int(30))
        .scaled(Clone::clone)
        .create();
    let answers: Vec<Int> = [2, 3, 2, 2, 7].map(|by| cell.scaled(&int(by))).into();
    assert_eq!(answers, [20, 30, 21, 21, 7].map(int));
}

#[test]
fn a_call_that_was_not_described_names_itself_the_nearest_description_and_the_caller() {
    let cell = MockCell::<Int>::build()
        .on_scaled(int(2))
        .answers(int(20))
        .on_scaled(int(3))
        .answers_once(int(30))
        .create();
    let line = line!() + 1;
    let text = message(|| cell.scaled(&int(4)));
    let expected = "unexpected call `scaled(4)` of the mock of `M.Cell`: the closest stub is `scaled(2)`; called at ";
    assert!(
        text.starts_with(expected) && text.contains(&format!("traits.rs:{line}:")),
        "{text}"
    );
    cell.scaled(&int(3));
    let text = message(|| cell.scaled(&int(3)));
    assert!(
        text.contains("the closest stub is `scaled(3)`, which was for one call only"),
        "{text}"
    );
}

#[test]
fn a_caller_that_knows_the_trait_only_is_found_too() {
    let cell = MockCell::<Int>::build()
        .on_scaled(Anything)
        .answers_once(int(1))
        .create_as::<dyn Cell<Int>>();
    scale(&cell, 2);
    let text = message(|| scale(&cell, 2));
    let caller = include_str!("traits.rs")
        .lines()
        .position(|l| l.contains("cell.scaled(&int(by))"))
        .unwrap()
        + 1;
    assert!(text.contains(&format!("traits.rs:{caller}:")), "{text}");
}

#[test]
fn a_function_without_a_definition_reports_it() {
    let cell = MockCell::<Int>::build().create();
    assert!(message(|| cell.touch()).contains(
        "unexpected call `touch()` of the mock of `M.Cell`: no call of `touch` was stubbed"
    ));
    assert!(message(|| cell.value().get()).contains("a field is read before it is assigned"));
}
