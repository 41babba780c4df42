//! False claims ([`dafny_claims`]), which a verifier must refuse.
//!
//! Claims are packed as modules of one program, because the verifier starts once for all of them. A
//! claim without an error in its module is verified alone; if the verifier accepts that program
//! too, it is a finding.

use std::ops::RangeInclusive;

use dafny_claims::{Claim, Pack, Wrapping};
use dafny_resolve::typed::{GeneralTraits, Options};
use dafny_rewrite::{Dialect, Subject};
use dtest_sorted::SortedMap;

use super::others::{Answer, Ask, Tool, Verdict, errors};
use super::own::Checked;
use super::round::{Asked, Finding, Outcome};
use super::{Class, Disagreement, flags};

/// A set of claims that are verified together, with the same options.
#[derive(Clone, Debug)]
pub struct Round<'c> {
    /// The claims.
    pub claims: Vec<&'c Claim>,
    /// The modules around each claim.
    pub wrapping: Wrapping,
    /// Whether the type system of Dafny 5 is used, with general newtypes and traits.
    pub is_general: bool,
}

impl<'c> Round<'c> {
    fn programs(&self) -> Vec<Program<'c>> {
        let program = |claim: &&'c Claim| Program {
            claim,
            text: self.wrapping.text(claim),
        };
        self.claims.iter().map(program).collect()
    }
}

/// Returns the options of claims.
pub fn options(is_general: bool) -> Options {
    if is_general {
        Options {
            type_system_refresh: true,
            general_newtypes: true,
            general_traits: GeneralTraits::Full,
            ..Options::default()
        }
    } else {
        Options::default()
    }
}

/// A claim, with its program and the flags of the verifier.
struct Program<'c> {
    claim: &'c Claim,
    text: String,
}

/// The kinds of accepted claims of a campaign.
pub trait Kinds {
    /// Whether a claim is of a kind that was found before.
    fn covers(&self, claim: &Claim) -> bool;

    /// Gives an accepted claim the class and the key of its kind.
    fn name(&self, accepted: &mut Disagreement);
}

/// Verifies claims. Returns a finding for each one that the verifier accepts, and for each crash,
/// and the number of claims of known kinds, which are not verified alone. `is_over` is checked
/// between two calls of the verifier.
pub fn verified(
    round: &Round,
    ask: &dyn Ask,
    kinds: &dyn Kinds,
    is_over: &dyn Fn() -> bool,
) -> (Outcome, u64) {
    let options = options(round.is_general);
    let programs = round.programs();
    let campaign = Campaign {
        ask,
        options: &options,
        is_over,
    };
    let mut outcome = Outcome::default();
    let mut covered = 0;
    let Suspects { accepted, crashing } =
        campaign.suspects(programs.iter().collect(), &mut outcome);
    for program in accepted.into_iter().chain(crashing) {
        if is_over() {
            break;
        }
        // The kind of a finding may cover the next claims of the same pack.
        if kinds.covers(program.claim) {
            covered += 1;
            continue;
        }
        let Some(mut finding) = campaign.alone(program) else {
            continue;
        };
        if matches!(finding.what.class, Class::Accepted | Class::Unsound) {
            kinds.name(&mut finding.what);
        }
        outcome.found.push(finding);
    }
    (outcome, covered)
}

/// Returns the number of claims of a round in whose modules the verifier reports no error.
pub fn accepted(round: &Round, ask: &dyn Ask, is_over: &dyn Fn() -> bool) -> usize {
    let options = options(round.is_general);
    let programs = round.programs();
    let campaign = Campaign {
        ask,
        options: &options,
        is_over,
    };
    let suspects = campaign.suspects(programs.iter().collect(), &mut Outcome::default());
    // A campaign that is over has not verified the claims.
    if is_over() {
        0
    } else {
        suspects.accepted.len()
    }
}

/// Programs that must be verified alone.
struct Suspects<'p, 'c> {
    /// Programs without an error, or without a verdict.
    accepted: Vec<&'p Program<'c>>,
    /// Programs that crash the verifier, one for each message.
    crashing: Vec<&'p Program<'c>>,
}

struct Campaign<'a> {
    ask: &'a dyn Ask,
    options: &'a Options,
    is_over: &'a dyn Fn() -> bool,
}

impl Campaign<'_> {
    fn verify(&self, text: &str) -> Answer {
        self.ask
            .ask(Tool::Verifier, text, &flags(self.options), false)
    }

    /// Returns the programs that have no error when they are verified together, and those that
    /// must be verified alone because their pack has no verdict.
    fn suspects<'p, 'c>(
        &self,
        mut programs: Vec<&'p Program<'c>>,
        outcome: &mut Outcome,
    ) -> Suspects<'p, 'c> {
        // Programs that crash the verifier, one for each message.
        let mut crashing: SortedMap<String, &'p Program<'c>> = SortedMap::new();
        let mut of_halves = Vec::new();
        // The front end reports no error of the verifier, so that packs are verified again without
        // the programs that it refuses.
        while programs.len() > 1 && !(self.is_over)() {
            let pack = Pack::new(programs.iter().map(|p| p.text.as_str()));
            let answer = self.verify(&pack.text);
            let verdict = Verdict::of(&answer);
            outcome.verdicts.push(verdict.name());
            let errors = errors(&answer);
            for error in errors.iter().filter(|e| is_internal(&e.message)) {
                let at = pack.lines.iter().position(|l| l.contains(&error.line));
                let program = at.and_then(|at| programs.get(at));
                if let Some(program) = program {
                    crashing.entry(error.message.clone()).or_insert(program);
                }
            }
            let lines: Vec<u32> = errors.into_iter().map(|e| e.line).collect();
            let before = programs.len();
            match verdict {
                Verdict::Verified => break,
                Verdict::Refuted(_) => {
                    programs = without_errors(programs, &pack.lines, &lines);
                    break;
                }
                // A part that took too long is reported like an error, and all others are decided.
                Verdict::TimedOut | Verdict::GaveUp if !answer.stopped && !lines.is_empty() => {
                    programs = without_errors(programs, &pack.lines, &lines);
                    break;
                }
                // A crash hides only the errors that the tool would have reported after it.
                Verdict::Refused(_) | Verdict::TimedOut | Verdict::GaveUp | Verdict::Crashed(_) => {
                    programs = without_errors(programs, &pack.lines, &lines);
                }
            }
            // Without an error in any module, halves show which programs are responsible.
            if programs.len() == before {
                let rest = programs.split_off(before / 2);
                let (one, other) = (
                    self.suspects(programs, outcome),
                    self.suspects(rest, outcome),
                );
                programs = one.accepted;
                programs.extend(other.accepted);
                of_halves.extend(one.crashing.into_iter().chain(other.crashing));
                break;
            }
        }
        of_halves.extend(crashing.into_values());
        Suspects {
            accepted: programs,
            crashing: of_halves,
        }
    }

    /// Verifies a program alone.
    fn alone(&self, program: &Program) -> Option<Finding> {
        let Program { claim, text } = program;
        let answer = self.verify(text);
        let what = match Verdict::of(&answer) {
            Verdict::Verified => self.accepted(claim, text),
            Verdict::Crashed(why) => Disagreement::new(Class::Crash, &why, &why),
            Verdict::Refuted(_) | Verdict::Refused(_) | Verdict::TimedOut | Verdict::GaveUp => {
                return None;
            }
        };
        Some(Finding {
            what,
            program: text.clone(),
            rewritten: None,
            asked: vec![Asked {
                tool: Tool::Verifier,
                rewritten: false,
                answer,
            }],
        })
    }

    /// Describes a claim that the verifier accepts: by an execution that violates an obligation, by
    /// the error of our front end, or by the rule that the program breaks.
    fn accepted(&self, claim: &Claim, text: &str) -> Disagreement {
        let key = format!("{}: {}", claim.family, claim.name);
        let rule = format!("rule: {}\nclaim: {key}", claim.basis.text());
        match self.violation(text) {
            Ok(Some(violation)) => Disagreement::named(
                Class::Unsound,
                key,
                format!("the program is verified\n{violation}\n{rule}"),
            ),
            Ok(None) => Disagreement::named(
                Class::Accepted,
                key,
                format!("the program is verified\n{rule}"),
            ),
            Err(error) => Disagreement::named(
                Class::Accepted,
                key,
                format!("the program is verified\n`cargo dtest check` refuses it: {error}\n{rule}"),
            ),
        }
    }

    /// Returns a violation that `check` finds.
    ///
    /// # Errors
    /// The first error of our front end.
    fn violation(&self, text: &str) -> Result<Option<String>, String> {
        let syntax = Subject::syntax_of(self.options);
        match Subject::new(text, self.options, syntax, Dialect::Four) {
            Ok(subject) => Ok(Checked::of(subject.program().clone())
                .violated(subject.text())
                .map(|(_, message)| message)),
            Err(dafny_rewrite::Error::Wrong(why)) => {
                Err(why.first().map_or_else(String::new, |d| d.message.clone()))
            }
        }
    }
}

/// Whether an error is a crash of the verifier in one declaration.
fn is_internal(message: &str) -> bool {
    message.starts_with("Internal error occurred during verification")
}

/// Returns the programs without an error in their lines.
fn without_errors<'p, 'c>(
    programs: Vec<&'p Program<'c>>,
    modules: &[RangeInclusive<u32>],
    errors: &[u32],
) -> Vec<&'p Program<'c>> {
    programs
        .into_iter()
        .zip(modules)
        .filter(|(_, lines)| !errors.iter().any(|e| lines.contains(e)))
        .map(|(program, _)| program)
        .collect()
}
