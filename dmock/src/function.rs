//! What a function of a mock was told.

use std::cell::Cell;

use dunit::stand_in::{Argument, Described};

use crate::caller;

/// A function of a mock: calls that were described, and a body for the rest.
pub struct Function<F: ?Sized, R> {
    mock: &'static str,
    name: &'static str,
    described: Vec<Description<R>>,
    body: Option<Box<F>>,
}

/// What a call of these arguments is answered.
pub struct Description<R> {
    arguments: Vec<Box<dyn Described>>,
    answer: R,
    /// For one call only.
    is_once: bool,
    used: Cell<bool>,
}

/// Where an answer comes from.
pub enum Answer<'a, F: ?Sized, R> {
    /// The call was described.
    Described(R),
    /// The function was told what it does.
    Told(&'a F),
}

impl<F: ?Sized, R: Clone> Function<F, R> {
    /// A function that cannot be called yet; both names are for the message.
    pub const fn untold(mock: &'static str, name: &'static str) -> Function<F, R> {
        Function {
            mock,
            name,
            described: Vec::new(),
            body: None,
        }
    }

    /// Says what the function does where no description fits.
    pub fn tell(&mut self, body: Box<F>) {
        self.body = Some(body);
    }

    /// The calls that were described.
    pub fn described(&mut self) -> &mut Vec<Description<R>> {
        &mut self.described
    }

    /// The answer to a call.
    ///
    /// # Panics
    /// No description fits and there is no body: with the call, the nearest description and the place of the call.
    #[track_caller]
    pub fn answer(&self, arguments: &[&dyn Argument]) -> Answer<'_, F, R> {
        if let Some(found) = self
            .described
            .iter()
            .find(|d| !(d.is_once && d.used.get()) && d.fits(arguments))
        {
            found.used.set(true);
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
        // The first among those that share the most arguments.
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

    /// How many arguments are the ones described.
    fn agreement(&self, arguments: &[&dyn Argument]) -> usize {
        self.arguments
            .iter()
            .zip(arguments)
            .filter(|(d, a)| d.matches(**a))
            .count()
    }
}

/// A call that is being described; what it is answered has yet to be said.
#[must_use = "call `answers` to set the result"]
pub struct On<B, R> {
    builder: B,
    arguments: Vec<Box<dyn Described>>,
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
            place,
        }
    }

    /// The answer to every such call; of several descriptions that fit, the first counts.
    #[must_use]
    pub fn answers(self, answer: R) -> B {
        self.with(answer, false)
    }

    /// The answer to one such call; the next one has the next description that fits.
    #[must_use]
    pub fn answers_once(self, answer: R) -> B {
        self.with(answer, true)
    }

    fn with(mut self, answer: R, is_once: bool) -> B {
        let description = Description {
            arguments: self.arguments,
            answer,
            is_once,
            used: Cell::new(false),
        };
        (self.place)(&mut self.builder).push(description);
        self.builder
    }
}
