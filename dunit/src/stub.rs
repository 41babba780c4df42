//! Stubs for functions and methods without Dafny code that are not linked to Rust.
//!
//! The translation of such a callable calls [`answer`]. A test describes the answers beforehand:
//! with [`stub!`](crate::stub!), a function returns the same result for the same arguments,
//! as often as it is called. Each description of a method, with
//! [`stub_once!`](crate::stub_once), answers one call, in the order of the descriptions. A
//! call without a description fails the test with the callable, the arguments and the nearest
//! description. A described method call that was not made fails the test at
//! [`expect_calls!`](crate::expect_calls).
//!
//! Descriptions belong to the thread, and last as long as the guard that
//! [`stub!`](crate::stub!) creates.
//!
//! ```
//! use dunit::prelude::*;
//!
//! // The translation.
//! fn price(item: &Seq<Char>) -> Int {
//!     dunit::stub::answer("Shop.Price", &[item])
//! }
//! fn next_ticket() -> Int {
//!     dunit::stub::answer("Shop.NextTicket", &[])
//! }
//!
//! stub!("Shop.Price", [str("tea")] => int(3));
//! stub_once!("Shop.NextTicket", [] => int(17));
//! stub_once!("Shop.NextTicket", [] => int(18));
//! assert_eq!(price(&str("tea")) + price(&str("tea")), int(6));
//! assert_eq!((next_ticket(), next_ticket()), (int(17), int(18)));
//! ```

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use crate::harness::{self, ClauseKind};
use crate::heap::{self, Objects};
use crate::print::Shown;
use crate::value::Value;

/// An argument of a call: any Dafny value.
pub trait Argument: Any {
    /// The argument for comparisons.
    fn as_any(&self) -> &dyn Any;

    /// A copy of the argument; of an object, a further reference to it.
    fn copied(&self) -> Box<dyn Any>;

    /// The printed form.
    fn shown(&self) -> String;
}

impl<T: Value> Argument for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copied(&self) -> Box<dyn Any> {
        Box::new(self.clone())
    }

    fn shown(&self) -> String {
        format!("{:#}", Shown(self))
    }
}

/// Matches every argument in a description.
#[derive(Debug)]
pub struct Anything;

/// The description of an argument: a value, or [`Anything`].
pub trait Described {
    /// Whether the argument is the one described.
    fn matches(&self, argument: &dyn Argument) -> bool;

    /// The printed form.
    fn shown(&self) -> String;
}

impl<T: Value> Described for T {
    fn matches(&self, argument: &dyn Argument) -> bool {
        argument
            .as_any()
            .downcast_ref::<T>()
            .is_some_and(|a| a == self)
    }

    fn shown(&self) -> String {
        Argument::shown(self)
    }
}

impl Described for Anything {
    fn matches(&self, _: &dyn Argument) -> bool {
        true
    }

    fn shown(&self) -> String {
        "anything".to_owned()
    }
}

/// A description of an argument of type `T`: a value of that type, or [`Anything`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not describe an argument of type `{T}`",
    label = "neither a `{T}` nor `Anything`"
)]
pub trait Pattern<T>: Described + 'static {}

impl<T: Value> Pattern<T> for T {}

impl<T: Value> Pattern<T> for Anything {}

/// The number of calls that a description answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Every call with these arguments: a function.
    Always,
    /// One call, after those of earlier descriptions: a method.
    Next,
}

/// Says that objects count as allocated by the call that a stub answers with them, although the
/// test created them before: they are fresh in postconditions.
pub fn allocate_later(objects: &impl Objects) {
    objects.each_object(&mut |object| heap::allocate_later(object.object_identity()));
}

type Answer = Rc<dyn Fn() -> Box<dyn Any>>;

struct Description {
    number: u64,
    name: &'static str,
    arguments: Vec<Box<dyn Described>>,
    times: Times,
    used: bool,
    answer: Answer,
}

thread_local! {
    static DESCRIPTIONS: RefCell<Vec<Description>> = const { RefCell::new(Vec::new()) };
    static LAST: Cell<u64> = const { Cell::new(0) };
    /// The arguments of the calls that are being answered, the innermost last.
    static RECEIVED: RefCell<Vec<Vec<Box<dyn Any>>>> = const { RefCell::new(Vec::new()) };
}

/// The arguments of a call while it is being answered.
struct Receiving;

impl Receiving {
    fn new(arguments: &[&dyn Argument]) -> Self {
        let copies = arguments.iter().map(|a| a.copied()).collect();
        RECEIVED.with_borrow_mut(|all| all.push(copies));
        Self
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        drop(RECEIVED.with_borrow_mut(Vec::pop));
    }
}

/// Returns an argument of the call that a stub is answering, by its position; the receiver is the
/// first. The answer can thus change or return an object that the code under test has created:
/// `stub_once!("Counter.Tick", [Anything] => received::<Ref<Counter>>(0).count.set(int(1)))`.
///
/// # Panics
/// No stub is answering a call, or the argument has another type.
#[track_caller]
pub fn received<T: Value>(position: usize) -> T {
    let found = RECEIVED.with_borrow(|all| {
        let argument = all.last()?.get(position)?;
        argument.downcast_ref::<T>().cloned()
    });
    found.unwrap_or_else(|| {
        panic!(
            "the stub received no argument of type `{}` at position {position}",
            std::any::type_name::<T>()
        )
    })
}

/// A guard that ends a description when it is dropped.
#[must_use = "a stub is active only as long as its guard"]
#[derive(Debug)]
pub struct Guard {
    number: u64,
}

impl Drop for Guard {
    fn drop(&mut self) {
        DESCRIPTIONS.with_borrow_mut(|all| all.retain(|d| d.number != self.number));
    }
}

/// Describes the answer of a callable; see [`stub!`](crate::stub!). `name` is its full
/// Dafny name.
pub fn describe<R: 'static>(
    name: &'static str,
    times: Times,
    arguments: Vec<Box<dyn Described>>,
    answer: impl Fn() -> R + 'static,
) -> Guard {
    let number = LAST.get() + 1;
    LAST.set(number);
    let answer = Rc::new(move || Box::new(answer()) as Box<dyn Any>);
    DESCRIPTIONS.with_borrow_mut(|all| {
        all.push(Description {
            number,
            name,
            arguments,
            times,
            used: false,
            answer,
        })
    });
    Guard { number }
}

/// Returns the answer of the stub for the callable with that full Dafny name to these arguments.
///
/// # Panics
/// No description fits, or the answer of the fitting one has another type.
#[track_caller]
pub fn answer<R: 'static>(name: &str, arguments: &[&dyn Argument]) -> R {
    let found = DESCRIPTIONS.with_borrow_mut(|all| find(all, name, arguments));
    let _receiving = Receiving::new(arguments);
    // Nothing is borrowed here, because the answer may call further stubs.
    match found {
        Ok(answer) => match answer().downcast::<R>() {
            Ok(value) => *value,
            Err(_) => panic!(
                "the stub for `{name}` does not return a value of type `{}`",
                std::any::type_name::<R>()
            ),
        },
        Err(error) => panic!("{error}"),
    }
}

fn find(
    all: &mut [Description],
    name: &str,
    arguments: &[&dyn Argument],
) -> Result<Answer, NoStub> {
    let fits = |d: &Description| {
        d.arguments.len() == arguments.len()
            && d.arguments
                .iter()
                .zip(arguments)
                .all(|(d, a)| d.matches(*a))
    };
    let mut own: Vec<&mut Description> = all.iter_mut().filter(|d| d.name == name).collect();
    // For a method, the next unused description; for a function, any that fits.
    let next = own.iter().position(|d| d.times == Times::Next && !d.used);
    let found = own
        .iter()
        .position(|d| d.times == Times::Always && fits(d))
        .or(next.filter(|&i| own.get(i).is_some_and(|d| fits(d))));
    if let Some(description) = found.and_then(|i| own.get_mut(i)) {
        description.used = true;
        return Ok(description.answer.clone());
    }
    let call = format!(
        "{name}({})",
        arguments
            .iter()
            .map(|a| a.shown())
            .collect::<Vec<_>>()
            .join(", ")
    );
    if own.is_empty() {
        return Err(NoStub::Unlinked {
            call,
            name: name.to_owned(),
        });
    }
    let same = |d: &Description| {
        d.arguments
            .iter()
            .zip(arguments)
            .filter(|(d, a)| d.matches(**a))
            .count()
    };
    let nearest = match next {
        Some(i) => own.get(i),
        // The first one among those that share the most arguments.
        None => own.iter().rev().max_by_key(|d| same(d)),
    };
    let what = match next {
        Some(_) => "the next stub is",
        None if own.iter().all(|d| d.times == Times::Next) => "all stubs were used; the last was",
        None => "the closest stub is",
    };
    let nearest = nearest.map_or_else(String::new, |d| {
        d.arguments
            .iter()
            .map(|a| a.shown())
            .collect::<Vec<_>>()
            .join(", ")
    });
    Err(NoStub::Unexpected {
        call,
        what,
        nearest: format!("{name}({nearest})"),
    })
}

/// The reason why a call of a callable without a body has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum NoStub {
    /// The test has no stub for the callable.
    Unlinked {
        /// The call.
        call: String,
        /// The full Dafny name.
        name: String,
    },
    /// The test has no stub for these arguments.
    Unexpected {
        /// The call.
        call: String,
        /// The relation of the nearest stub to the call, as the start of a sentence.
        what: &'static str,
        /// The nearest stub.
        nearest: String,
    },
}

impl fmt::Display for NoStub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlinked { call, name } => write!(
                f,
                "`{call}` has no Dafny body and no Rust implementation: link one in `dtest.toml`, under [extern], as {name:?}"
            ),
            Self::Unexpected {
                call,
                what,
                nearest,
            } => write!(
                f,
                "unexpected call `{call}`, which the test does not stub; {what} `{nearest}`"
            ),
        }
    }
}

impl std::error::Error for NoStub {}

/// Describes the answer of a stub for a function until the end of the block: `stub!("M.F", [a,
/// b] => value)`. An argument is a value, or [`Anything`](crate::stub::Anything).
#[macro_export]
macro_rules! stub {
    ($name:literal, [$($argument:expr),* $(,)?] => $answer:expr $(, $captured:ident)* $(,)?) => {
        $crate::stub!(@ Always, $name, [$($argument),*], $answer, [$($captured),*])
    };
    (@ $times:ident, $name:literal, [$($argument:expr),*], $answer:expr, [$($captured:ident),*]) => {
        let _stub = $crate::stub::describe(
            $name,
            $crate::stub::Times::$times,
            ::std::vec![$(::std::boxed::Box::new($argument)),*],
            {
                $(let $captured = ::std::clone::Clone::clone(&$captured);)*
                move || $answer
            },
        );
    };
}

/// Describes the answer of a stub for a method to its next call: `stub_once!("M.F", [a, b] =>
/// value)`. The objects that the answer changes are listed after it:
/// `stub_once!("Counter.Tick", [this.clone()] => this.count.set(int(1)), this)`.
#[macro_export]
macro_rules! stub_once {
    ($name:literal, [$($argument:expr),* $(,)?] => $answer:expr $(, $captured:ident)* $(,)?) => {
        $crate::stub!(@ Next, $name, [$($argument),*], $answer, [$($captured),*])
    };
}

/// Checks that all calls were made that [`stub_once!`](crate::stub_once) describes. The
/// expansion of [`expect_calls!`](crate::expect_calls).
///
/// # Panics
/// A call was not made; the message names the first one.
pub fn check_calls(text: &str) {
    let clause = harness::enter(ClauseKind::Expect, text);
    let first = DESCRIPTIONS.with_borrow(|all| {
        let missing = all.iter().find(|d| d.times == Times::Next && !d.used)?;
        Some(format!(
            "{}({})",
            missing.name,
            missing
                .arguments
                .iter()
                .map(|a| a.shown())
                .collect::<Vec<_>>()
                .join(", ")
        ))
    });
    if let Some(call) = first {
        clause.fail_at(
            format!("the expected call `{call}` was not made"),
            Vec::new(),
        );
    }
}

/// `expect_calls!("src/lib.dfy:9: Tell calls what the stubs describe")`: each call that a
/// [`stub_once!`](crate::stub_once) in scope describes was made.
#[macro_export]
macro_rules! expect_calls {
    ($text:expr $(,)?) => {
        $crate::stub::check_calls($text)
    };
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::{Anything, answer, received};
    use crate::{Field, Int, Object, Ref, Seq, int, seq, str};

    fn message(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let payload = catch_unwind(work).expect_err("it panics");
        payload
            .downcast_ref::<String>()
            .cloned()
            .unwrap_or_default()
    }

    #[test]
    fn a_function_answers_the_same_for_the_same_arguments_in_any_order() {
        stub!("M.F", [int(1), seq![2u8]] => int(10));
        stub!("M.F", [int(2), seq![2u8]] => int(20));
        let f = |n: i32| answer::<Int>("M.F", &[&int(n), &seq![2u8]]);
        assert_eq!([f(2), f(1), f(2)], [int(20), int(10), int(20)]);
    }

    #[test]
    fn descriptions_of_a_method_are_used_once_and_in_order() {
        stub_once!("M.Draw", [] => int(4));
        stub_once!("M.Draw", [] => int(2));
        let draw = || answer::<Int>("M.Draw", &[]);
        assert_eq!([draw(), draw()], [int(4), int(2)]);
        let text = message(|| drop(answer::<Int>("M.Draw", &[])));
        assert_eq!(
            text,
            "unexpected call `M.Draw()`, which the test does not stub; all stubs were used; the last was `M.Draw()`"
        );
    }

    #[test]
    fn a_described_call_that_is_not_made_is_reported() {
        stub!("M.F", [int(1)] => int(1));
        stub_once!("M.Log", [str("a")] => ());
        stub_once!("M.Log", [str("b")] => ());
        answer::<()>("M.Log", &[&str("a")]);
        assert!(catch_unwind(|| expect_calls!("lib.dfy:1: calls")).is_err());
        answer::<()>("M.Log", &[&str("b")]);
        expect_calls!("lib.dfy:1: calls");
    }

    #[test]
    fn a_call_that_was_not_described_names_the_arguments_and_the_nearest_description() {
        stub!("M.F", [int(1), str("a")] => int(10));
        stub!("M.F", [int(2), str("b")] => int(20));
        let text = message(|| drop(answer::<Int>("M.F", &[&int(3), &str("b")])));
        let expected = "unexpected call `M.F(3, \"b\")`, which the test does not stub; the closest stub is `M.F(2, \"b\")`";
        assert_eq!(text, expected);
    }

    #[test]
    fn without_any_description_the_message_says_how_to_link() {
        let text = message(|| drop(answer::<Int>("Clock.Now", &[])));
        assert!(
            text.contains("`Clock.Now()` has no Dafny body") && text.contains("dtest.toml"),
            "{text}"
        );
    }

    #[test]
    fn an_answer_of_another_type_is_reported() {
        stub!("M.F", [] => true);
        assert!(
            message(|| drop(answer::<Int>("M.F", &[]))).contains("does not return a value of type")
        );
    }

    #[test]
    fn descriptions_end_with_their_block() {
        {
            stub!("M.F", [Anything] => Seq::<u8>::new());
            assert_eq!(answer::<Seq<u8>>("M.F", &[&int(1)]), seq![]);
        }
        assert!(message(|| drop(answer::<Seq<u8>>("M.F", &[&int(1)]))).contains("no Dafny body"));
    }

    #[test]
    fn an_answer_may_change_objects() {
        struct Counter {
            count: Field<Int>,
        }
        impl Object for Counter {
            fn class_name(&self) -> &'static str {
                "Counter"
            }
        }
        let this = Ref::new(Counter {
            count: Field::new(int(0)),
        });
        stub_once!("Counter.Tick", [this.clone()] => this.count.set(int(7)), this);
        answer::<()>("Counter.Tick", &[&this]);
        assert_eq!(this.count.get(), int(7));
        // The test need not know the object.
        stub_once!(
            "Counter.Itself",
            [Anything, int(3)] => {
                received::<Ref<Counter>>(0).count.set(received(1));
                received::<Ref<Counter>>(0)
            }
        );
        let same = answer::<Ref<Counter>>("Counter.Itself", &[&this, &int(3)]);
        assert!(same == this && this.count.get() == int(3));
        assert!(message(|| drop(received::<Int>(0))).contains("received no argument"));
    }
}
