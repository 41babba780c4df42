//! Constants of a unit and of what it calls: values that its conditions compare with.

use std::collections::{BTreeSet, VecDeque};

use num_bigint::BigInt;

use crate::ir::{self, Expr, ExprKind, Procedure, StmtKind, Terminator};
use crate::typed::{CallableId, FieldId, Literal, Type};

/// How far constants are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// Functions that are called, at most.
    callables: usize,
    /// Constants of each type, at most.
    constants: usize,
    /// Whether methods that are called, named constants, lambdas and preconditions of callees are looked at too.
    wide: bool,
}

impl Reach {
    /// What the unit itself compares with.
    pub(super) const OWN: Self = Self { callables: 0, constants: 32, wide: false };
    /// What the unit itself and its functions compare with.
    pub(super) const NEAR: Self = Self { callables: 40, constants: 16, wide: false };
    /// Whatever the unit leads to.
    pub(super) const FAR: Self = Self { callables: 400, constants: 96, wide: true };
}

/// The constants, each once.
#[derive(Debug, Default)]
pub(super) struct Constants {
    pub(super) ints: BTreeSet<BigInt>,
    pub(super) chars: BTreeSet<u32>,
    pub(super) strings: BTreeSet<Vec<u32>>,
    /// The reference types that it tells apart.
    pub(super) objects: Vec<Type>,
    reach: Reach,
}

/// Where constants are still looked for.
#[derive(Default)]
struct Work<'p> {
    exprs: Vec<&'p Expr>,
    /// Functions and procedures, the nearest first.
    calls: VecDeque<CallableId>,
    fields: Vec<FieldId>,
    lambdas: Vec<u32>,
}

impl Constants {
    pub(super) fn of(program: &ir::Program, procedure: &Procedure, reach: Reach) -> Self {
        let mut all = Self { ints: BTreeSet::new(), chars: BTreeSet::new(), strings: BTreeSet::new(), objects: Vec::new(), reach };
        all.objects = program.told_objects(procedure.callable);
        let mut work = Work::default();
        work.procedure(procedure);
        if let Some(contract) = program.contracts.get(&procedure.callable) {
            work.exprs.extend(contract.requires.iter().map(|c| &c.cond));
        }
        let mut seen: BTreeSet<CallableId> = BTreeSet::from([procedure.callable]);
        let (mut fields, mut lambdas) = (BTreeSet::new(), BTreeSet::new());
        loop {
            while let Some(e) = work.exprs.pop() {
                match &e.kind {
                    ExprKind::Literal(l) => all.add(l),
                    ExprKind::Call { callee, .. } => work.calls.push_back(*callee),
                    ExprKind::FunctionRef { callee, .. } if reach.wide => work.calls.push_back(*callee),
                    ExprKind::Const { field, .. } if reach.wide => work.fields.push(*field),
                    ExprKind::Lambda { lambda, .. } | ExprKind::Delay { lambda, .. } if reach.wide => work.lambdas.push(*lambda),
                    _ => {}
                }
                work.exprs.extend(e.children());
            }
            if let Some(field) = work.fields.pop() {
                if fields.insert(field) {
                    work.exprs.extend(program.constants.get(&field).map(|f| &f.body));
                }
            } else if let Some(lambda) = work.lambdas.pop() {
                if lambdas.insert(lambda) {
                    work.exprs.extend(program.lambdas.get(lambda as usize).map(|l| &l.body));
                }
            } else {
                let next = if reach.wide { work.calls.pop_front() } else { work.calls.pop_back() };
                let Some(callee) = next else { return all };
                if seen.len() < reach.callables && seen.insert(callee) {
                    match program.functions.get(&callee) {
                        Some(function) => work.exprs.push(&function.body),
                        None if reach.wide => program.procedures.get(&callee).into_iter().for_each(|p| work.procedure(p)),
                        None => {}
                    }
                }
            }
        }
    }

    fn add(&mut self, l: &Literal) {
        match l {
            Literal::Int(n) => {
                if self.ints.len() < self.reach.constants {
                    self.ints.insert(n.clone());
                }
            }
            Literal::Char(c) => {
                if self.chars.len() < self.reach.constants {
                    self.chars.insert(*c);
                }
            }
            Literal::String(s) => {
                if self.strings.len() < self.reach.constants && !s.is_empty() {
                    self.strings.insert(s.clone());
                }
            }
            Literal::Bool(_) | Literal::Real(_) | Literal::Null => {}
        }
    }
}

impl<'p> Work<'p> {
    fn procedure(&mut self, procedure: &'p Procedure) {
        for block in &procedure.blocks {
            if let Terminator::Branch { cond, .. } = &block.terminator {
                self.exprs.push(cond);
            }
            for stmt in &block.stmts {
                self.statement(&stmt.kind);
            }
        }
    }

    fn statement(&mut self, stmt: &'p StmtKind) {
        match stmt {
            StmtKind::Assign { value, .. } | StmtKind::SetField { value, .. } => self.exprs.push(value),
            StmtKind::Call { callee, args, .. } => {
                self.calls.push_back(*callee);
                self.exprs.extend(args);
            }
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::Probe { .. }
            | StmtKind::HavocHeap(_)
            | StmtKind::Answer { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Unsupported { .. } => {}
        }
    }
}
