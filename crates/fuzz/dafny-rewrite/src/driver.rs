//! Chains of mutations.

use dafny_resolve::typed::{Options, Program};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast::{Anchors, File};
use dafny_syntax::file_to_string;

use crate::facts::Facts;
use crate::mutation::{Mutation, Place, Work};
use crate::names::Names;
use crate::random::Random;

/// The Dafny version for which programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Dafny 2, without `for`, `continue`, `expect` and merges of maps.
    Two,
    /// Dafny 4.
    #[default]
    Four,
}

/// A program that resolves.
pub struct Subject {
    text: String,
    file: File,
    program: Program,
    options: Options,
    syntax: dafny_syntax::Options,
    dialect: Dialect,
}

/// The reason why a program cannot be rewritten.
#[derive(Debug)]
pub enum Error {
    /// The program has errors. Positions are in the text passed to [`Subject::new`].
    Wrong(Vec<Diagnostic>),
}

/// A mutation that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The mutation.
    pub mutation: Mutation,
    /// The line of the mutated place, in the program before the step.
    pub line: usize,
    /// The index of the place among the places of the mutation, in source order.
    pub place: usize,
    /// The seed of the random choices at the place.
    pub draw: u64,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at line {}", self.mutation.name(), self.line)
    }
}

/// The parameters of a chain.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The number of mutations.
    pub order: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The mutations to choose from.
    pub mutations: Vec<Mutation>,
}

/// A rewritten program with the same meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The text of the program.
    pub text: String,
    /// The applied mutations.
    pub steps: Vec<Step>,
    /// Rejected steps whose results did not resolve, with the resolver's message. Each one is a bug
    /// of the mutation.
    pub unfit: Vec<(Step, String)>,
}

/// The maximum number of attempts at one step.
const ATTEMPTS: usize = 8;

impl Subject {
    /// Parses and resolves a program in one text with the given options.
    ///
    /// # Errors
    /// [`Error::Wrong`]: the program does not parse or resolve.
    pub fn new(
        text: &str,
        options: &Options,
        syntax: dafny_syntax::Options,
        dialect: Dialect,
    ) -> Result<Self, Error> {
        let (file, mut diagnostics) = dafny_syntax::parse_with(0, text, syntax);
        if !diagnostics.iter().any(Diagnostic::is_error) {
            let (program, more) = dafny_resolve::resolve(vec![file.clone()], options.clone());
            if !more.iter().any(Diagnostic::is_error) {
                return Ok(Self {
                    text: text.to_owned(),
                    file,
                    program,
                    options: options.clone(),
                    syntax,
                    dialect,
                });
            }
            diagnostics.extend(more);
        }
        Err(Error::Wrong(
            diagnostics
                .into_iter()
                .filter(Diagnostic::is_error)
                .collect(),
        ))
    }

    /// Parses and resolves another program with the options of this one.
    ///
    /// # Errors
    /// As for [`Subject::new`].
    pub fn same_options(&self, text: &str) -> Result<Self, Error> {
        Self::new(text, &self.options, self.syntax, self.dialect)
    }

    /// The parser's options that correspond to the resolver's.
    pub fn syntax_of(options: &Options) -> dafny_syntax::Options {
        options.syntax()
    }

    /// The text of the program.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The typed program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The parsed program.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The resolver's facts about the parsed program.
    pub fn facts(&self) -> Facts<'_> {
        Facts::new(&self.program, &self.file)
    }

    /// The options of the program.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The number of places for a mutation.
    pub fn places(&self, mutation: Mutation) -> usize {
        let facts = self.facts();
        mutation
            .places(&Work {
                file: &self.file,
                facts: &facts,
                dialect: self.dialect,
            })
            .len()
    }

    /// Applies a chain of mutations: as many as its order, or fewer if no places remain.
    pub fn chain(&self, chain: &Chain) -> Rewritten {
        let mut rng = Random::new(chain.seed);
        let mut unfit = Vec::new();
        let mut steps = Vec::new();
        let mut now: Option<Subject> = None;
        for _ in 0..chain.order {
            let Some((step, next)) =
                now.as_ref()
                    .unwrap_or(self)
                    .step(&chain.mutations, &mut rng, &mut unfit)
            else {
                break;
            };
            steps.push(step);
            now = Some(next);
        }
        let text = file_to_string(&now.as_ref().unwrap_or(self).file);
        Rewritten { text, steps, unfit }
    }

    /// Applies the given steps, skipping those without a place in the program or whose result does
    /// not resolve. With all steps of a chain, the result is that of the chain; with a subset, it
    /// is a smaller chain.
    pub fn replay(&self, steps: &[Step]) -> Rewritten {
        let (mut unfit, mut done) = (Vec::new(), Vec::new());
        let mut now: Option<Subject> = None;
        for step in steps {
            if let Some((step, next)) = now.as_ref().unwrap_or(self).again(step, &mut unfit) {
                done.push(step);
                now = Some(next);
            }
        }
        Rewritten {
            text: file_to_string(&now.as_ref().unwrap_or(self).file),
            steps: done,
            unfit,
        }
    }

    /// Applies a step to this program, if it has a place for it.
    fn again(&self, step: &Step, unfit: &mut Vec<(Step, String)>) -> Option<(Step, Subject)> {
        let facts = self.facts();
        let work = Work {
            file: &self.file,
            facts: &facts,
            dialect: self.dialect,
        };
        let places = step.mutation.places(&work);
        let place = places.get(step.place)?;
        let step = Step {
            line: self.line(place.span),
            ..step.clone()
        };
        let next = self.apply(&step, place, &Names::of(&self.file), unfit)?;
        Some((step, next))
    }

    /// Applies a step to the program. Returns `None` if it does not fit or its result does not
    /// resolve.
    fn apply(
        &self,
        step: &Step,
        place: &Place<'_>,
        names: &Names,
        unfit: &mut Vec<(Step, String)>,
    ) -> Option<Subject> {
        let file = (place.apply)(&mut Random::new(step.draw), &mut names.clone())?;
        let text = file_to_string(&file);
        match Subject::new(&text, &self.options, self.syntax, self.dialect) {
            Ok(next) => Some(next),
            Err(Error::Wrong(why)) => {
                let first = why.into_iter().next();
                let message = first.map_or_else(String::new, |d| {
                    let at = d.span.map_or(0, |s| line_of(&text, s));
                    format!("line {at}: {}\n{text}", d.message)
                });
                unfit.push((step.clone(), message));
                None
            }
        }
    }

    /// Applies a random mutation at a random place. Returns `None` if no mutation fits anywhere.
    /// Mutations are tried in random order, like the composed mutator of the thesis (figure 6.4).
    fn step(
        &self,
        mutations: &[Mutation],
        rng: &mut Random,
        unfit: &mut Vec<(Step, String)>,
    ) -> Option<(Step, Subject)> {
        let facts = self.facts();
        let names = Names::of(&self.file);
        let work = Work {
            file: &self.file,
            facts: &facts,
            dialect: self.dialect,
        };
        let mut mutations = mutations.to_vec();
        rng.shuffle(&mut mutations);
        for mutation in mutations {
            let places = mutation.places(&work);
            for _ in 0..ATTEMPTS.min(2 * places.len()) {
                let at = rng.below(places.len());
                let Some(place) = places.get(at) else { break };
                let step = Step {
                    mutation,
                    line: self.line(place.span),
                    place: at,
                    draw: rng.draw(),
                };
                if let Some(next) = self.apply(&step, place, &names, unfit) {
                    return Some((step, next));
                }
            }
        }
        None
    }

    fn line(&self, span: Span) -> usize {
        line_of(&self.text, span)
    }
}

fn line_of(text: &str, span: Span) -> usize {
    1 + text
        .bytes()
        .take(span.start as usize)
        .filter(|b| *b == b'\n')
        .count()
}

/// Merges the files of a program into one, in load order.
pub fn one_file(files: Vec<File>) -> File {
    let mut files = files.into_iter();
    let Some(mut one) = files.next() else {
        return File {
            includes: Vec::new(),
            decls: Vec::new(),
            anchors: Anchors::default(),
            is_prebuilt: false,
            span: Span::default(),
        };
    };
    one.decls.extend(files.flat_map(|f| f.decls));
    one.includes.clear();
    one
}

/// Draws the order of a chain of at most `max` mutations as in table 6.1 of the thesis: of ten
/// chains, two are below 10% of the maximum, five below 50%, two below 90%, and one above. Below a
/// maximum of 10, all orders are equally likely.
pub fn draw_order(max: usize, rng: &mut Random) -> usize {
    if max < 10 {
        return 1 + rng.below(max.max(1));
    }
    let tenths = |n: usize| (max * n) / 10;
    let (low, high) = match rng.below(10) {
        0 | 1 => (0, tenths(1)),
        2..=6 => (tenths(1), tenths(5)),
        7 | 8 => (tenths(5), tenths(9)),
        _other => (tenths(9), max),
    };
    low + 1 + rng.below(high - low)
}
