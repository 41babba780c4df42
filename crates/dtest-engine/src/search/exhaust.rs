//! Units of so few inputs that all of them are executed: what a mutant does there is then known of every execution.

use crate::interp::{Inputs, Interp, Truth};
use crate::ir::Procedure;
use crate::value::{Heap, Value};
use dafny_resolve::typed::{CtorId, Program, Type, TypeDeclKind};

/// Inputs that are executed, at most.
const MAX_INPUTS: usize = 64;
/// Nesting of datatypes that is looked into.
const MAX_DEPTH: u32 = 4;

/// All inputs that types and preconditions of a unit allow; `None`: there are more, or it is not known which they are.
pub(super) fn all_inputs(interp: &Interp<'_>, procedure: &Procedure) -> Option<Vec<Inputs>> {
    if !procedure.type_params.is_empty() {
        return None;
    }
    let program = &interp.program().typed;
    let types = procedure.params.iter().map(|p| procedure.vars.get(p.0 as usize).map(|v| &v.ty));
    let columns = types.map(|ty| all_values(program, ty?, MAX_DEPTH)).collect::<Option<Vec<_>>>()?;
    let mut allowed = Vec::new();
    for args in rows(&columns)? {
        let inputs = Inputs { type_args: Vec::new(), args, heap: Heap::default(), answers: Vec::new() };
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

/// All values of a type, and perhaps some that its constraints exclude; `None`: there are more than can be listed.
fn all_values(program: &Program, ty: &Type, depth: u32) -> Option<Vec<Value>> {
    match program.strip_subset(ty) {
        Type::Bool => Some([false, true].map(Value::Bool).to_vec()),
        Type::Bv(width) if 1 << width.min(20) <= MAX_INPUTS => {
            Some((0..1u32 << width).map(|n| Value::Bv { width, bits: n.into() }).collect())
        }
        Type::Tuple(parts) => {
            let columns = parts.iter().map(|(_, ty)| all_values(program, ty, depth)).collect::<Option<Vec<_>>>()?;
            Some(rows(&columns)?.into_iter().map(Value::tuple).collect())
        }
        Type::Named { decl, args, .. } => match &program[decl].kind {
            TypeDeclKind::Datatype { co: false, ctors } if depth > 0 => {
                let subst = program.substitution(decl, &args);
                let of = |&ctor: &CtorId| {
                    let fields = program[ctor].fields.iter().map(|f| all_values(program, &program[*f].ty.subst(&subst), depth - 1));
                    let columns = fields.collect::<Option<Vec<_>>>()?;
                    Some(rows(&columns)?.into_iter().map(move |args| Value::datatype(ctor, args)))
                };
                let all = ctors.iter().map(of).collect::<Option<Vec<_>>>()?;
                Some(all.into_iter().flatten().collect::<Vec<_>>()).filter(|all| all.len() <= MAX_INPUTS)
            }
            TypeDeclKind::Newtype(c) => match &c.range {
                Some((low, high)) => {
                    let count = usize::try_from(high - low).ok().filter(|n| *n <= MAX_INPUTS)?;
                    Some((0..count).map(|n| Value::Int(low + n)).collect())
                }
                None => all_values(program, &c.base.subst(&program.substitution(decl, &args)), depth),
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

/// Every choice of one value from each column; `None`: there are too many.
fn rows(columns: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
    let mut rows = vec![Vec::new()];
    for column in columns {
        rows = rows.iter().flat_map(|row: &Vec<Value>| column.iter().map(move |v| row.iter().chain([v]).cloned().collect())).collect();
        if rows.len() > MAX_INPUTS {
            return None;
        }
    }
    Some(rows)
}
