//! Tests of iterators: a test creates one, and calls `MoveNext` a number of times.

use super::Writer;
use super::test::macro_call;
use crate::rust::{self, Ident, MacroName, Stmts, expr, ident, stmts};
use crate::suite::case::{Case, ClauseUse};
use crate::translation::body::Body;
use crate::translation::code::{Code, number};
use crate::translation::convention::{Scope, Translated};
use dafny_resolve::typed::{Clause, IteratorMembers, IteratorParts, TypeId};

/// The iterator that a test drives.
pub(super) struct Driven<'a> {
    pub(super) owner: TypeId,
    pub(super) parts: &'a IteratorParts,
    pub(super) members: IteratorMembers,
    /// The number of calls, as digits.
    pub(super) calls: String,
    pub(super) case: &'a Case,
    /// Whether it is the first test of the iterator.
    pub(super) is_first: bool,
}

/// The statements of a test that call an iterator.
pub(super) struct Steps {
    make: Stmts,
    /// `more`, then the yielded values.
    outs: Vec<Ident>,
    calls: rust::Expr,
    step: rust::Expr,
    /// The expressions that consume the values at each `yield`.
    takes: Vec<rust::Expr>,
}

impl Steps {
    /// Returns all calls as an expression that discards the results.
    pub(super) fn block(&self) -> rust::Expr {
        let Self {
            make, calls, step, ..
        } = self;
        let make = make.clone();
        expr!({
            #..make
            for _ in 0..#calls {
                if !#step {
                    break;
                }
            }
        })
    }

    /// Returns all calls as statements that store the results in variables; `checks` run at each
    /// `yield`.
    pub(super) fn lines(self, checks: Stmts) -> Stmts {
        let Self {
            make,
            outs,
            calls,
            step,
            takes,
        } = self;
        // The first result says whether the last call has yielded.
        let Some((more, histories)) = outs.split_first() else {
            return Stmts::new();
        };
        let collections: Stmts = histories
            .iter()
            .flat_map(|h| stmts!(let mut #h = Seq::new();))
            .collect();
        let taken: Stmts = histories
            .iter()
            .zip(takes)
            .flat_map(|(h, value)| stmts!(#h = &#h + seq![#value];))
            .collect();
        stmts! {
            #..make
            let mut #more = true;
            #..collections
            for _ in 0..#calls {
                #more = #step;
                if !#more {
                    break;
                }
                #..taken
                #..checks
            }
        }
    }
}

/// The results of writing postconditions.
pub(super) struct Said<'a> {
    /// The case that they are checked in.
    pub(super) case: &'a Case,
    /// Whether each clause is executed.
    pub(super) uses: &'a mut Vec<ClauseUse>,
    /// The documentation of the test.
    pub(super) doc: &'a mut Vec<String>,
}

impl Writer<'_, '_> {
    /// Writes the steps of a test of an iterator. Binds `this` to the iterator, and its histories
    /// to the collected values.
    pub(super) fn steps(
        &self,
        body: &mut Body<'_, '_, '_>,
        driven: &Driven<'_>,
        outs: &[Ident],
        actuals: Vec<rust::Expr>,
    ) -> Translated<Steps> {
        let program = self.ground.program;
        let this = &body.make_up(&crate::translation::names::snake_case(
            self.ground.names.type_name(driven.owner),
        ));
        let make = body.callee(driven.members.constructor, &driven.case.type_args, true)?;
        let next = body.callee(driven.members.move_next, &driven.case.type_args, true)?;
        body.this = Some(Code::variable(this, false));
        // Ghost yield-parameters have no field in Rust.
        let compiled = driven
            .parts
            .yields
            .iter()
            .zip(&driven.parts.histories)
            .filter(|(y, _)| !program[**y].ghost);
        let mut takes = Vec::new();
        for ((field, history), out) in compiled.zip(outs.iter().skip(1)) {
            let n = ident(self.ground.names.field(*field));
            takes.push(expr!(#this.#n.get()));
            // Clauses mention the history `ys`, which the test itself collects.
            body.before_new.insert(*history, Code::variable(out, false));
        }
        // The postcondition of an iterator's constructor (reference manual, 5.11).
        let valid = match body.callee(driven.members.valid, &driven.case.type_args, true) {
            // It depends on no case, so the first test of the iterator checks it.
            Ok(valid) if driven.is_first && self.options.is_translation => {
                let owner = &program[driven.owner];
                let text = format!(
                    "{}: {}.Valid() of a new iterator",
                    self.ground.sources.locate(owner.span),
                    owner.name
                );
                Some(macro_call(
                    MacroName::Expect,
                    [expr!(#valid(&#this))],
                    &text,
                ))
            }
            Ok(_) | Err(_) => None,
        };
        Ok(Steps {
            make: stmts!(let #this = #make(#..actuals); #..valid),
            outs: outs.to_vec(),
            calls: number(&driven.calls),
            step: expr!(#next(&#this)),
            takes,
        })
    }

    /// Checks the printed form of the iterator.
    pub(super) fn printed_iterator(
        &self,
        body: &Body<'_, '_, '_>,
        owner: TypeId,
    ) -> Option<rust::Stmt> {
        let this = body
            .this
            .as_ref()
            .filter(|_| self.options.is_translation)?
            .borrowed();
        let (program, decl) = (self.ground.program, &self.ground.program[owner]);
        let shown = dtest_value::shown_name(program, owner);
        let text = format!(
            "{}: {}, printed",
            self.ground.sources.locate(decl.span),
            decl.name
        );
        Some(macro_call(
            MacroName::ExpectEq,
            [expr!(to_dafny_string(#this)), shown.into()],
            &text,
        ))
    }

    /// Checks `Valid()`: whether the iterator continues (reference manual, 5.11: the postcondition
    /// of `MoveNext` if it returns true).
    pub(super) fn valid_iterator(
        &self,
        body: &mut Body<'_, '_, '_>,
        case: &Case,
        members: IteratorMembers,
        outs: &[Ident],
    ) -> Option<rust::Stmt> {
        let this = body
            .this
            .as_ref()
            .filter(|_| self.options.is_translation)?
            .borrowed();
        let (more, program) = (outs.first()?, self.ground.program);
        let valid = body.callee(members.valid, &case.type_args, true).ok()?;
        let owner = program[members.valid].owner.map(|t| &program[t])?;
        let text = format!(
            "{}: {}.Valid()",
            self.ground.sources.locate(owner.span),
            owner.name
        );
        Some(macro_call(
            MacroName::ExpectEq,
            [expr!(#valid(#this)), more.into()],
            &text,
        ))
    }

    /// Writes the checks of `yield ensures`, which hold at each `yield`.
    pub(super) fn yield_clauses(
        &self,
        body: &mut Body<'_, '_, '_>,
        parts: &IteratorParts,
        scope: &Scope<'_, '_>,
        said: &mut Said<'_>,
    ) -> Stmts {
        let mut checks = Stmts::new();
        for clause in &parts.yield_ensures {
            if let Some(condition) = self.postcondition_condition(body, clause, scope, said) {
                checks.push(macro_call(
                    MacroName::Expect,
                    [condition],
                    &self.place_and_text(clause),
                ));
            }
        }
        checks
    }

    /// Writes the checks of `ensures`, which hold when the iterator has ended.
    pub(super) fn end_clauses(
        &self,
        body: &mut Body<'_, '_, '_>,
        parts: &IteratorParts,
        outs: &[Ident],
        scope: &Scope<'_, '_>,
        said: &mut Said<'_>,
    ) -> Stmts {
        let mut checks = Stmts::new();
        let Some(more) = outs.first() else {
            return checks;
        };
        for clause in &parts.spec.ensures {
            if let Some(condition) = self.postcondition_condition(body, clause, scope, said) {
                checks.push(macro_call(
                    MacroName::Expect,
                    [expr!(#more || #condition)],
                    &self.place_and_text(clause),
                ));
            }
        }
        checks
    }

    /// Writes a clause as a condition; one that cannot be executed is recorded.
    pub(super) fn postcondition_condition(
        &self,
        body: &mut Body<'_, '_, '_>,
        clause: &Clause,
        scope: &Scope<'_, '_>,
        said: &mut Said<'_>,
    ) -> Option<rust::Expr> {
        let condition = self.clause(body, said.case, clause, scope);
        said.uses.push(ClauseUse {
            span: clause.cond.span,
            not_executed: condition.as_ref().err().map(|u| u.reason.to_string()),
            is_frame: false,
        });
        condition
            .map_err(|u| {
                said.doc.push(format!(
                    "Postcondition not executed: {} ({}).",
                    self.place_and_text(clause),
                    u.reason
                ))
            })
            .ok()
    }
}
