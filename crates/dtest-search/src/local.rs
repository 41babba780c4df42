//! Local equivalence of mutants: mutants that make no difference at the changed place, or soon
//! after, whatever the state.
//!
//! The solver is asked only about the mutants' conditions. Every variable is a parameter, and
//! everything that is read or called is a variable, too; two reads have equal values if they read
//! the same place (Ackermann's reduction: *Solvable Cases of the Decision Problem*, 1954). Nothing
//! is assumed about how a state is reached, so that the results hold for loops of any length.
//! [`ask`] is the entry point, `alone` builds the procedure, and `Values` replaces reads.

use std::sync::Arc;

use super::infect::Within;
use super::{Search, smt};
use dafny_resolve::typed::{CallableId, CallableKind, Type};
use dafny_source::Span;
use dtest_ir::{
    self as ir, Block, BlockId, Criteria, Criterion, Expr, ExprKind, Goal, GoalId, GoalReason, Op,
    Procedure, Stmt, StmtKind, Terminator, Var, VarInfo, build,
};
use dtest_mutants::{Mutant, Mutation, is_same, is_transparent};
use dtest_sorted::SortedSet;

use super::api::Equivalence;

/// Maximum number of mutants per search.
const MAX_PROBES: usize = 48;

/// Maximum number of pairs of reads for which equality is stated.
const MAX_PAIRS: usize = 24;

/// Divisor of the resource limit of a query, relative to the search for the unit's goals.
const RLIMIT_DIVISOR: u32 = 16;

/// Returns the mutants that are proved equivalent.
pub(super) fn ask(
    program: &ir::Program,
    unit: CallableId,
    type_args: &[Type],
    mutants: &[&Mutant],
    within: Within<'_>,
) -> Vec<(Mutation, Equivalence)> {
    // A condition without further knowledge is decisive only if the mutant is defined wherever the
    // unit is.
    let at_once = |m: &Mutant| {
        m.is_defined_alike(program)
            .then(|| m.difference_in_known_states(program))
            .flatten()
    };
    let conditions = mutants.iter().filter(|m| m.callable == unit);
    let conditions = conditions.filter_map(|m| {
        Some((
            *m,
            // The most precise analysis that applies: a redundant loop, a bisimulation, or the
            // condition at the place.
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
    let options = within.options(RLIMIT_DIVISOR);
    let type_args = type_args.to_vec();
    // Only a proof is of interest, not a model: every state is possible here, and most are not
    // reachable.
    smt::try_with_fresh_context(|| {
        let mut search = Search::new(&asked, procedure, type_args, &options);
        search.stage = Some(Criterion::Mutant);
        // One proof attempt per probe. The bounds do not matter, because there are no loops.
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
    .unwrap_or_default()
}

/// A program with a procedure instead of the unit that has a probe for each condition. `None` if
/// there is no condition to ask about.
fn alone(
    program: &ir::Program,
    unit: CallableId,
    conditions: &[(&Mutant, Expr)],
) -> Option<ir::Program> {
    // A constructor's object has no fields at first, which the parameters cannot express.
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
    // Reads become variables first: the parameters are collected from the results.
    let conditions: Vec<Expr> = conditions
        .iter()
        .map(|(_, cond)| values.condition(cond))
        .collect();
    let vars = values.vars;
    // Only variables that the conditions mention become parameters.
    let mut params = SortedSet::from([selector]);
    conditions
        .iter()
        .for_each(|cond| variables(cond, &mut params));
    let infos: Option<Vec<VarInfo>> = params
        .iter()
        .map(|v| vars.get(v.0 as usize).cloned())
        .collect();
    let infos = infos?;
    // The original contract would restrict the states.
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
    let blocks = probing(&conditions, selector, span);
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

/// Blocks that probe the condition whose number the selector has.
fn probing(conditions: &[Expr], selector: Var, span: Span) -> Vec<Block> {
    let count = conditions.len() as u32;
    let chosen = |number: u32| {
        let (selector, number) = (
            build::var(selector, Type::Int, span),
            build::int(number, Type::Int, span),
        );
        build::op(Op::Eq, vec![selector, number], Type::Bool, span)
    };
    // Block `n` tests whether mutant `n` is selected. Its probe is in block `count + n`, and the
    // last block returns.
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
    // The last block is the common exit.
    blocks.push(build::block(
        Vec::new(),
        Terminator::Return,
        Span::default(),
    ));
    blocks
}

/// Variables for expressions that read or call.
struct Values<'p> {
    program: &'p ir::Program,
    vars: Vec<VarInfo>,
    known: Vec<(Expr, Var)>,
}

impl Values<'_> {
    /// The condition with variables instead of reads. Reads of the same place are stated to be
    /// equal.
    fn condition(&mut self, cond: &Expr) -> Expr {
        let plain = self.instead_of_reads(cond);
        let mut used = SortedSet::new();
        variables(&plain, &mut used);
        // Only the reads in this condition need to be related.
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
        // The limit drops facts, which weakens the assumptions and keeps the proof sound.
        alike
            .into_iter()
            .rev()
            .fold(plain, |all, fact| build::and(fact, all))
    }

    /// The condition that two reads read the same place; `None` if they never do, or if the
    /// condition is too hard.
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
        // Operands that are the same contribute nothing to the condition.
        let unequal: Vec<(&Expr, &Expr)> =
            parts.into_iter().filter(|(x, y)| !is_same(x, y)).collect();
        // Equality of collections or functions is too hard for a side condition.
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

    /// The expression with variables instead of what it reads and calls, except where that depends
    /// on bound variables.
    fn instead_of_reads(&mut self, e: &Expr) -> Expr {
        let mut out = e.clone();
        self.replace_reads(&mut out);
        out
    }

    /// The same in place. Copying at each level would have quadratic cost in the size of the
    /// expression.
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
        // An expression that is not the same as itself has effects or makes choices, so that one
        // variable cannot replace it.
        if is_read && is_same(e, e) {
            e.kind = ExprKind::Var(self.value_of(e));
            return;
        }
        // The operation stays, and only the reads within it are replaced.
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

/// Collects the variables in an expression. Bound variables are included; as parameters they are
/// harmless.
fn variables(e: &Expr, found: &mut SortedSet<Var>) {
    if let ExprKind::Var(v) = &e.kind {
        found.insert(*v);
    }
    e.children().into_iter().for_each(|c| variables(c, found));
}
