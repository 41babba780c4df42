//! Bodies of iterators: code that is suspended at every `yield` until the next step.
//!
//! A body is an `async` function that awaits [`suspend`]; [`Coroutine`] polls it once per step. It
//! must not await anything else.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// The body of an iterator with the point that it has come to.
///
/// ```
/// use dunit::prelude::*;
/// use std::{cell::Cell, rc::Rc};
///
/// async fn count(to: u8, now: Rc<Cell<u8>>) {
///     for i in 0..to {
///         now.set(i);
///         suspend().await;
///     }
/// }
///
/// let (body, now) = (Coroutine::new(), Rc::new(Cell::new(0)));
/// let mut next = || body.resume(|| count(2, now.clone())).then(|| now.get());
/// assert_eq!([next(), next(), next(), next()], [Some(0), Some(1), None, None]);
/// assert!(body.has_ended());
/// ```
#[derive(Default)]
pub struct Coroutine(RefCell<State>);

#[derive(Default)]
enum State {
    #[default]
    New,
    Waiting(Pin<Box<dyn Future<Output = ()>>>),
    Running,
    Ended,
}

impl Coroutine {
    /// A body that has not begun.
    pub fn new() -> Coroutine {
        Coroutine::default()
    }

    /// Runs the body to its next `yield` and returns `true`, or to its end and returns `false`,
    /// then and ever after. `body` creates the body at the first call. Panics if the body resumes
    /// itself.
    pub fn resume<F: Future<Output = ()> + 'static>(&self, body: impl FnOnce() -> F) -> bool {
        // Nothing is borrowed while the body runs, because it may access its own iterator.
        let mut running: Pin<Box<dyn Future<Output = ()>>> = match self.0.replace(State::Running) {
            State::New => Box::pin(body()),
            State::Waiting(body) => body,
            State::Running => panic!("the body of an iterator resumes itself"),
            State::Ended => {
                self.0.replace(State::Ended);
                return false;
            }
        };
        let more = running
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending();
        self.0.replace(if more {
            State::Waiting(running)
        } else {
            State::Ended
        });
        more
    }

    /// Whether the body has ended: the negation of Dafny's `Valid()`.
    pub fn has_ended(&self) -> bool {
        matches!(*self.0.borrow(), State::Ended)
    }
}

/// Dafny's `yield`, to be awaited in the body of an iterator.
pub fn suspend() -> impl Future<Output = ()> {
    let mut waited = false;
    std::future::poll_fn(move |_| {
        if std::mem::replace(&mut waited, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Coroutine, suspend};
    use std::rc::Rc;

    #[test]
    fn a_body_begins_when_it_is_first_resumed_and_keeps_its_variables() {
        let body = Coroutine::new();
        assert!(!body.has_ended());
        let sum = Rc::new(std::cell::Cell::new(0));
        let step = || {
            let sum = sum.clone();
            body.resume(|| async move {
                let mut all = 0;
                for i in 1..=3 {
                    all += i;
                    sum.set(all);
                    suspend().await;
                }
            })
        };
        assert_eq!(sum.get(), 0);
        assert!(step() && sum.get() == 1 && step() && sum.get() == 3 && step() && sum.get() == 6);
        assert!(!step() && body.has_ended());
    }

    #[test]
    #[should_panic(expected = "resumes itself")]
    fn a_body_does_not_resume_itself() {
        let body = Rc::new(Coroutine::new());
        let same = body.clone();
        body.resume(|| async move {
            same.resume(|| async {});
        });
    }
}
