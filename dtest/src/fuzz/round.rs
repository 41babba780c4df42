//! One round of a campaign: a program, its equivalent rewritings, and the comparisons of all
//! oracles.

use std::sync::Arc;

use dafny_rewrite::{Chain, Mutation, Random, Rewritten, Step, Subject, draw_order};

use dafny_syntax::ast::{Attribute, File, Stmt, StmtKind};
use dafny_syntax::visit::{Node, Visit};

use super::others::{Answer, Ask, Tool, Verdict};
use super::own::{Checked, End, Known, NoRun, Run, run};
use super::prints::PrintStatus;
use super::{Class, Disagreement, flags};

/// Maximum number of characters of a line in a key.
const MAX_KEY: usize = 60;

/// The plan of a round.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of equivalent rewritings.
    pub rewritten: u32,
    /// Maximum number of mutations of a rewriting.
    pub max_order: u32,
    /// The allowed mutations.
    pub mutations: Vec<Mutation>,
}

/// The result of a round.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The chains of mutations.
    pub chains: Vec<Vec<Step>>,
    /// The verdicts of the verifier on the program and each rewriting.
    pub verdicts: Vec<&'static str>,
    /// The results of each compiler for the program and each rewriting.
    pub prints: Vec<&'static str>,
    /// The reason why the round stopped early.
    pub skipped: Option<String>,
    /// The disagreements.
    pub found: Vec<Finding>,
}

impl Outcome {
    /// Merges the outcome of another oracle on the same programs.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        if self.chains.len() < other.chains.len() {
            self.chains = other.chains;
        }
        self.verdicts.extend(other.verdicts);
        self.prints.extend(other.prints);
        self.skipped = self.skipped.and(other.skipped);
        self.found.extend(other.found);
        self
    }
}

/// A disagreement with the programs that show it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The disagreement.
    pub what: Disagreement,
    /// The program.
    pub program: String,
    /// The equivalent program, with its mutations.
    pub rewritten: Option<(String, Vec<Step>)>,
    /// The calls of external tools.
    pub asked: Vec<Asked>,
}

/// A call of an external tool.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The tool.
    pub tool: Tool,
    /// Whether it was run on the rewritten program.
    pub rewritten: bool,
    /// The answer.
    pub answer: Answer,
}

/// Compares this tool with itself. `seed` determines the chains; `is_over` is checked between two
/// of them.
pub fn own(subject: &Subject, seed: u64, plan: &Plan, is_over: &dyn Fn() -> bool) -> Outcome {
    let known = Known::of(subject);
    let mut outcome = Outcome::default();
    let alone = |what| Finding {
        what,
        program: subject.text().to_owned(),
        rewritten: None,
        asked: Vec::new(),
    };
    outcome
        .found
        .extend(known.alone(subject).into_iter().map(alone));
    for chain in chains(seed, plan) {
        if is_over() {
            break;
        }
        let new = subject.chain(&chain);
        let found = known.against(subject, &new);
        let with = |what| Finding {
            what,
            program: subject.text().to_owned(),
            rewritten: Some((new.text.clone(), new.steps.clone())),
            asked: Vec::new(),
        };
        outcome.found.extend(found.into_iter().map(with));
        if new.steps.is_empty() {
            // No mutation applies anywhere in the program, so other seeds find none either.
            break;
        }
        outcome.chains.push(new.steps);
    }
    outcome
}

/// Returns the disagreements of this tool on a program, or on a program and its rewriting.
pub(super) fn own_again(subject: &Subject, new: Option<&Rewritten>) -> Vec<Finding> {
    let known = Known::of(subject);
    let found = new.map_or_else(|| known.alone(subject), |new| known.against(subject, new));
    let rewritten = new.map(|new| (new.text.clone(), new.steps.clone()));
    let finding = |what| Finding {
        what,
        program: subject.text().to_owned(),
        rewritten: rewritten.clone(),
        asked: Vec::new(),
    };
    found.into_iter().map(finding).collect()
}

/// Compares a verifier with itself on a program and its rewritings, and with `check`. The latter is
/// done only if `is_new`, because the result is always the same.
pub fn verified(
    subject: &Subject,
    seed: u64,
    plan: &Plan,
    is_new: bool,
    ask: &dyn Ask,
    is_over: &dyn Fn() -> bool,
) -> Outcome {
    let mut outcome = Outcome::default();
    let verdict = Verdict::of(&ask.ask(
        Tool::Verifier,
        subject.text(),
        &flags(subject.options()),
        true,
    ));
    outcome.verdicts.push(verdict.name());
    // The program alone is compared with the interpreter once, in its first round.
    if is_new || matches!(verdict, Verdict::Crashed(_)) {
        outcome.found.extend(verified_alone(subject, ask));
    }
    // Without a verdict on the program, there is nothing to compare its rewritings with.
    match verdict {
        Verdict::Refused(why) => {
            outcome.skipped = Some(format!("the verifier rejects it: {why}"));
            return outcome;
        }
        Verdict::Crashed(_) | Verdict::TimedOut | Verdict::GaveUp => return outcome,
        Verdict::Verified | Verdict::Refuted(_) => {}
    }
    for chain in chains(seed, plan) {
        if is_over() {
            break;
        }
        let new = subject.chain(&chain);
        if new.steps.is_empty() {
            break;
        }
        outcome.verdicts.push(
            Verdict::of(&ask.ask(Tool::Verifier, &new.text, &flags(subject.options()), true))
                .name(),
        );
        outcome.found.extend(verified_pair(subject, &new, ask));
        outcome.chains.push(new.steps);
    }
    outcome
}

/// Returns impossible results of a verifier on a program: a crash, or a contradiction to `check`.
pub(super) fn verified_alone(subject: &Subject, ask: &dyn Ask) -> Vec<Finding> {
    let answer = ask.ask(
        Tool::Verifier,
        subject.text(),
        &flags(subject.options()),
        true,
    );
    let verdict = Verdict::of(&answer);
    let what = match &verdict {
        Verdict::Crashed(why) => Some(Disagreement::new(Class::Crash, why, why)),
        Verdict::Verified | Verdict::Refuted(_) => with_check(subject, &verdict),
        Verdict::Refused(_) | Verdict::TimedOut | Verdict::GaveUp => None,
    };
    let asked = vec![Asked {
        tool: Tool::Verifier,
        rewritten: false,
        answer,
    }];
    what.map(|what| Finding {
        what,
        program: subject.text().to_owned(),
        rewritten: None,
        asked,
    })
    .into_iter()
    .collect()
}

/// Returns the disagreement of the verdicts on a program and its rewriting, if there is one.
pub(super) fn verified_pair(subject: &Subject, new: &Rewritten, ask: &dyn Ask) -> Option<Finding> {
    let flags = flags(subject.options());
    let before = ask.ask(Tool::Verifier, subject.text(), &flags, true);
    let verdict = Verdict::of(&before);
    if !matches!(verdict, Verdict::Verified | Verdict::Refuted(_)) {
        return None;
    }
    let after = ask.ask(Tool::Verifier, &new.text, &flags, true);
    let what = compared(&verdict, &Verdict::of(&after), &new.steps)?;
    let asked = [(false, before), (true, after)].map(|(rewritten, answer)| Asked {
        tool: Tool::Verifier,
        rewritten,
        answer,
    });
    let rewritten = Some((new.text.clone(), new.steps.clone()));
    Some(Finding {
        what,
        program: subject.text().to_owned(),
        rewritten,
        asked: asked.into(),
    })
}

/// Compares the output of compiled programs with the interpreter: the program, if `is_new`, and its
/// rewritings, which must print the same.
pub fn compiled(
    subject: &Subject,
    seed: u64,
    plan: &Plan,
    is_new: bool,
    (ask, compilers): (&dyn Ask, usize),
    is_over: &dyn Fn() -> bool,
) -> Outcome {
    let mut outcome = Outcome::default();
    let run = match printed(subject) {
        Ok(run) => run,
        Err(why) => {
            outcome.skipped = Some(why.text().to_owned());
            return outcome;
        }
    };
    // The program itself in its first round, and its rewritings.
    let mut programs: Vec<(Option<Vec<Step>>, String)> = Vec::new();
    programs.extend(is_new.then(|| (None, subject.text().to_owned())));
    for chain in chains(seed, plan) {
        let new = subject.chain(&chain);
        if new.steps.is_empty() {
            break;
        }
        programs.push((Some(new.steps), new.text));
    }
    // All programs are expected to print what the interpreter prints for the original one.
    for (steps, text) in programs {
        for tool in (0..compilers).map(Tool::Compiler) {
            if is_over() {
                return outcome;
            }
            let (status, mut finding) = compiled_by(subject, &text, &run, tool, ask);
            outcome.prints.push(status.name());
            if let Some(finding) = &mut finding {
                subject.text().clone_into(&mut finding.program);
                finding.rewritten = steps.clone().map(|steps| (text.clone(), steps));
                finding
                    .asked
                    .iter_mut()
                    .for_each(|a| a.rewritten = steps.is_some());
            }
            outcome.found.extend(finding);
        }
        outcome.chains.extend(steps);
    }
    outcome
}

/// Returns the interpreter's run, if other implementations must print the same.
fn printed(subject: &Subject) -> Result<Run, NoRun> {
    let run = run(&dtest_lower::lower(Arc::new(subject.program().clone())))?;
    if run.end == End::Broken {
        return Err(NoRun::Broken);
    }
    Ok(run)
}

/// Returns the disagreement of a compiled program with the interpreter, if there is one.
pub(super) fn compiled_alone(subject: &Subject, tool: Tool, ask: &dyn Ask) -> Option<Finding> {
    compiled_by(subject, subject.text(), &printed(subject).ok()?, tool, ask).1
}

/// Compiles and runs a program. Returns its status, and the disagreement with the interpreter, if
/// there is one.
fn compiled_by(
    subject: &Subject,
    text: &str,
    run: &Run,
    tool: Tool,
    ask: &dyn Ask,
) -> (PrintStatus, Option<Finding>) {
    let answer = ask.ask(tool, text, &flags(subject.options()), false);
    let status = PrintStatus::of(&answer, run);
    let asked = vec![Asked {
        tool,
        rewritten: false,
        answer,
    }];
    let finding = parted(&status, run).map(|what| Finding {
        what,
        program: text.to_owned(),
        rewritten: None,
        asked,
    });
    (status, finding)
}

/// Converts a status to a disagreement with the interpreter, if it is one.
fn parted(status: &PrintStatus, run: &Run) -> Option<Disagreement> {
    let whole = || format!("the interpreter prints:\n{}", run.printed);
    match status {
        PrintStatus::Same | PrintStatus::NotRun => None,
        PrintStatus::Refused(why) => Some(Disagreement::new(
            Class::Refused,
            why,
            format!("refused: {why}"),
        )),
        PrintStatus::Crashed(why) => Some(Disagreement::new(
            Class::Crash,
            why,
            format!("{why}\n{}", whole()),
        )),
        PrintStatus::NotCompiled(why) => Some(Disagreement::new(
            Class::NotCompiled,
            why,
            format!("{why}\n{}", whole()),
        )),
        PrintStatus::Printed(ours, theirs) => {
            let detail = format!("interpreted: {ours}\ncompiled:    {theirs}\n{}", whole());
            let short = |line: &String| line.chars().take(MAX_KEY).collect::<String>();
            Some(Disagreement::new(
                Class::Printed,
                format!("{} / {}", short(ours), short(theirs)),
                detail,
            ))
        }
    }
}

/// Returns the disagreement of two verdicts on equivalent programs, if there is one. Timeouts and
/// giving up do not count.
fn compared(before: &Verdict, after: &Verdict, steps: &[Step]) -> Option<Disagreement> {
    // Disagreements are grouped by class, message and names of mutations.
    let mut names: Vec<&str> = steps.iter().map(|s| s.mutation.name()).collect();
    names.sort_unstable();
    names.dedup();
    let names = names.join(", ");
    let first = |v: &Verdict| match v {
        Verdict::Refuted(all) => all
            .first()
            .map_or_else(|| "an error".to_owned(), |r| r.message.clone()),
        Verdict::Refused(why) | Verdict::Crashed(why) => why.clone(),
        Verdict::Verified | Verdict::TimedOut | Verdict::GaveUp => String::new(),
    };
    let by_mutations = |class, message: &str, detail: String| {
        Some(Disagreement::by_mutations(class, message, &names, detail))
    };
    // The rewritten program is equivalent, so the verdict must not change. Timeouts do not count.
    match (before, after) {
        (Verdict::Refuted(_), Verdict::Verified) => {
            let error = first(before);
            by_mutations(
                Class::Soundness,
                &error,
                format!("the program is rejected: {error}\nthe rewritten program is verified"),
            )
        }
        (Verdict::Verified, Verdict::Refuted(_)) => {
            let error = first(after);
            by_mutations(
                Class::Precision,
                &error,
                format!("the program is verified\nthe rewritten program is rejected: {error}"),
            )
        }
        (Verdict::Verified | Verdict::Refuted(_), Verdict::Refused(why)) => by_mutations(
            Class::Refused,
            why,
            format!("the program is accepted\nthe rewritten program is rejected: {why}"),
        ),
        (_, Verdict::Crashed(why)) => Some(Disagreement::new(
            Class::Crash,
            why,
            format!("on the rewritten program: {why}"),
        )),
        (
            _,
            Verdict::Verified
            | Verdict::Refuted(_)
            | Verdict::Refused(_)
            | Verdict::TimedOut
            | Verdict::GaveUp,
        ) => None,
    }
}

/// Returns a contradiction between `check` and the verifier, for programs without assumptions.
fn with_check(subject: &Subject, verdict: &Verdict) -> Option<Disagreement> {
    if takes_for_granted(subject.file()) {
        return None;
    }
    let checked = Checked::of(subject.program().clone());
    match verdict {
        Verdict::Verified => {
            let (kind, message) = checked.violated(subject.text())?;
            Some(Disagreement::new(
                Class::Unsound,
                kind,
                format!("the program is verified\n{message}"),
            ))
        }
        Verdict::Refuted(errors) => {
            let wrong = errors
                .iter()
                .find(|e| checked.proves(subject.text(), e.line))?;
            let detail = format!(
                "an error is reported in line {}: {}\n`cargo dtest check` proves all obligations there",
                wrong.line, wrong.message
            );
            Some(Disagreement::new(Class::Incomplete, &wrong.message, detail))
        }
        Verdict::Refused(_) | Verdict::TimedOut | Verdict::GaveUp | Verdict::Crashed(_) => None,
    }
}

/// Whether a program has something that verifiers do not check: `assume`, `expect`, or
/// corresponding attributes.
fn takes_for_granted(file: &File) -> bool {
    struct Granted(bool);
    impl<'t> Visit<'t> for Granted {
        fn stmt(&mut self, node: &'t Stmt) {
            self.0 |= matches!(node.kind, StmtKind::Assume(_));
            node.walk(self);
        }
        fn attribute(&mut self, node: &'t Attribute) {
            self.0 |= matches!(
                &*node.name.name,
                "verify" | "axiom" | "extern" | "termination" | "only" | "fuel" | "opaque"
            );
        }
    }
    let mut granted = Granted(false);
    file.decls.walk(&mut granted);
    granted.0
}

/// The chains of a round.
fn chains(seed: u64, plan: &Plan) -> Vec<Chain> {
    let mut random = Random::new(seed);
    let mut one = || Chain {
        order: draw_order(plan.max_order as usize, &mut random),
        seed: random.draw(),
        mutations: plan.mutations.clone(),
    };
    (0..plan.rewritten).map(|_| one()).collect()
}

/// Creates the disagreement for a stage that panicked on a program.
pub fn panicked(program: &str, message: &str) -> Finding {
    let what = Disagreement::new(
        Class::Panic,
        message,
        format!("a stage panicked: {message}"),
    );
    Finding {
        what,
        program: program.to_owned(),
        rewritten: None,
        asked: Vec::new(),
    }
}
