//! Chains of mutations.

use dafny_resolve::typed::{Options, Program};
use dafny_syntax::ast::{Anchors, File};
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::file_to_string;
use dafny_syntax::source::Span;

use crate::facts::Facts;
use crate::mutation::{Mutation, Place, Work};
use crate::names::Names;
use crate::random::Random;

/// For which Dafny programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Dafny 2, which has no `for`, `continue`, `expect` and no merge of maps.
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

/// Why there is no program to change.
#[derive(Debug)]
pub enum Error {
    /// What is wrong with it; positions are in the text that [`Subject::new`] was given.
    Wrong(Vec<Diagnostic>),
}

/// A mutation that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub mutation: Mutation,
    /// The line of its place, in the program as it was before the step.
    pub line: usize,
    /// The number of its place among those of the mutation, in the order of the text.
    pub place: usize,
    /// The seed of what is drawn there.
    pub draw: u64,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at line {}", self.mutation.name(), self.line)
    }
}

/// What a chain is made of.
#[derive(Clone, Debug)]
pub struct Chain {
    /// How many mutations.
    pub order: usize,
    /// What is drawn.
    pub seed: u64,
    /// Which mutations may be taken.
    pub mutations: Vec<Mutation>,
}

/// A program that means the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// Its text.
    pub text: String,
    /// How it came about.
    pub steps: Vec<Step>,
    /// Changes that were given up, since what came out did not resolve, with what the resolver said: mistakes of ours.
    pub unfit: Vec<(Step, String)>,
}

/// Attempts at one step that may come to nothing.
const ATTEMPTS: usize = 8;

impl Subject {
    /// A program of one text, read with these options.
    ///
    /// # Errors
    /// [`Error::Wrong`]: it does not parse or resolve.
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

    /// Another program, read as this one is.
    ///
    /// # Errors
    /// Those of [`Subject::new`].
    pub fn same_options(&self, text: &str) -> Result<Self, Error> {
        Self::new(text, &self.options, self.syntax, self.dialect)
    }

    /// The options of the parser that go with those of the resolver.
    pub fn syntax_of(options: &Options) -> dafny_syntax::Options {
        options.syntax()
    }

    /// The text.
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

    /// What the resolver knows of the parsed program.
    pub fn facts(&self) -> Facts<'_> {
        Facts::new(&self.program, &self.file)
    }

    /// The options that it is read with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// How many places there are for a mutation.
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

    /// The program after a chain of mutations: as many as its order says, or fewer where there are no more places.
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

    /// The program after these steps, with those left out that have no place in it (or whose result does not resolve): with the steps of a
    /// chain, the program of that chain; with some of them, smaller chains.
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

    /// The step in this program, where it has a place for it.
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

    /// Changes the program at a place of a step; `None`: it does not fit, or does not resolve then.
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

    /// One mutation at one place, both drawn; `None`: no mutation has a place where it fits. Mutations are tried in a drawn order, as the
    /// thesis's composed mutator does (its figure 6.4).
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

/// All files of a program as one: what they declare, in the order of loading.
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

/// The order of a chain of at most `max`, as table 6.1 of the thesis draws it: of ten, two are below a tenth of it, five below the half, two
/// below nine tenths, and one is above. Below 10, all are as likely.
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
