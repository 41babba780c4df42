//! Splits clauses of contracts into conjuncts, so that a part that cannot be executed does not
//! prevent the rest from being executed.
//!
//! `A && B` means the same as two clauses, and a call of a predicate the same as the conjuncts of
//! its body. This also applies to a conjunction after `==>`, beside `||`, under `forall`, `old` or a
//! variable, and in the branches of a conditional or a `match`; a chain of comparisons is the
//! conjunction of its comparisons. A clause is split only if it cannot be executed as a whole, so
//! that tests report the clauses of the source whenever possible. `B` may be well-formed only if
//! `A` holds; this is harmless, because if `A` does not hold, the contract is violated, and the
//! test may as well fail by a panic.

use std::borrow::Cow;

use super::reason::Reason;
use dafny_resolve::typed::{
    BinaryOp, CallableId, CallableKind, Clause, Expr, ExprKind, Literal, Program, Span, Type,
    TypeDeclKind, UnaryOp,
};
use dtest_sorted::{SortedMap, SortedSet};

/// Maximum nesting depth of predicate calls that are replaced by the bodies of the predicates.
const MAX_NESTING: usize = 4;

/// Maximum number of clauses that one clause is split into.
const MAX_CONJUNCTS: usize = 64;

/// The conditions to split, by span.
#[derive(Debug, Clone, Default)]
pub(super) struct Conjuncts {
    apart: SortedSet<Span>,
    /// The reasons why conditions cannot be executed as a whole.
    failed: SortedMap<Span, Reason>,
}

impl Conjuncts {
    /// Replaces the clauses to split in the program.
    pub(super) fn applied<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
        if self.apart.is_empty() {
            return Cow::Borrowed(program);
        }
        let mut changed = program.clone();
        // Clauses that are executed as a whole keep their text, which tests report.
        let split = |clauses: &mut Vec<Clause>| {
            if clauses.iter().any(|c| self.apart.contains(&c.cond.span)) {
                let parts = clauses.iter().flat_map(|c| self.parts(program, c));
                *clauses = parts.collect();
            }
        };
        for callable in &mut changed.callables {
            split(&mut callable.spec.requires);
            split(&mut callable.spec.ensures);
        }
        for decl in &mut changed.types {
            if let TypeDeclKind::Iterator(parts) = &mut decl.kind {
                split(&mut parts.yield_ensures);
                split(&mut parts.spec.ensures);
            }
        }
        Cow::Owned(changed)
    }

    /// Records the clauses of the changed program that cannot be executed. Returns whether more can
    /// be split.
    pub(super) fn learn(&mut self, program: &Program, failed: &SortedMap<Span, Reason>) -> bool {
        let before = self.apart.len();
        for (span, reason) in failed {
            self.failed.entry(*span).or_insert_with(|| reason.clone());
        }
        let of_callables = program
            .callables
            .iter()
            .flat_map(|c| c.spec.requires.iter().chain(&c.spec.ensures));
        let of_iterators = program.types.iter().filter_map(|decl| {
            let TypeDeclKind::Iterator(parts) = &decl.kind else {
                return None;
            };
            Some(parts.yield_ensures.iter().chain(&parts.spec.ensures))
        });
        let can_be = |c: &&Clause| {
            failed.contains_key(&c.cond.span) && parts_of(program, &c.cond, &[]).is_some()
        };
        self.apart.extend(
            of_callables
                .chain(of_iterators.flatten())
                .filter(can_be)
                .map(|c| c.cond.span),
        );
        self.apart.len() > before
    }

    /// The reasons why conditions cannot be executed as a whole.
    pub(super) fn failed(&self) -> impl Iterator<Item = (&Span, &Reason)> {
        self.failed.iter()
    }

    /// Returns the parts of a clause.
    fn parts(&self, program: &Program, clause: &Clause) -> Vec<Clause> {
        let mut found = Vec::new();
        self.collect(program, &clause.cond, &mut Vec::new(), &|e| e, &mut found);
        // If no part can be executed either, one reason for the whole says more than one for each
        // part.
        let is_useless = found.iter().all(|e| self.failed.contains_key(&e.span));
        if found.len() > MAX_CONJUNCTS || found.len() > 1 && is_useless {
            return vec![clause.clone()];
        }
        let part = |cond: Expr| Clause {
            cond,
            label: clause.label.clone(),
            span: clause.span,
        };
        found.into_iter().map(part).collect()
    }

    /// Collects the conjuncts of a condition. `within` has the predicates whose bodies contain it;
    /// `wrap` builds the clause for a part of it.
    fn collect(
        &self,
        program: &Program,
        cond: &Expr,
        within: &mut Vec<CallableId>,
        wrap: &dyn Fn(Expr) -> Expr,
        found: &mut Vec<Expr>,
    ) {
        let Some(parts) = parts_of(program, cond, within)
            .filter(|_| self.apart.contains(&cond.span) && found.len() <= MAX_CONJUNCTS)
        else {
            found.push(wrap(cond.clone()));
            return;
        };
        // A predicate inside its own body is not unfolded again, so this ends.
        if let Some(callee) = parts.unfolds {
            within.push(callee);
        }
        for (part, inner) in parts.parts {
            self.collect(program, &part, within, &|e| wrap(inner.of(e)), found);
        }
        if parts.unfolds.is_some() {
            within.pop();
        }
    }
}

/// The context of a part of a condition.
enum Around<'e> {
    Nothing,
    /// `cond ==> part`.
    Premise(Expr),
    /// The condition, with the part as its body.
    Body(&'e Expr),
    /// The disjunction, with the part as its right or left operand.
    Operand {
        disjunction: &'e Expr,
        is_right: bool,
    },
    /// The `match`, with the part as the value of one case, and `true` in all others.
    Case {
        outer: &'e Expr,
        number: usize,
    },
}

impl Around<'_> {
    /// Builds the clause of a part, with the span of the part.
    fn of(&self, part: Expr) -> Expr {
        let span = part.span;
        let mut whole = match self {
            Self::Nothing => return part,
            Self::Premise(premise) => implies(premise.clone(), part),
            Self::Body(outer) => {
                let mut outer = (*outer).clone();
                if let ExprKind::Binary(BinaryOp::Implies, _, body)
                | ExprKind::Quantifier { body, .. }
                | ExprKind::Let { body, .. }
                | ExprKind::Old { expr: body, .. } = &mut outer.kind
                {
                    **body = part;
                }
                outer
            }
            Self::Operand {
                disjunction,
                is_right,
            } => {
                let mut outer = (*disjunction).clone();
                if let ExprKind::Binary(BinaryOp::Or, left, right) = &mut outer.kind {
                    **if *is_right { right } else { left } = part;
                }
                outer
            }
            Self::Case { outer, number } => {
                let mut outer = (*outer).clone();
                if let ExprKind::Match { cases, .. } = &mut outer.kind {
                    let mut part = Some(part);
                    for (i, case) in cases.iter_mut().enumerate() {
                        let own = part.take_if(|_| i == *number);
                        case.body = own.unwrap_or_else(|| truth(case.body.span));
                    }
                }
                outer
            }
        };
        // Parts are distinguished by their spans, and tests locate a violation by them.
        whole.span = span;
        whole
    }
}

/// The parts of a condition, which together are equivalent to it.
struct Parts<'e> {
    parts: Vec<(Expr, Around<'e>)>,
    /// The predicate whose body has the parts.
    unfolds: Option<CallableId>,
}

/// Returns the parts of a condition, if it has several, or one that may have several.
fn parts_of<'e>(program: &Program, cond: &'e Expr, within: &[CallableId]) -> Option<Parts<'e>> {
    let mut unfolds = None;
    // A conjunction is split. A context around it (premise, quantifier, `let`, `old`) is repeated
    // around each part; the parts together are then equivalent to the whole.
    let parts = if let ExprKind::Binary(BinaryOp::And, left, right) = &cond.kind {
        vec![
            ((**left).clone(), Around::Nothing),
            ((**right).clone(), Around::Nothing),
        ]
    } else if let ExprKind::Binary(BinaryOp::Implies, _, body)
    | ExprKind::Quantifier {
        forall: true, body, ..
    }
    | ExprKind::Let { body, .. }
    | ExprKind::Old { expr: body, .. } = &cond.kind
    {
        parts_of(program, body, within).filter(|_| body.ty == Type::Bool)?;
        vec![((**body).clone(), Around::Body(cond))]
    } else if let ExprKind::If { cond: c, then, els } = &cond.kind
        && cond.ty == Type::Bool
    {
        let otherwise = Expr {
            kind: ExprKind::Unary(UnaryOp::Not, c.clone()),
            ty: Type::Bool,
            span: c.span,
        };
        vec![
            ((**then).clone(), Around::Premise((**c).clone())),
            ((**els).clone(), Around::Premise(otherwise)),
        ]
    } else if let ExprKind::Binary(BinaryOp::Or, left, right) = &cond.kind {
        let is_right = parts_of(program, right, within).is_some();
        let side = if is_right { right } else { left };
        parts_of(program, side, within)?;
        let around = Around::Operand {
            disjunction: cond,
            is_right,
        };
        vec![((**side).clone(), around)]
    } else if let ExprKind::Match { cases, .. } = &cond.kind
        && cond.ty == Type::Bool
    {
        let case = |(number, case): (usize, &dafny_resolve::typed::ExprCase)| {
            let outer = cond;
            (case.body.clone(), Around::Case { outer, number })
        };
        cases.iter().enumerate().map(case).collect()
    } else if let ExprKind::Chain { first, rest } = &cond.kind
        && rest.len() > 1
        // `A !! B !! C` also compares `A` with `C`.
        && rest.iter().all(|(op, _)| *op != BinaryOp::Disjoint)
    {
        let mut left: &Expr = first;
        let mut links = Vec::new();
        for (op, right) in rest {
            let span = left.span.to(right.span);
            let kind = ExprKind::Chain {
                first: Box::new(left.clone()),
                rest: vec![(*op, right.clone())],
            };
            let ty = Type::Bool;
            links.push((Expr { kind, ty, span }, Around::Nothing));
            left = right;
        }
        links
    } else if let ExprKind::Call(call) = &cond.kind
        && is_unfolded(program[call.callee].kind)
        && !within.contains(&call.callee)
        && within.len() < MAX_NESTING
    {
        // A predicate is unfolded if its body can be split; recursion is unfolded once.
        let body = program.unfolded(call)?;
        let mut deeper = within.to_vec();
        deeper.push(call.callee);
        parts_of(program, &body, &deeper)?;
        unfolds = Some(call.callee);
        vec![(body, Around::Nothing)]
    } else {
        return None;
    };
    Some(Parts { parts, unfolds })
}

/// Whether the body of a callable is equivalent to a call of it.
fn is_unfolded(kind: CallableKind) -> bool {
    match kind {
        CallableKind::Function | CallableKind::TwostateFunction => true,
        // An extreme predicate is not the value of its body in a finite number of steps.
        CallableKind::LeastPredicate | CallableKind::GreatestPredicate => false,
        CallableKind::Method | CallableKind::Constructor | CallableKind::Lemma => false,
    }
}

fn truth(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Literal(Literal::Bool(true)),
        ty: Type::Bool,
        span,
    }
}

fn implies(premise: Expr, part: Expr) -> Expr {
    let span = part.span;
    Expr {
        kind: ExprKind::Binary(BinaryOp::Implies, Box::new(premise), Box::new(part)),
        ty: Type::Bool,
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Placement;
    use super::super::{Translation, translate};
    use dafny_resolve::typed::Program;
    use dafny_source::SourceMap;

    fn translated(source: &str) -> (Program, SourceMap, Translation) {
        let mut sources = SourceMap::new();
        sources.add("p.dfy", source, true);
        let (file, _) = dafny_syntax::parse(0, source);
        let (program, diagnostics) = dafny_resolve::resolve(vec![file], Default::default());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let translation = translate(
            &program,
            &sources,
            &Placement::single("src/lib.rs", "crate", ""),
        );
        (program, sources, translation)
    }

    /// Returns the clauses of the unit `M` that are executed, and those that are not, as source
    /// text.
    fn clauses(source: &str) -> (Vec<String>, Vec<String>) {
        let (program, sources, translation) = translated(source);
        let parts = translation.conjuncts.applied(&program);
        let unit = parts.callables.iter().find(|c| &*c.name == "M").expect("M");
        let spec = unit.spec.requires.iter().chain(&unit.spec.ensures);
        let (failed, executed): (Vec<_>, Vec<_>) =
            spec.partition(|c| translation.clauses.contains_key(&c.cond.span));
        let text = |clauses: Vec<&dafny_resolve::typed::Clause>| {
            let text = |c: &dafny_resolve::typed::Clause| sources.text(c.cond.span).to_owned();
            clauses.into_iter().map(text).collect()
        };
        (text(executed), text(failed))
    }

    /// A datatype with a ghost field, which tests cannot read.
    const G: &str = "datatype G = G(x: int, ghost y: int)\n";

    fn expect(contract: &str, executed: &[&str], failed: &[&str]) {
        let source = format!(
            "{G}ghost predicate Both(a: G, b: G) {{ a.x <= b.x && a.y == b.y }}
             ghost predicate Deep(a: G, b: G) {{ a.x < 9 && Both(a, b) }}
             ghost predicate Alone(a: G) {{ a.y == 1 && a.y == 2 }}
             method M(g: G, n: int) returns (h: G) {contract} {{ h := g; }}"
        );
        let (ran, not) = clauses(&source);
        assert_eq!(
            (ran, not),
            (strings(executed), strings(failed)),
            "{contract}"
        );
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|t| (*t).to_owned()).collect()
    }

    #[test]
    fn the_executable_parts_of_a_clause_are_executed() {
        expect(
            "ensures h.x == g.x && h.y == g.y",
            &["h.x == g.x"],
            &["h.y == g.y"],
        );
        expect(
            "requires n > 0 && g.y > 0 && n < 7",
            &["n > 0", "n < 7"],
            &["g.y > 0"],
        );
        expect(
            "ensures n == 0 ==> h.x == g.x && h.y == g.y",
            &["h.x == g.x"],
            &["h.y == g.y"],
        );
        expect(
            "ensures forall i :: 0 <= i < n ==> h.x > i && h.y > i",
            &["h.x > i"],
            &["h.y > i"],
        );
        expect(
            "ensures var a := n; h.x > a && h.y > a",
            &["h.x > a"],
            &["h.y > a"],
        );
        expect(
            "ensures if n == 0 then h.x == 1 else h.y == 2",
            &["h.x == 1"],
            &["h.y == 2"],
        );
    }

    #[test]
    fn the_bodies_of_predicates_are_taken_apart() {
        expect("ensures Both(g, h)", &["a.x <= b.x"], &["a.y == b.y"]);
        expect(
            "ensures n == 3 && Deep(g, h)",
            &["n == 3", "a.x < 9", "a.x <= b.x"],
            &["a.y == b.y"],
        );
    }

    #[test]
    fn disjunctions_chains_and_matches_are_taken_apart() {
        expect(
            "ensures n == 5 || (h.x == g.x && h.y == g.y)",
            &["h.x == g.x"],
            &["h.y == g.y"],
        );
        expect(
            "ensures (h.x == g.x && h.y == g.y) || n == 5",
            &["h.x == g.x"],
            &["h.y == g.y"],
        );
        expect("ensures 0 <= n < h.y", &["0 <= n"], &["n < h.y"]);
        expect(
            "ensures match h case G(0, y) => y == 1 case G(x, y) => x > 1 && y > x",
            &["x > 1"],
            &["y == 1", "y > x"],
        );
    }

    #[test]
    fn the_bodies_of_two_state_predicates_are_executed() {
        let class = |contract: &str| {
            format!(
                "class C {{
                   var n: int
                   twostate predicate Grew(k: int) reads this {{ old(n) + k == n }}
                   twostate predicate Both(k: int) reads this {{ Grew(k) && forall z: int :: z * old(n) <= z * n }}
                   twostate predicate Of(c: C) reads c {{ old(c.n) == c.n }}
                   method M(c: C, k: int) {contract} modifies this {{ n := n + k; }}
                 }}"
            )
        };
        for (contract, ran, not) in [
            ("ensures Grew(k)", &["Grew(k)"][..], &[][..]),
            (
                "ensures k == 1 || Grew(n - n + k)",
                &["k == 1 || Grew(n - n + k)"],
                &[],
            ),
            (
                "ensures Both(k)",
                &["Grew(k)"],
                &["forall z: int :: z * old(n) <= z * n"],
            ),
            ("ensures this == c || Of(c)", &["this == c || Of(c)"], &[]),
        ] {
            let found = clauses(&class(contract));
            assert_eq!(found, (strings(ran), strings(not)), "{contract}");
        }
    }

    #[test]
    fn arguments_of_two_state_predicates_have_the_values_before_the_call() {
        let (program, _, translation) = translated(
            "class C {
               var n: int
               twostate predicate Is(k: int) reads this { old(k + n) == n }
               method M() modifies this ensures Is(n - n + 1) { n := n + 1; }
             }",
        );
        let unit = program.callables.iter().find(|c| &*c.name == "M").unwrap();
        let clause = &unit.spec.ensures[0];
        assert!(!translation.clauses.contains_key(&clause.cond.span));
        let dafny_resolve::typed::ExprKind::Call(call) = &clause.cond.kind else {
            panic!("{clause:?}")
        };
        // `n - n + 1` is bound outside of `old`.
        let body = program.unfolded(call).expect("the body is known");
        assert!(
            matches!(body.kind, dafny_resolve::typed::ExprKind::Let { .. }),
            "{body:?}"
        );
    }

    #[test]
    fn clauses_of_iterators_are_taken_apart() {
        let (program, sources, translation) = translated(
            "iterator It(k: int) yields (x: int, ghost y: int)
               yield ensures x == k && y == 3
               ensures |xs| == 1 && |ys| == 1
             { x, y := k, 3; yield; }",
        );
        let parts = translation.conjuncts.applied(&program);
        let iterator = parts.types.iter().find_map(|t| {
            let dafny_resolve::typed::TypeDeclKind::Iterator(parts) = &t.kind else {
                return None;
            };
            Some(parts)
        });
        let iterator = iterator.expect("an iterator");
        let executed: Vec<&str> = iterator
            .yield_ensures
            .iter()
            .chain(&iterator.spec.ensures)
            .filter(|c| !translation.clauses.contains_key(&c.cond.span))
            .map(|c| sources.text(c.cond.span))
            .collect();
        assert_eq!(executed, ["x == k", "|xs| == 1"]);
    }

    #[test]
    fn a_clause_is_named_as_a_whole_where_all_or_nothing_of_it_is_executed() {
        expect(
            "ensures h.x == g.x && n == n",
            &["h.x == g.x && n == n"],
            &[],
        );
        expect(
            "ensures h.y == 1 && h.y == g.y",
            &[],
            &["h.y == 1 && h.y == g.y"],
        );
        expect("ensures Alone(g)", &[], &["Alone(g)"]);
    }
}
