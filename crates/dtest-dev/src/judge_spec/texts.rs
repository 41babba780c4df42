//! Declarations that state a claim about a contract, as Dafny text.
//!
//! Each claim becomes members beside its unit, which are made from the text of the unit: `G` has the
//! clauses from which the claim follows, and `I` has the claim as its postcondition and calls `G`.
//! Dafny's verifier then proves the claim, for callables with effects as well.

use std::ops::Range;

use dafny_resolve::typed::{Body, Callable, CallableId, CallableKind, Program, Span};
use dafny_syntax::TokenKind as T;

/// Prefix of the names of added declarations. The verifier is restricted to names that contain it.
pub(crate) const PREFIX: &str = "JudgedClaim";

/// The kind of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Requires,
    Ensures,
}

/// A clause of a contract, by its kind and its index.
pub(crate) type ClauseId = (Kind, usize);

/// A statement about a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// The other clauses imply this one.
    Redundant(ClauseId),
    /// No input satisfies the preconditions.
    Contradictory,
    /// Each input has at most one result.
    Determined,
    /// The body satisfies this postcondition.
    Candidate(String),
}

/// The text of the added declarations.
#[derive(Debug, Default)]
pub(crate) struct Added {
    pub(crate) text: String,
    /// The clauses that are assumed, with their places in the text.
    pub(crate) assumed: Vec<(Range<usize>, ClauseId)>,
}

/// The parts of a unit's text, as byte offsets in its file.
pub(crate) struct Source<'p> {
    program: &'p Program,
    unit: CallableId,
    text: &'p str,
    base: u32,
    header: Range<usize>,
    /// The end of the whole declaration.
    pub(crate) end: usize,
}

impl<'p> Source<'p> {
    /// Reads the unit in the file with the text, whose first byte has the position `base`. `None` if
    /// the unit cannot be copied: a constructor, or a declaration that is not in the text.
    pub(crate) fn new(
        program: &'p Program,
        unit: CallableId,
        text: &'p str,
        base: u32,
    ) -> Option<Self> {
        let callable = &program[unit];
        if callable.kind == CallableKind::Constructor || callable.is_two_state {
            return None;
        }
        let local = |span: Span| {
            let start = span.start.checked_sub(base)? as usize;
            let end = span.end.checked_sub(base)? as usize;
            text.get(start..end).map(|_| start..end)
        };
        let whole = local(callable.full_span)?;
        let header_end = match &callable.body {
            Body::None => whole.end,
            Body::Block(block) => local(block.span)?.start,
            Body::Expr(e) | Body::ByMethod(e, _) => {
                // The brace before the expression; parentheses may stand between them.
                let before = local(e.span)?.start;
                let tokens = dafny_syntax::lex(0, text.get(whole.start..before)?).tokens;
                let brace = tokens.iter().rev().find(|t| t.kind == T::LBrace)?;
                whole.start + brace.span.start as usize
            }
        };
        Some(Self {
            program,
            unit,
            text,
            base,
            header: whole.start..header_end,
            end: whole.end,
        })
    }

    fn callable(&self) -> &'p Callable {
        &self.program[self.unit]
    }

    fn range(&self, span: Span) -> Range<usize> {
        (span.start.saturating_sub(self.base)) as usize
            ..(span.end.saturating_sub(self.base)) as usize
    }

    /// The clauses with their places in the file.
    fn clauses(&self) -> Vec<(ClauseId, Range<usize>)> {
        let spec = &self.callable().spec;
        let of = |kind: Kind, spans: Vec<Span>| {
            let numbered = spans.into_iter().enumerate();
            numbered
                .map(|(i, span)| ((kind, i), self.range(span)))
                .collect::<Vec<_>>()
        };
        let mut all = of(
            Kind::Requires,
            spec.requires.iter().map(|c| c.span).collect(),
        );
        all.extend(of(
            Kind::Ensures,
            spec.ensures.iter().map(|c| c.span).collect(),
        ));
        all
    }

    /// Appends a part of the file in which the unit has another name. Clauses that are not kept
    /// become `true`.
    fn append(
        &self,
        part: Range<usize>,
        name: &str,
        is_kept: &dyn Fn(ClauseId) -> bool,
        added: &mut Added,
    ) {
        let clauses = self.clauses();
        // Attributes that would change what the verifier does with the copy.
        let attributes = self.callable().attributes.iter();
        let ignored = attributes.filter(|a| {
            ["axiom", "verify", "extern", "test", "only"]
                .iter()
                .any(|n| a.name.eq_ignore_ascii_case(n))
        });
        let mut replaced: Vec<(Range<usize>, &str)> = ignored
            .map(|a| (self.range(a.span), ""))
            .chain(
                clauses
                    .iter()
                    .filter(|(id, _)| !is_kept(*id))
                    .map(|(_, range)| (range.clone(), "true")),
            )
            .filter(|(range, _)| part.start <= range.start && range.end <= part.end)
            .collect();
        let Some(text) = self.text.get(part.clone()) else {
            return;
        };
        for token in dafny_syntax::lex(0, text).tokens {
            let range =
                part.start + token.span.start as usize..part.start + token.span.end as usize;
            let is_inside = replaced
                .iter()
                .any(|(r, _)| r.start <= range.start && range.end <= r.end);
            if self.text.get(range.clone()) == Some(&*self.callable().name) && !is_inside {
                replaced.push((range, name));
            }
        }
        replaced.sort_by_key(|(range, _)| range.start);
        // Positions of the file in the added text.
        let mut moved: Vec<(usize, usize)> = Vec::new();
        let mut at = part.start;
        for (range, new) in replaced {
            moved.push((at, added.text.len()));
            added
                .text
                .push_str(self.text.get(at..range.start).unwrap_or_default());
            added.text.push_str(new);
            at = range.end.max(at);
        }
        moved.push((at, added.text.len()));
        added
            .text
            .push_str(self.text.get(at..part.end).unwrap_or_default());
        let place = |position: usize| {
            let known = moved.iter().rev().find(|(from, _)| *from <= position);
            known.map_or(0, |(from, to)| to + (position - from))
        };
        for (id, range) in clauses {
            if is_kept(id) && part.start <= range.start && range.end <= part.end {
                added
                    .assumed
                    .push((place(range.start)..place(range.end), id));
            }
        }
    }

    /// The names of variables, separated by commas.
    fn names(&self, formals: &[dafny_resolve::typed::Formal]) -> String {
        let names = formals
            .iter()
            .map(|f| self.program[f.local].name.to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    /// A call of a copy of the unit with its own parameters.
    fn call(&self, name: &str) -> String {
        let callable = self.callable();
        let params = callable.type_params.iter();
        let params: Vec<String> = params.map(|p| self.program[*p].name.to_string()).collect();
        let type_args = match params.is_empty() {
            true => String::new(),
            false => format!("<{}>", params.join(", ")),
        };
        format!("{name}{type_args}({})", self.names(&callable.ins))
    }

    /// The declaration of parameters from the end of the name to the closing parenthesis, for a
    /// lemma.
    fn signature(&self) -> Option<String> {
        let start = self.range(self.callable().span).end;
        let text = self.text.get(start..self.header.end)?;
        let (mut depth, mut signature, mut at) = (0usize, String::new(), 0);
        for token in dafny_syntax::lex(0, text).tokens {
            let (from, to) = (token.span.start as usize, token.span.end as usize);
            signature.push_str(text.get(at..from)?);
            at = to;
            let word = text.get(from..to)?;
            // All parameters of a lemma are ghost.
            if word == "ghost" {
                continue;
            }
            if token.kind == T::LParen {
                depth += 1;
            } else if token.kind == T::RParen {
                depth = depth.checked_sub(1)?;
            }
            signature.push_str(word);
            if token.kind == T::RParen && depth == 0 {
                return Some(signature);
            }
        }
        None
    }

    /// Returns the declarations that state something, without the assumptions in `without`. `None` if
    /// it cannot be stated.
    pub(crate) fn stated(
        &self,
        number: usize,
        statement: &Statement,
        without: &[ClauseId],
    ) -> Option<Added> {
        let is_given = |id: ClauseId| !without.contains(&id);
        match statement {
            Statement::Redundant(target @ (Kind::Requires, index)) => {
                let span = self.callable().spec.requires.get(*index)?.span;
                let goal = self.text.get(self.range(span))?;
                self.lemma(number, goal, &|id| id != *target && is_given(id))
            }
            Statement::Contradictory => self.lemma(number, "false", &is_given),
            Statement::Redundant(target) => self.implied(number, *target, &is_given),
            Statement::Determined => self.determined(number, &is_given),
            Statement::Candidate(condition) => self.candidate(number, condition),
        }
    }

    /// A lemma that concludes `goal` from preconditions.
    fn lemma(
        &self,
        number: usize,
        goal: &str,
        is_given: &dyn Fn(ClauseId) -> bool,
    ) -> Option<Added> {
        let callable = self.callable();
        let is_static = callable.owner.is_some() && callable.is_static;
        let mut added = Added {
            text: format!(
                "\n{}lemma {PREFIX}{number}I{}\n",
                if is_static { "static " } else { "" },
                self.signature()?
            ),
            assumed: Vec::new(),
        };
        for (id, range) in self.clauses() {
            if id.0 == Kind::Requires && is_given(id) {
                added.text.push_str("  requires ");
                let start = added.text.len();
                added.text.push_str(self.text.get(range)?);
                added.assumed.push((start..added.text.len(), id));
                added.text.push('\n');
            }
        }
        added.text.push_str(&format!("  ensures {goal}\n{{ }}\n"));
        Some(added)
    }

    /// A callable without a body, with the given clauses.
    fn without_body(&self, name: &str, is_given: &dyn Fn(ClauseId) -> bool, added: &mut Added) {
        added.text.push('\n');
        self.append(self.header.clone(), name, is_given, added);
        added.text.push('\n');
    }

    fn implied(
        &self,
        number: usize,
        target: ClauseId,
        is_given: &dyn Fn(ClauseId) -> bool,
    ) -> Option<Added> {
        let callable = self.callable();
        let (given, implied) = (format!("{PREFIX}{number}G"), format!("{PREFIX}{number}I"));
        let mut added = Added::default();
        self.without_body(&given, &|id| id != target && is_given(id), &mut added);
        // The earlier clauses, without which the clause may be undefined.
        let is_kept = |id: ClauseId| id.0 == Kind::Requires || id.1 <= target.1;
        let mut second = Added::default();
        self.append(self.header.clone(), &implied, &is_kept, &mut second);
        added.text.push_str(&second.text);
        let outs = self.names(&callable.outs);
        let call = self.call(&given);
        added.text.push_str(&match callable.kind.is_function() {
            true => format!("{{ {call} }}\n"),
            false if outs.is_empty() => format!("{{ {call}; }}\n"),
            false => format!("{{ {outs} := {call}; }}\n"),
        });
        Some(added)
    }

    /// A method that calls two copies and asserts that their results are equal. Only for callables
    /// whose results are values.
    fn determined(&self, number: usize, is_given: &dyn Fn(ClauseId) -> bool) -> Option<Added> {
        let callable = self.callable();
        let mut added = Added::default();
        let name = |k: &str| format!("{PREFIX}{number}{k}");
        if !callable.spec.modifies.is_empty() || callable.outs.is_empty() {
            return None;
        }
        self.without_body(&name("G"), is_given, &mut added);
        self.without_body(&name("H"), is_given, &mut added);
        let is_static = callable.owner.is_some() && callable.is_static;
        // Code cannot call lemmas, and ghost methods cannot call code.
        let is_ghost = callable.ghost || callable.kind == CallableKind::Lemma;
        let variable = if is_ghost { "var" } else { "ghost var" };
        let variable = match callable.kind.is_function() {
            true => variable,
            false => "var",
        };
        added.text.push_str(&format!(
            "\n{}{}method {}{}\n",
            if is_static { "static " } else { "" },
            if is_ghost { "ghost " } else { "" },
            name("I"),
            self.signature()?
        ));
        for clause in &callable.spec.requires {
            let condition = self.text.get(self.range(clause.span))?;
            added.text.push_str(&format!("  requires {condition}\n"));
        }
        let results = |k: &str| {
            let outs = 0..callable.outs.len();
            outs.map(|i| format!("judged{k}{i}")).collect::<Vec<_>>()
        };
        let (first, second) = (results("G"), results("H"));
        let (called_first, called_second) = (self.call(&name("G")), self.call(&name("H")));
        let (x, y) = (first.join(", "), second.join(", "));
        let equal = first
            .iter()
            .zip(&second)
            .map(|(a, b)| format!("{a} == {b}"));
        let equal = equal.collect::<Vec<_>>().join(" && ");
        added.text.push_str(&format!(
            "{{ {variable} {x} := {called_first}; {variable} {y} := {called_second}; assert {equal}; }}\n"
        ));
        Some(added)
    }

    /// A copy of the unit with a further postcondition.
    fn candidate(&self, number: usize, condition: &str) -> Option<Added> {
        if matches!(self.callable().body, Body::None) {
            return None;
        }
        let name = format!("{PREFIX}{number}I");
        let mut added = Added::default();
        added.text.push('\n');
        self.append(self.header.clone(), &name, &|_| true, &mut added);
        let own = &*self.callable().name;
        let condition = match self.callable().kind.is_function() {
            true => condition.replacen(&format!("{own}("), &format!("{name}("), 1),
            false => condition.to_owned(),
        };
        added.text.push_str(&format!("\n  ensures {condition}\n"));
        self.append(self.header.end..self.end, &name, &|_| true, &mut added);
        added.text.push('\n');
        // Nothing is assumed that could be left out.
        added.assumed.clear();
        Some(added)
    }
}
