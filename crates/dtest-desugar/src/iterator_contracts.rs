//! A pass that turns the contracts of iterators into code, like those of methods
//! ([`crate::contracts`]).
//!
//! Preconditions, frames and measure are about the parameters. All other clauses are about the
//! fields of an iterator in any state (reference manual, "Iterator types"). There, the fields are
//! variables with arbitrary values. Known is what preconditions and `yield requires` say about the
//! parameters alone, and, for `yield ensures`, that the yielded values are the last ones of the
//! histories. Where Dafny knows more, because a clause about the state still holds, nothing is
//! evaluated. These rules were found by experiment with Dafny 4.11.

use std::collections::{BTreeMap, BTreeSet};

use crate::Desugaring;
use crate::contracts::{CONTRACT, granted, may_be_undefined};
use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    Arena, Attribute, AttributeArg, BinaryOp, Clause, Expr, ExprKind, FieldId, FieldKind, Formal,
    IteratorParts, Literal, LocalId, Program, Spec, Stmt, Type, TypeDeclKind, TypeId,
};

impl Desugaring {
    /// Adds methods that evaluate the clauses of each iterator.
    #[must_use]
    pub(crate) fn with_contracts_of_iterators(mut self) -> Self {
        for id in Arena::<TypeId>::ids(&self.program) {
            if let TypeDeclKind::Iterator(parts) = &self[id].kind {
                let parts = parts.clone();
                self.iterator_as_code(id, &parts);
            }
        }
        self
    }

    fn iterator_as_code(&mut self, id: TypeId, parts: &IteratorParts) {
        let Some(members) = parts.members else {
            return;
        };
        let params: Vec<LocalId> = self[members.constructor]
            .ins
            .iter()
            .map(|f| f.local)
            .collect();
        let before = self.evaluated_preconditions(&parts.spec);
        let ins = params.iter().copied().map(Formal::new).collect();
        self.add_clauses(id, "contract", ins, Vec::new(), before);

        // In all other clauses, parameters and yielded values are variables.
        let mut fields: BTreeMap<FieldId, LocalId> =
            parts.ins.iter().copied().zip(params).collect();
        let others = parts.yields.iter().chain(&parts.histories).copied();
        let others: Vec<FieldId> = others.collect();
        for field in others {
            let (name, ty, span) = (
                self[field].name.clone(),
                self[field].ty.clone(),
                self[field].span,
            );
            let local = self.new_local(name, ty, span);
            fields.insert(field, local);
        }
        let (requires, kept) = self.about_parameters(&parts.spec.requires);
        let (resumed, kept_when_resumed) = self.about_parameters(&parts.yield_requires);
        // While the iterator waits, only what its `reads` clause names keeps its state.
        if kept || parts.spec.reads.is_empty() {
            let clauses = &parts.yield_requires;
            self.add_state(id, "yield requires", (&fields, requires.clone()), clauses);
        }
        // The body may change everything else. What callers ensure about yielded values holds for
        // those before.
        if kept_when_resumed {
            let known: Vec<Clause> = requires.into_iter().chain(resumed).collect();
            let yields = parts.yields.iter().zip(&parts.histories);
            let last = yields.map(|(y, ys)| self.is_last(fields[y], fields[ys]));
            let yielded = known.iter().cloned().chain(last).collect();
            self.add_state(
                id,
                "yield ensures",
                (&fields, yielded),
                &parts.yield_ensures,
            );
            self.add_state(id, "ensures", (&fields, known), &parts.spec.ensures);
        }
    }

    /// Returns the clauses that hold in every state if they hold in one, and whether these are all.
    fn about_parameters(&self, clauses: &[Clause]) -> (Vec<Clause>, bool) {
        let lasting = clauses
            .iter()
            .filter(|c| !reads_state(&self.program, &c.cond));
        let lasting: Vec<Clause> = lasting.cloned().collect();
        let are_all = lasting.len() == clauses.len();
        (lasting, are_all)
    }

    /// Adds a method that evaluates clauses where the fields have any values that satisfy the known
    /// ones.
    fn add_state(
        &mut self,
        id: TypeId,
        part: &str,
        (fields, known): (&BTreeMap<FieldId, LocalId>, Vec<Clause>),
        clauses: &[Clause],
    ) {
        let stmts = self.evaluated_clauses(clauses, fields);
        // A field that no clause mentions needs no value.
        let used = used(&known, &stmts);
        let ins = fields.values().copied().filter(|l| used.contains(l));
        self.add_clauses(id, part, ins.map(Formal::new).collect(), known, stmts);
    }

    /// The statements that evaluate the clauses before the first one that is about more than the
    /// fields in one state: later ones may rest on it.
    fn evaluated_clauses(
        &self,
        clauses: &[Clause],
        fields: &BTreeMap<FieldId, LocalId>,
    ) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for clause in clauses {
            let mut cond = clause.cond.clone();
            let mut variables = Variables {
                program: &self.program,
                fields,
                has_other: false,
            };
            variables.expr(&mut cond);
            if variables.has_other {
                break;
            }
            stmts.push(granted(cond, clause.span));
        }
        stmts
    }

    /// Adds a method that executes `stmts` where `known` holds, if a clause may be undefined.
    fn add_clauses(
        &mut self,
        id: TypeId,
        part: &str,
        ins: Vec<Formal>,
        known: Vec<Clause>,
        stmts: Vec<Stmt>,
    ) {
        if !stmts.iter().any(|s| self.may_be_undefined_in(s)) {
            return;
        }
        let decl = &self[id];
        let (module, span, type_params) = (decl.module, decl.span, decl.type_params.clone());
        let name = format!("{}.{part}", decl.name).into();
        self.add_code(name, module, type_params, span, ins, stmts);
        if let Some(added) = self.callables.last_mut() {
            added.spec = Spec {
                requires: known,
                ..Spec::default()
            };
            added.attributes.push(Attribute {
                name: CONTRACT.into(),
                args: vec![AttributeArg::Bool(false)],
                span,
            });
        }
    }

    fn may_be_undefined_in(&self, s: &Stmt) -> bool {
        struct Undefined<'p>(&'p Program, bool);
        impl<'t> Visit<'t> for Undefined<'_> {
            fn expr(&mut self, e: &'t Expr) {
                self.1 |= may_be_undefined(self.0, e);
            }
        }
        let mut undefined = Undefined(&self.program, false);
        visit::walk_stmt(&mut undefined, s);
        undefined.1
    }

    /// Builds `0 < |ys| && ys[|ys| - 1] == y`.
    fn is_last(&self, y: LocalId, ys: LocalId) -> Clause {
        let span = self[y].span;
        let local = |l: LocalId| Expr {
            kind: ExprKind::Local(l),
            ty: self[l].ty.clone(),
            span,
        };
        let int = |n: i32| Expr {
            kind: ExprKind::Literal(Literal::Int(n.into())),
            ty: Type::Int,
            span,
        };
        let binary = |op: BinaryOp, a: Expr, b: Expr, ty: Type| Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            ty,
            span,
        };
        let length = || Expr {
            kind: ExprKind::Cardinality(Box::new(local(ys))),
            ty: Type::Int,
            span,
        };
        let is_some = binary(BinaryOp::Lt, int(0), length(), Type::Bool);
        let last = Expr {
            kind: ExprKind::Index {
                object: Box::new(local(ys)),
                indices: vec![binary(BinaryOp::Sub, length(), int(1), Type::Int)],
            },
            ty: self[y].ty.clone(),
            span,
        };
        let equal = binary(BinaryOp::Eq, last, local(y), Type::Bool);
        Clause {
            cond: binary(BinaryOp::And, is_some, equal, Type::Bool),
            label: None,
            span,
        }
    }
}

/// Replaces the fields of an iterator by variables.
struct Variables<'p> {
    program: &'p Program,
    fields: &'p BTreeMap<FieldId, LocalId>,
    /// Whether the expression mentions the iterator itself or an earlier state.
    has_other: bool,
}

impl Rewrite for Variables<'_> {
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Field {
            object: Some(object),
            field,
            ..
        } = &e.kind
            && matches!(object.kind, ExprKind::This)
            && let Some(local) = self.fields.get(field)
        {
            e.kind = ExprKind::Local(*local);
            e.ty = self.program[*local].ty.clone();
            return;
        }
        self.has_other |= matches!(
            e.kind,
            ExprKind::This
                | ExprKind::Old { .. }
                | ExprKind::Fresh { .. }
                | ExprKind::Unchanged { .. }
                | ExprKind::Allocated(_)
        );
        rewrite::walk_expr(self, e);
    }
}

/// Returns the variables that clauses and statements mention.
fn used(clauses: &[Clause], stmts: &[Stmt]) -> BTreeSet<LocalId> {
    struct Used(BTreeSet<LocalId>);
    impl<'t> Visit<'t> for Used {
        fn expr(&mut self, e: &'t Expr) {
            if let ExprKind::Local(local) = &e.kind {
                self.0.insert(*local);
            }
            visit::walk_expr(self, e);
        }
    }
    let mut used = Used(BTreeSet::new());
    visit::walk_clauses(&mut used, clauses);
    stmts.iter().for_each(|s| used.stmt(s));
    used.0
}

/// Whether the value of an expression depends on the state, which other code may have changed since
/// the iterator was created.
fn reads_state(program: &Program, e: &Expr) -> bool {
    struct Reads<'p>(&'p Program, bool);
    impl<'t> Visit<'t> for Reads<'_> {
        fn expr(&mut self, e: &'t Expr) {
            self.1 |= if let ExprKind::Field { field, .. } = &e.kind {
                matches!(self.0[*field].kind, FieldKind::Mutable)
            } else if let ExprKind::Index { object, .. } | ExprKind::Slice { object, .. } = &e.kind
            {
                matches!(self.0.strip_subset(&object.ty), Type::Array { .. })
            } else if let ExprKind::Call(call) = &e.kind {
                !self.0[call.callee].spec.reads.is_empty()
            } else {
                matches!(
                    e.kind,
                    ExprKind::Apply { .. }
                        | ExprKind::Allocated(_)
                        | ExprKind::Old { .. }
                        | ExprKind::Fresh { .. }
                        | ExprKind::Unchanged { .. }
                )
            };
            if !self.1 {
                visit::walk_expr(self, e);
            }
        }
    }
    let mut reads = Reads(program, false);
    reads.expr(e);
    reads.1
}
