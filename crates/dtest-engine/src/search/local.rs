//! Mutants that make no difference where they are made, or soon after, whatever the state: the solver is asked about their conditions
//! alone, with every variable as a parameter, and so everything that is read or called: it has some value, the same wherever the same is
//! read (Ackermann's reduction: *Solvable Cases of the Decision Problem*, 1954). That says nothing of how a state is come to, so that it
//! holds for loops of any length.

use std::sync::Arc;

use super::infect::Within;
use super::{Search, smt};
use crate::ir::{
    self, Block, BlockId, Criteria, Criterion, Expr, ExprKind, Goal, GoalId, GoalReason, Op,
    Procedure, Stmt, StmtKind, Terminator, Var, VarInfo, build,
};
use crate::mutants::{Mutant, Mutation, is_same, is_transparent};
use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dafny_syntax::source::Span;
use dtest_sorted::SortedSet;

use super::api::Equivalence;

/// Mutants that the solver is asked about, at most.
const MAX_PROBES: usize = 48;

/// Pairs of reads of which it is said that they give the same where they read the same, at most.
const MAX_PAIRS: usize = 24;

/// The limit of a query is one of so many parts of what it is for the unit's goals.
const PARTS: u32 = 16;

/// Those of the mutants that are proved to make no difference.
pub(super) fn ask(
    program: &ir::Program,
    unit: CallableId,
    type_args: &[Type],
    mutants: &[&Mutant],
    within: Within<'_>,
) -> Vec<(Mutation, Equivalence)> {
    let at_once = |m: &Mutant| {
        m.is_defined_alike(program)
            .then(|| m.difference_in_known_states(program))
            .flatten()
    };
    let conditions = mutants.iter().filter(|m| m.callable == unit);
    let conditions = conditions.filter_map(|m| {
        Some((
            *m,
            m.goes_wrong(program)
                .or_else(|| m.parts(program))
                .or_else(|| at_once(m))?,
        ))
    });
    let conditions = conditions.take(MAX_PROBES).collect::<Vec<_>>();
    let Some(asked) = alone(program, unit, &conditions) else {
        return Vec::new();
    };
    let Some(procedure) = asked.procedures.get(&unit) else {
        return Vec::new();
    };
    let options = within.options(PARTS);
    let type_args = type_args.to_vec();
    smt::with_fresh_context(|| {
        let mut search = Search::new(&asked, procedure, type_args, &options);
        search.stage = Some(Criterion::Mutant);
        search.prove(options.start, &SortedSet::new());
        let is_proved = |probe| search.never(GoalId::Probe(probe)) == Some(Equivalence::Proved);
        let proved = conditions
            .iter()
            .zip(0..)
            .filter(|(_, probe)| is_proved(*probe));
        proved
            .map(|((m, _), _)| (m.mutation.clone(), Equivalence::Proved))
            .collect()
    })
}

/// The program with a procedure instead of the unit that has a probe for each condition; `None`: there is none to be asked.
fn alone(
    program: &ir::Program,
    unit: CallableId,
    conditions: &[(&Mutant, Expr)],
) -> Option<ir::Program> {
    // What a constructor makes has no fields at first, which is not what holds further on.
    if conditions.is_empty() || program.typed[unit].kind == CallableKind::Constructor {
        return None;
    }
    let original = program.procedures.get(&unit)?;
    let declared = program.contracts.get(&unit)?;
    let span = program.typed[unit].span;
    let selector = Var(original.vars.len() as u32);
    let number = VarInfo {
        name: "$mutant".into(),
        ty: Type::Int,
        ghost: false,
        definite: false,
        inferred: false,
        span,
    };
    let mut values = Values {
        program,
        vars: original.vars.iter().cloned().chain([number]).collect(),
        known: Vec::new(),
    };
    let conditions: Vec<Expr> = conditions
        .iter()
        .map(|(_, cond)| values.condition(cond))
        .collect();
    let vars = values.vars;
    let mut params = SortedSet::from([selector]);
    conditions
        .iter()
        .for_each(|cond| variables(cond, &mut params));
    let infos: Option<Vec<VarInfo>> = params
        .iter()
        .map(|v| vars.get(v.0 as usize).cloned())
        .collect();
    let infos = infos?;
    let contract = ir::Contract {
        params: (0..infos.len() as u32).map(Var).collect(),
        vars: infos,
        outs: Vec::new(),
        requires: Vec::new(),
        ensures: Vec::new(),
        modifies: Vec::new(),
        reads: Vec::new(),
        measure: Vec::new(),
        ways: Vec::new(),
        ..ir::Contract::clone(declared)
    };
    let count = conditions.len() as u32;
    let chosen = |number: u32| {
        let (selector, number) = (
            build::var(selector, Type::Int, span),
            build::int(number, Type::Int, span),
        );
        build::op(Op::Eq, vec![selector, number], Type::Bool, span)
    };
    // Block `n` asks whether it is mutant `n`; so many blocks further on is its probe.
    let mut blocks: Vec<Block> = Vec::new();
    for n in 0..count {
        let next = if n + 1 < count {
            BlockId(n + 1)
        } else {
            BlockId(2 * count)
        };
        blocks.push(build::block(
            Vec::new(),
            Terminator::Branch {
                cond: chosen(n),
                then: BlockId(count + n),
                els: next,
            },
            Span::default(),
        ));
    }
    for (cond, probe) in conditions.iter().zip(0..) {
        let stmt = Stmt {
            kind: StmtKind::Probe {
                probe,
                cond: cond.clone(),
            },
            span: cond.span,
        };
        blocks.push(build::block(
            vec![stmt],
            Terminator::Return,
            Span::default(),
        ));
    }
    blocks.push(build::block(
        Vec::new(),
        Terminator::Return,
        Span::default(),
    ));
    let goal = Goal {
        reason: GoalReason::Differs,
        span: Span::default(),
    };
    let probes = vec![goal; conditions.len()];
    let procedure = Procedure {
        vars,
        params: params.into_iter().collect(),
        outs: Vec::new(),
        blocks,
        probes,
        ..Procedure::clone(original)
    };
    let mut asked = program.clone();
    asked.criteria = Criteria::mutants();
    asked.contracts.insert(unit, Arc::new(contract));
    asked.procedures.insert(unit, Arc::new(procedure));
    Some(asked)
}

/// Variables for what expressions read and call.
struct Values<'p> {
    program: &'p ir::Program,
    vars: Vec<VarInfo>,
    known: Vec<(Expr, Var)>,
}

impl Values<'_> {
    /// The condition with variables for what it reads, where what is read at the same place is the same.
    fn condition(&mut self, cond: &Expr) -> Expr {
        let plain = self.instead_of_reads(cond);
        let mut used = SortedSet::new();
        variables(&plain, &mut used);
        let reads: Vec<(Expr, Var)> = self
            .known
            .iter()
            .filter(|(_, v)| used.contains(v))
            .cloned()
            .collect();
        let pairs = reads
            .iter()
            .enumerate()
            .flat_map(|(i, a)| reads.iter().skip(i + 1).map(move |b| (a, b)));
        let alike: Vec<Expr> = pairs
            .filter_map(|((a, v), (b, w))| Some((self.same_place(a, b)?, v, w, a)))
            .map(|(same, v, w, read)| {
                let value = |v: &Var| build::var(*v, read.ty.clone(), read.span);
                build::or(
                    build::not(same),
                    build::op(Op::Eq, vec![value(v), value(w)], Type::Bool, read.span),
                )
            })
            .take(MAX_PAIRS)
            .collect();
        alike
            .into_iter()
            .rev()
            .fold(plain, |all, fact| build::and(fact, all))
    }

    /// That two reads read the same place; `None`: they never do, or that cannot be said.
    fn same_place(&mut self, a: &Expr, b: &Expr) -> Option<Expr> {
        let parts: Vec<(&Expr, &Expr)> = match (&a.kind, &b.kind) {
            (ExprKind::ReadField(x, field), ExprKind::ReadField(y, other)) if field == other => {
                vec![(x, y)]
            }
            (ExprKind::ReadElement(x, xs), ExprKind::ReadElement(y, ys))
                if xs.len() == ys.len() =>
            {
                [(&**x, &**y)]
                    .into_iter()
                    .chain(xs.iter().zip(ys))
                    .collect()
            }
            (ExprKind::Op(op @ Op::Select(_), xs), ExprKind::Op(other, ys)) if op == other => {
                xs.iter().zip(ys).collect()
            }
            (
                ExprKind::Call {
                    callee,
                    args: xs,
                    type_args,
                    label: None,
                },
                ExprKind::Call {
                    callee: other,
                    args: ys,
                    type_args: others,
                    label: None,
                },
            ) if callee == other && type_args == others && xs.len() == ys.len() => {
                xs.iter().zip(ys).collect()
            }
            (_, _) => return None,
        };
        let unequal: Vec<(&Expr, &Expr)> =
            parts.into_iter().filter(|(x, y)| !is_same(x, y)).collect();
        // That two collections are equal is more than a solver is asked in passing.
        let is_hard =
            |ty: &Type| matches!(ty, Type::Arrow { .. } | Type::Seq(_) | Type::Map { .. });
        if a.ty != b.ty || unequal.iter().any(|(x, y)| x.ty != y.ty || is_hard(&x.ty)) {
            return None;
        }
        let equal = unequal.into_iter().map(|(x, y)| {
            let sides = vec![self.instead_of_reads(x), self.instead_of_reads(y)];
            build::op(Op::Eq, sides, Type::Bool, a.span)
        });
        equal.collect::<Vec<_>>().into_iter().reduce(build::and)
    }

    /// The expression with variables in the place of what it reads and calls, but for what depends on variables that it binds.
    fn instead_of_reads(&mut self, e: &Expr) -> Expr {
        let mut out = e.clone();
        self.replace_reads(&mut out);
        out
    }

    /// The same in place: a copy at each level would take the square of the expression's size.
    fn replace_reads(&mut self, e: &mut Expr) {
        let is_read = match &e.kind {
            ExprKind::Call {
                callee,
                args,
                label: None,
                ..
            } if is_transparent(self.program, *callee, args) => false,
            ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::Call { .. }
            | ExprKind::Op(Op::Select(_), _) => true,
            ExprKind::Op(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..) => false,
            ExprKind::Literal(_)
            | ExprKind::Var(_)
            | ExprKind::Let(..)
            | ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Const { .. }
            | ExprKind::Apply(..)
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::FunctionRef { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Checked(..)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => return,
        };
        if is_read && is_same(e, e) {
            e.kind = ExprKind::Var(self.value_of(e));
            return;
        }
        for child in e.children_mut() {
            self.replace_reads(child);
        }
    }

    fn value_of(&mut self, e: &Expr) -> Var {
        if let Some((_, var)) = self.known.iter().find(|(known, _)| is_same(known, e)) {
            return *var;
        }
        let var = Var(self.vars.len() as u32);
        self.vars.push(VarInfo {
            name: "$value".into(),
            ty: e.ty.clone(),
            ghost: false,
            definite: false,
            inferred: false,
            span: e.span,
        });
        self.known.push((e.clone(), var));
        var
    }
}

/// The variables in an expression, also those that it binds: for these it makes no difference.
fn variables(e: &Expr, found: &mut SortedSet<Var>) {
    if let ExprKind::Var(v) = &e.kind {
        found.insert(*v);
    }
    e.children().into_iter().for_each(|c| variables(c, found));
}
