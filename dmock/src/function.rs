//! The behaviour of a mock's function.

use std::any::Any;
use std::cell::Cell;

use dunit::stub::{Argument, Described};

use crate::caller;

/// A function of a mock: described calls, and a body for all others.
pub struct Function<F: ?Sized, R> {
    mock: &'static str,
    name: &'static str,
    described: Vec<Description<R>>,
    body: Option<Box<F>>,
}

/// A change of the fields of a mock, given as what its builder is.
type Change = Box<dyn Fn(&dyn Any)>;

/// The answer to a call with these arguments.
pub struct Description<R> {
    arguments: Vec<Box<dyn Described>>,
    answer: R,
    /// The change that the call makes to the mock.
    change: Option<Change>,
    /// Whether it applies to one call only.
    is_once: bool,
    used: Cell<bool>,
}

/// The source of an answer.
pub enum Answer<'a, F: ?Sized, R> {
    /// The answer of a described call.
    Described(R),
    /// The body of the function.
    Told(&'a F),
}

impl<F: ?Sized, R: Clone> Function<F, R> {
    /// A function without answers; both names are for messages.
    pub const fn untold(mock: &'static str, name: &'static str) -> Function<F, R> {
        Function {
            mock,
            name,
            described: Vec::new(),
            body: None,
        }
    }

    /// Sets the body, which answers calls without a fitting description.
    pub fn tell(&mut self, body: Box<F>) {
        self.body = Some(body);
    }

    /// The described calls.
    pub fn described(&mut self) -> &mut Vec<Description<R>> {
        &mut self.described
    }

    /// Answers a call of a mock, whose fields change as described.
    ///
    /// # Panics
    /// No description fits and there is no body: the message has the call, the nearest description
    /// and the location of the call.
    #[track_caller]
    pub fn answer(&self, mock: &dyn Any, arguments: &[&dyn Argument]) -> Answer<'_, F, R> {
        if let Some(found) = self
            .described
            .iter()
            .find(|d| !(d.is_once && d.used.get()) && d.fits(arguments))
        {
            found.used.set(true);
            if let Some(change) = &found.change {
                change(mock);
            }
            return Answer::Described(found.answer.clone());
        }
        match &self.body {
            Some(body) => Answer::Told(body),
            None => panic!("{}", self.refusal(arguments)),
        }
    }

    #[track_caller]
    fn refusal(&self, arguments: &[&dyn Argument]) -> String {
        let Function { mock, name, .. } = self;
        let shown = |arguments: &[String]| format!("{name}({})", arguments.join(", "));
        let call = shown(&arguments.iter().map(|a| a.shown()).collect::<Vec<_>>());
        // The first one among those that share the most arguments.
        let nearest = self
            .described
            .iter()
            .rev()
            .max_by_key(|d| d.agreement(arguments));
        let nearest = match nearest {
            None => format!("no call of `{name}` was stubbed"),
            Some(d) => {
                let description = shown(&d.arguments.iter().map(|a| a.shown()).collect::<Vec<_>>());
                let once = if d.is_once && d.used.get() && d.fits(arguments) {
                    ", which was for one call only"
                } else {
                    ""
                };
                format!("the closest stub is `{description}`{once}")
            }
        };
        let place = caller::place(name, std::panic::Location::caller());
        format!("unexpected call `{call}` of the mock of `{mock}`: {nearest}; called at {place}")
    }
}

impl<R> Description<R> {
    fn fits(&self, arguments: &[&dyn Argument]) -> bool {
        self.arguments.len() == arguments.len() && self.agreement(arguments) == arguments.len()
    }

    /// Returns the number of arguments that match.
    fn agreement(&self, arguments: &[&dyn Argument]) -> usize {
        self.arguments
            .iter()
            .zip(arguments)
            .filter(|(d, a)| d.matches(**a))
            .count()
    }
}

/// A call that is being described; its answer is still missing.
#[must_use = "call `answers` to set the result"]
pub struct On<B, R> {
    builder: B,
    arguments: Vec<Box<dyn Described>>,
    change: Option<Change>,
    place: fn(&mut B) -> &mut Vec<Description<R>>,
}

impl<B, R> On<B, R> {
    #[doc(hidden)]
    pub fn new(
        builder: B,
        arguments: Vec<Box<dyn Described>>,
        place: fn(&mut B) -> &mut Vec<Description<R>>,
    ) -> On<B, R> {
        On {
            builder,
            arguments,
            change: None,
            place,
        }
    }

    /// Sets what the call changes: `.changes(|mock| mock.count.set(int(1)))`.
    pub fn changes(mut self, change: impl Fn(&B) + 'static) -> On<B, R>
    where
        B: 'static,
    {
        self.change = Some(Box::new(move |mock| {
            if let Some(mock) = mock.downcast_ref::<B>() {
                change(mock);
            }
        }));
        self
    }

    /// Sets the answer to every such call; if several descriptions fit, the first applies.
    #[must_use]
    pub fn answers(self, answer: R) -> B {
        self.with(answer, false)
    }

    /// Sets the answer to one such call; the next call uses the next description that fits.
    #[must_use]
    pub fn answers_once(self, answer: R) -> B {
        self.with(answer, true)
    }

    fn with(mut self, answer: R, is_once: bool) -> B {
        let description = Description {
            arguments: self.arguments,
            change: self.change,
            answer,
            is_once,
            used: Cell::new(false),
        };
        (self.place)(&mut self.builder).push(description);
        self.builder
    }
}
