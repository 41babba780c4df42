//! Exhaustive inputs: a unit with few possible inputs is executed on all of them, so that a mutant
//! that behaves like the unit on each is equivalent.
//!
//! [`all_inputs`] lists a superset by types and bounds in the precondition, and then filters it by
//! the precondition.

use num_bigint::BigInt;

use dafny_resolve::typed::{CtorId, Literal, Program, Type, TypeDeclKind};
use dtest_interp::{Inputs, Interp, Truth};
use dtest_ir::{Contract, Expr, ExprKind, Num, Op, Procedure, Var};
use dtest_value::{Heap, Value};

/// Maximum number of inputs.
const MAX_INPUTS: usize = 1_024;
/// Maximum nesting of datatypes.
const MAX_DEPTH: u32 = 4;

/// All inputs that the types and preconditions of a unit allow. `None` if there are too many, or if
/// the truth of a condition is unknown.
pub(super) fn all_inputs(interp: &Interp<'_>, procedure: &Procedure) -> Option<Vec<Inputs>> {
    // Type parameters have infinitely many instances.
    if !procedure.type_params.is_empty() {
        return None;
    }
    let program = &interp.program().typed;
    let contract = interp.program().contracts.get(&procedure.callable)?;
    let types = procedure
        .params
        .iter()
        .map(|p| procedure.vars.get(p.0 as usize).map(|v| &v.ty));
    let column = |(ty, param): (Option<&Type>, &Var)| {
        // Integers are bounded by the precondition only.
        if matches!(program.strip_subset(ty?), Type::Int) {
            between(
                contract,
                *param,
                matches!(ty?, Type::Named { decl, .. } if Some(*decl) == program.nat),
            )
        } else {
            all_values(program, ty?, MAX_DEPTH)
        }
    };
    let columns = types
        .zip(&contract.params)
        .map(column)
        .collect::<Option<Vec<_>>>()?;
    let mut allowed = Vec::new();
    // A precondition that depends on a stub or is unknown leaves the set of inputs unknown.
    for args in rows(&columns)? {
        let inputs = Inputs {
            type_args: Vec::new(),
            args,
            heap: Heap::default(),
            answers: Vec::new(),
        };
        let check = interp.check_inputs(procedure.callable, &inputs);
        if check.requires.iter().any(|c| !c.answers.is_empty()) {
            return None;
        }
        match check.verdict() {
            Truth::True => allowed.push(inputs),
            Truth::False => {}
            Truth::Unknown(_) => return None,
        }
    }
    Some(allowed)
}

/// The integers that a precondition allows for a parameter, possibly with some others. `None` if
/// there are too many. Only conjuncts that compare the parameter with a literal are used.
fn between(contract: &Contract, param: Var, is_natural: bool) -> Option<Vec<Value>> {
    // Starts with the bounds of the type, and narrows them by each conjunct.
    let (mut low, mut end) = (is_natural.then(BigInt::default), None::<BigInt>);
    let mut work: Vec<&Expr> = contract.requires.iter().map(|c| &c.cond).collect();
    while let Some(e) = work.pop() {
        let (op, sides) = if let ExprKind::And(a, b) = &e.kind {
            work.extend([&**a, &**b]);
            continue;
        } else if let ExprKind::Op(op @ (Op::Lt(Num::Int) | Op::Le(Num::Int)), sides) = &e.kind {
            (op, sides.as_slice())
        } else {
            continue;
        };
        // Strict comparisons exclude their literal.
        let beyond = BigInt::from(u8::from(matches!(op, Op::Lt(_))));
        match sides {
            [
                Expr {
                    kind: ExprKind::Literal(Literal::Int(n)),
                    ..
                },
                Expr {
                    kind: ExprKind::Var(v),
                    ..
                },
            ] if *v == param => {
                let from: BigInt = n + beyond;
                low = Some(low.map_or_else(|| from.clone(), |low| low.max(from.clone())));
            }
            [
                Expr {
                    kind: ExprKind::Var(v),
                    ..
                },
                Expr {
                    kind: ExprKind::Literal(Literal::Int(n)),
                    ..
                },
            ] if *v == param => {
                let to: BigInt = n + 1 - beyond;
                end = Some(end.map_or_else(|| to.clone(), |end| end.min(to.clone())));
            }
            _other => {}
        }
    }
    // Both ends are necessary for a finite range.
    let (low, end) = (low?, end?);
    let count = usize::try_from(&end - &low).unwrap_or(0);
    (count <= MAX_INPUTS && end - &low <= BigInt::from(MAX_INPUTS))
        .then(|| (0..count).map(|n| Value::Int(&low + n)).collect())
}

/// All values of a type, possibly with some that its constraints exclude. `None` if there are too
/// many.
fn all_values(program: &Program, ty: &Type, depth: u32) -> Option<Vec<Value>> {
    match program.strip_subset(ty) {
        Type::Bool => Some([false, true].map(Value::Bool).to_vec()),
        Type::Bv(width) if 1 << width.min(20) <= MAX_INPUTS => Some(
            (0..1u32 << width)
                .map(|n| Value::Bv {
                    width,
                    bits: n.into(),
                })
                .collect(),
        ),
        Type::Tuple(parts) => {
            let columns = parts
                .iter()
                .map(|(_, ty)| all_values(program, ty, depth))
                .collect::<Option<Vec<_>>>()?;
            Some(rows(&columns)?.into_iter().map(Value::tuple).collect())
        }
        Type::Named { decl, args, .. } => match &program[decl].kind {
            // Recursion through datatypes is cut at the maximum depth.
            TypeDeclKind::Datatype { co: false, ctors } if depth > 0 => {
                let subst = program.substitution(decl, &args);
                let values_of = |&ctor: &CtorId| {
                    let fields = program[ctor]
                        .fields
                        .iter()
                        .map(|f| all_values(program, &program[*f].ty.subst(&subst), depth - 1));
                    let columns = fields.collect::<Option<Vec<_>>>()?;
                    Some(
                        rows(&columns)?
                            .into_iter()
                            .map(move |args| Value::datatype(ctor, args)),
                    )
                };
                let all = ctors.iter().map(values_of).collect::<Option<Vec<_>>>()?;
                Some(all.into_iter().flatten().collect::<Vec<_>>())
                    .filter(|all| all.len() <= MAX_INPUTS)
            }
            TypeDeclKind::Newtype(c) => match &c.range {
                Some((low, high)) => {
                    let count = usize::try_from(high - low)
                        .ok()
                        .filter(|n| *n <= MAX_INPUTS)?;
                    Some((0..count).map(|n| Value::Int(low + n)).collect())
                }
                None => all_values(
                    program,
                    &c.base.subst(&program.substitution(decl, &args)),
                    depth,
                ),
            },
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => None,
        },
        Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. }
        | Type::Multiset(_)
        | Type::Map { .. }
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => None,
    }
}

/// The Cartesian product of the columns, or `None` if it is too large.
fn rows(columns: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
    let mut rows = vec![Vec::new()];
    for column in columns {
        rows = rows
            .iter()
            .flat_map(|row: &Vec<Value>| {
                column
                    .iter()
                    .map(move |v| row.iter().chain([v]).cloned().collect())
            })
            .collect();
        // The limit is checked after each column, so that the product never becomes much larger.
        if rows.len() > MAX_INPUTS {
            return None;
        }
    }
    Some(rows)
}
