//! Annotated random programs: facts that held in the execution of a program are added to it as
//! assertions, invariants and contracts, so that verifying it is worthwhile.
//!
//! A program whose `Main` has no parameters and makes no choices has one execution, so observed
//! facts about variables of `Main` and parameters of called methods hold in general (compare
//! XDsmith, chapter 4.1.2 of Tee's thesis). One annotation may be false on purpose: a verifier must
//! then reject the program.

use std::fmt::Write as _;
use std::sync::Arc;

use dafny_resolve::typed::{LocalId, Type};
use dafny_rewrite::facts::Facts;
use dafny_rewrite::{Random, Subject};
use dafny_syntax::ast::{
    Expr, Formal, Member, MethodDecl, MethodKind, Stmt, StmtKind, TopDecl, VarDecl,
};
use dafny_syntax::visit::{Node, Visit};
use dtest_sorted::SortedMap;
use num_bigint::BigInt;

use super::own::{End, run};

/// The prefix of a probe's output.
const MARK: &str = "@@";
/// Maximum number of annotations of a program.
const MAX: usize = 24;

/// A program with annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The text of the program.
    pub text: String,
    /// Whether all annotations hold in its execution.
    pub holds: bool,
}

/// Adds annotations to the program, which `seed` selects; for half of the seeds, one of them is
/// false. Returns `None` if the program has no `Main` that ends normally, or if no annotation is
/// possible.
pub fn annotated(subject: &Subject, seed: u64) -> Option<Annotated> {
    let facts = subject.facts();
    let mut find = Find {
        facts: &facts,
        probes: Vec::new(),
    };
    let methods = || subject.file().decls.iter().filter_map(method);
    let is_main = |m: &&MethodDecl| m.name.as_ref().is_some_and(|n| &*n.name == "Main");
    methods().find(is_main)?.body.as_ref()?.accept(&mut find);
    methods()
        .filter(|m| !is_main(m))
        .for_each(|m| find.contract(m));
    let probes = find.probes;
    let seen = observed(subject, &probes)?;
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = seen.keys().copied().collect();
    random.shuffle(&mut order);
    let wrong = order.first().copied().filter(|_| seed % 2 == 1);
    order.truncate(MAX);
    order.sort_unstable();
    let mut insertions = Vec::new();
    for at in order {
        let (Some(probe), Some(values)) = (probes.get(at), seen.get(&at)) else {
            continue;
        };
        let is_wrong = wrong == Some(at);
        // A false annotation stands in one place, and is visible in the execution.
        insertions.push(probe.says(&values.claim(&probe.name, is_wrong), is_wrong));
    }
    let text = inserted(subject.text(), insertions);
    let same = subject.same_options(&text).ok()?;
    let holds = wrong.is_none();
    let after = run(&dtest_lower::lower(Arc::new(same.program().clone()))).ok()?;
    (after.end == if holds { End::Returned } else { End::Broken })
        .then_some(Annotated { text, holds })
}

/// Returns a method at the top level. Nothing overrides or refines it, so its contract is
/// independent of others.
fn method(decl: &TopDecl) -> Option<&MethodDecl> {
    match decl {
        TopDecl::Member(Member::Method(m)) if m.kind == MethodKind::Method && !m.is_refining => {
            Some(m)
        }
        TopDecl::Member(_)
        | TopDecl::Module(_)
        | TopDecl::Import(_)
        | TopDecl::Export(_)
        | TopDecl::Class(_)
        | TopDecl::Datatype(_)
        | TopDecl::Newtype(_)
        | TopDecl::Type(_)
        | TopDecl::Iterator(_) => None,
    }
}

/// A variable at a program point.
struct Probe {
    name: String,
    /// The positions at which its value is printed.
    shown: Vec<u32>,
    kind: Kind,
}

/// The kind of annotation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An assertion at this position.
    Assertion(u32),
    /// An invariant at the first position, of a loop whose body begins at the second.
    Invariant(u32, u32),
    /// A clause with this keyword at this position, in the contract of a method.
    Clause(&'static str, u32),
}

impl Probe {
    fn says(&self, claim: &str, wrong: bool) -> (u32, String) {
        match self.kind {
            Kind::Assertion(at) => (at, format!(" assert {claim};")),
            Kind::Invariant(_, body) if wrong => (body, format!(" assert {claim};")),
            Kind::Invariant(at, _) => (at, format!(" invariant {claim} ")),
            Kind::Clause(word, at) => (at, format!(" {word} {claim} ")),
        }
    }
}

/// The observed values of a variable at a program point.
enum Values {
    Integers {
        low: BigInt,
        high: BigInt,
    },
    Truth {
        can_be_true: bool,
        can_be_false: bool,
    },
}

impl Values {
    fn of(text: &str) -> Option<Self> {
        match text {
            "true" => Some(Self::Truth {
                can_be_true: true,
                can_be_false: false,
            }),
            "false" => Some(Self::Truth {
                can_be_true: false,
                can_be_false: true,
            }),
            number => number.parse::<BigInt>().ok().map(|n| Self::Integers {
                low: n.clone(),
                high: n,
            }),
        }
    }

    fn add(&mut self, other: Self) {
        match (self, other) {
            (Self::Integers { low, high }, Self::Integers { low: l, high: h }) => {
                *low = l.min(low.clone());
                *high = h.max(high.clone());
            }
            (
                Self::Truth {
                    can_be_true,
                    can_be_false,
                },
                Self::Truth {
                    can_be_true: t,
                    can_be_false: f,
                },
            ) => {
                *can_be_true |= t;
                *can_be_false |= f;
            }
            (Self::Integers { .. } | Self::Truth { .. }, _) => {}
        }
    }

    /// Returns a condition that holds for all the values, or with `wrong` one that is false for a
    /// value.
    fn claim(&self, name: &str, wrong: bool) -> String {
        match self {
            Self::Integers { low, .. } if wrong => format!("{name} != {low}"),
            Self::Integers { low, high } if low == high => format!("{name} == {low}"),
            Self::Integers { low, high } => format!("{low} <= {name} <= {high}"),
            Self::Truth {
                can_be_true: true, ..
            } if wrong => format!("!{name}"),
            Self::Truth {
                can_be_true: false, ..
            } if wrong => name.to_owned(),
            Self::Truth {
                can_be_true: true,
                can_be_false: false,
            } => name.to_owned(),
            Self::Truth {
                can_be_true: false, ..
            } => format!("!{name}"),
            Self::Truth {
                can_be_true: true,
                can_be_false: true,
            } => format!("{name} || !{name}"),
        }
    }
}

/// Runs the program with probes and returns the observed values; `None` if it does not end
/// normally.
fn observed(subject: &Subject, probes: &[Probe]) -> Option<SortedMap<usize, Values>> {
    let mut insertions = Vec::new();
    for (i, probe) in probes.iter().enumerate() {
        for at in &probe.shown {
            insertions.push((
                *at,
                format!(" print \"\\n{MARK}{i} \", {}, \"\\n\";", probe.name),
            ));
        }
    }
    let text = inserted(subject.text(), insertions);
    let program = subject.same_options(&text).ok()?;
    let done = run(&dtest_lower::lower(Arc::new(program.program().clone())))
        .ok()
        .filter(|r| r.end == End::Returned)?;
    let mut seen: SortedMap<usize, Values> = SortedMap::new();
    for line in done.printed.lines().filter_map(|l| l.strip_prefix(MARK)) {
        let Some((i, value)) = line.split_once(' ') else {
            continue;
        };
        let (Ok(i), Some(value)) = (i.parse(), Values::of(value)) else {
            continue;
        };
        match seen.get_mut(&i) {
            Some(known) => known.add(value),
            None => {
                seen.insert(i, value);
            }
        }
    }
    Some(seen)
}

/// Inserts texts at positions of a text.
fn inserted(text: &str, mut insertions: Vec<(u32, String)>) -> String {
    insertions.sort_by_key(|(at, _)| *at);
    let (mut new, mut done) = (String::new(), 0);
    for (at, more) in insertions {
        let at = at as usize;
        new.push_str(text.get(done..at).unwrap_or_default());
        let _ = write!(new, "{more}");
        done = at;
    }
    new.push_str(text.get(done..).unwrap_or_default());
    new
}

/// Finds the probes: integers and Booleans among the variables of `Main` and the parameters of
/// methods.
struct Find<'a> {
    facts: &'a Facts<'a>,
    probes: Vec<Probe>,
}

impl Find<'_> {
    fn name(&self, local: LocalId) -> Option<String> {
        let known = &self.facts.program[local];
        let fits = !known.ghost
            && matches!(
                self.facts.program.strip_subset(&known.ty),
                Type::Int | Type::Bool
            );
        fits.then(|| known.name.to_string())
    }

    /// Adds probes for the parameters of a method, and for its results if its end is its only exit.
    fn contract(&mut self, m: &MethodDecl) {
        let Some(body) = &m.body else { return };
        let facts = self.facts;
        let named = |formals: &[Formal]| -> Vec<String> {
            let locals = formals
                .iter()
                .filter_map(|f| facts.declared(f.name.as_ref()?));
            locals.filter_map(|l| self.name(l)).collect()
        };
        let clause = |word, shown| {
            move |name| Probe {
                name,
                shown: vec![shown],
                kind: Kind::Clause(word, body.span.start),
            }
        };
        let mut new: Vec<Probe> = named(&m.ins)
            .into_iter()
            .map(clause("requires", body.span.start + 1))
            .collect();
        let mut returns = Returns(false);
        body.accept(&mut returns);
        if !returns.0 {
            new.extend(
                named(&m.outs)
                    .into_iter()
                    .map(clause("ensures", body.span.end - 1)),
            );
        }
        self.probes.append(&mut new);
    }

    fn list(&mut self, stmts: &[Stmt]) {
        let mut declared: Vec<LocalId> = Vec::new();
        for s in stmts {
            // Candidates for facts: variables that have just been assigned, directly behind the
            // statement.
            let behind = s.span.end;
            let assigned: Vec<LocalId> = if let StmtKind::VarDecl(VarDecl {
                vars,
                init: Some(_),
                ghost: false,
            }) = &s.kind
            {
                let new: Vec<LocalId> = vars
                    .iter()
                    .filter_map(|v| self.facts.declared(&v.name))
                    .collect();
                declared.extend(&new);
                new
            } else if matches!(s.kind, StmtKind::Update(_)) {
                self.facts
                    .targets(s)
                    .unwrap_or_default()
                    .into_iter()
                    .flatten()
                    .collect()
            } else {
                Vec::new()
            };
            let of = |names: &[LocalId]| {
                names
                    .iter()
                    .filter_map(|l| self.name(*l))
                    .collect::<Vec<_>>()
            };
            let assertion = |name| Probe {
                name,
                shown: vec![behind],
                kind: Kind::Assertion(behind),
            };
            let mut new: Vec<Probe> = of(&assigned).into_iter().map(assertion).collect();
            // A loop may change all variables declared before it in the list: candidates for
            // invariants, with their values at the start of the body and behind the loop.
            if let StmtKind::While {
                body: Some(body), ..
            }
            | StmtKind::For {
                body: Some(body), ..
            } = &s.kind
            {
                let inner = body.span.start + 1;
                let invariant = |name| Probe {
                    name,
                    shown: vec![inner, behind],
                    kind: Kind::Invariant(body.span.start, inner),
                };
                new.extend(of(&declared).into_iter().map(invariant));
            }
            self.probes.append(&mut new);
        }
    }
}

impl<'t> Visit<'t> for Find<'_> {
    fn block(&mut self, node: &'t dafny_syntax::ast::Block) {
        self.list(&node.stmts);
        node.walk(self);
    }
    fn expr(&mut self, _: &'t Expr) {}
}

/// Finds out whether a body has a `return`.
struct Returns(bool);

impl<'t> Visit<'t> for Returns {
    fn stmt(&mut self, node: &'t Stmt) {
        self.0 |= matches!(node.kind, StmtKind::Return(_));
        node.walk(self);
    }
    fn expr(&mut self, _: &'t Expr) {}
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use dafny_random::{Profile, Shape, program};
    use dafny_rewrite::Dialect;

    use super::super::options_of_random;
    use super::*;

    const PROGRAM: &str = "method Main() {
  var n := 3;
  var sum := 0;
  while n > 0 decreases n {
    n := n - 1;
    sum := sum + n;
  }
  var odd := sum % 2 == 1;
  print sum, \"\\n\";
}
";

    fn subject(text: &str) -> Subject {
        let options = options_of_random(text);
        Subject::new(text, &options, Subject::syntax_of(&options), Dialect::Four).unwrap()
    }

    #[test]
    fn facts_of_the_execution_become_annotations() {
        let new = annotated(&subject(PROGRAM), 0).unwrap();
        assert!(new.holds);
        assert_eq!(
            new.text,
            "method Main() {
  var n := 3; assert n == 3;
  var sum := 0; assert sum == 0;
  while n > 0 decreases n  invariant 0 <= n <= 3  invariant 0 <= sum <= 3 {
    n := n - 1; assert 0 <= n <= 2;
    sum := sum + n; assert 2 <= sum <= 3;
  }
  var odd := sum % 2 == 1; assert odd;
  print sum, \"\\n\";
}
"
        );
    }

    #[test]
    fn methods_get_the_contracts_that_held_of_all_their_calls() {
        let text = "method Half(n: int, up: bool) returns (h: int) {
  h := n / 2;
  if up { h := h + n % 2; }
}
method Early(n: int) returns (r: int) {
  r := n;
  if n > 3 { return; }
  r := 0;
}
method Main() {
  var a := Half(7, false);
  var b := Half(4, false);
  var c := Early(a);
  print a, b, c;
}
";
        let new = annotated(&subject(text), 0).unwrap();
        assert!(new.holds);
        let half = new.text.lines().next().unwrap();
        assert_eq!(
            half,
            "method Half(n: int, up: bool) returns (h: int)  requires 4 <= n <= 7  requires !up  ensures 2 <= h <= 3 {"
        );
        assert!(
            new.text
                .contains("method Early(n: int) returns (r: int)  requires n == 3 {"),
            "{}",
            new.text
        );
    }

    #[test]
    fn a_false_assertion_shows_in_the_execution() {
        let new = annotated(&subject(PROGRAM), 1).unwrap();
        assert!(!new.holds && new.text.contains("assert"), "{}", new.text);
    }

    #[test]
    fn annotations_of_random_programs_hold_unless_one_is_to_be_false() {
        let (mut right, mut wrong) = (0, 0);
        for seed in 0..30 {
            let text = program(
                seed,
                Shape {
                    profile: Profile::Deterministic,
                    ..Shape::of(seed)
                },
            );
            if let Some(new) = annotated(&subject(&text), seed) {
                right += u32::from(new.holds);
                wrong += u32::from(!new.holds);
            }
        }
        assert!(right > 5 && wrong > 2, "{right} {wrong}");
    }
}
