//! Inputs and results in words: `name = value`, printed like Dafny does.

use crate::Inputs;
use dafny_resolve::typed::{CallableId, Type};
use dtest_ir as ir;
use dtest_value::{Heap, Value, show_inputs};

/// Returns inputs as `name = value`, printed like Dafny does.
pub fn inputs(program: &ir::Program, unit: CallableId, inputs: &Inputs) -> Vec<String> {
    let Some(contract) = program.contracts.get(&unit) else {
        return Vec::new();
    };
    let substitution = contract
        .type_params
        .iter()
        .copied()
        .zip(inputs.type_args.iter().cloned())
        .collect();
    // The parameter that drives an iterator has no name in the source.
    let calls = program
        .typed
        .driven_by(unit)
        .and_then(|_| contract.params.last());
    let typed = |(var, value): (&ir::Var, _)| {
        let info = contract.vars.get(var.0 as usize)?;
        let name = if calls == Some(var) {
            "calls of MoveNext".into()
        } else {
            info.name.clone()
        };
        Some((name, (value, info.ty.subst(&substitution))))
    };
    let (names, values): (Vec<_>, Vec<_>) = contract
        .params
        .iter()
        .zip(&inputs.args)
        .filter_map(typed)
        .unzip();
    let shown = show_inputs(&program.typed, &inputs.heap, &values);
    names
        .iter()
        .zip(shown)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect()
}

/// Returns results as `name = value`, printed like Dafny does. The result of a function is called
/// `result`.
pub fn results(
    program: &ir::Program,
    unit: CallableId,
    type_args: &[Type],
    values: &[Option<Value>],
    heap: &Heap,
) -> Vec<String> {
    let Some(procedure) = program.procedures.get(&unit) else {
        return Vec::new();
    };
    // The types of results are those of the instance.
    let substitution = procedure
        .type_params
        .iter()
        .copied()
        .zip(type_args.iter().cloned())
        .collect();
    let named = |(out, value): (&ir::Var, &Option<Value>)| {
        let info = procedure.vars.get(out.0 as usize)?;
        Some((
            info.name.clone(),
            value.clone()?,
            info.ty.subst(&substitution),
        ))
    };
    let known: Vec<_> = procedure
        .outs
        .iter()
        .zip(values)
        .filter_map(named)
        .collect();
    let typed: Vec<_> = known
        .iter()
        .map(|(_, value, ty)| (value, ty.clone()))
        .collect();
    let texts = show_inputs(&program.typed, heap, &typed);
    // A result without a name has a generated one.
    let name = |name: &str| {
        if name.starts_with('$') {
            "result".to_owned()
        } else {
            name.to_owned()
        }
    };
    known
        .iter()
        .zip(texts)
        .map(|((n, ..), text)| format!("{} = {text}", name(n)))
        .collect()
}
