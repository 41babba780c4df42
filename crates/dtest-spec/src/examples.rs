//! Examples: the inputs of a question that an execution has confirmed, as names and expressions.

use dafny_resolve::typed::{CallableId, LocalId, Substitution, Type};
use dtest_interp::{Execution, Inputs, Outcome};
use dtest_ir as ir;
use dtest_value::{Contents, Heap, ObjectId, Value, show_inputs};

use crate::contract::Contract;
use crate::grids::Grid;
use crate::questions::Question;
use crate::{Example, Named};

/// Returns the parameters of a question with their types and values. The receiver has no local.
pub(crate) fn arguments<'i>(
    program: &ir::Program,
    question: &Question,
    inputs: &'i Inputs,
) -> Vec<(Option<LocalId>, Type, &'i Value)> {
    let callable = &program.typed[question.callable];
    let Some(contract) = program.contracts.get(&question.callable) else {
        return Vec::new();
    };
    let substitution: Substitution = contract
        .type_params
        .iter()
        .copied()
        .zip(inputs.type_args.iter().cloned())
        .collect();
    let receivers = contract.params.len().saturating_sub(callable.ins.len());
    let locals =
        std::iter::repeat_n(None, receivers).chain(callable.ins.iter().map(|f| Some(f.local)));
    contract
        .params
        .iter()
        .zip(locals)
        .zip(&inputs.args)
        .filter_map(|((var, local), value)| {
            let info = contract.vars.get(var.0 as usize)?;
            Some((local, info.ty.subst(&substitution), value))
        })
        .collect()
}

/// Returns an example of a question.
pub(crate) fn example(
    program: &ir::Program,
    contract: &Contract<'_>,
    question: &Question,
    inputs: &Inputs,
) -> Example {
    // The receiver of a constructor has no state before the call.
    let has_receiver = !contract.is_constructor();
    let mut example = Example {
        inputs: Vec::new(),
        results: vec![Vec::new(); question.alternatives.len()],
    };
    let mut shown = Shown {
        program,
        heap: &inputs.heap,
        known: Vec::new(),
    };
    for (local, ty, value) in arguments(program, question, inputs) {
        let result = question.alternatives.iter().enumerate().find_map(|(k, a)| {
            let (_, name) = a.iter().find(|(l, _)| Some(*l) == local)?;
            Some((k, name.clone()))
        });
        match (result, local) {
            (Some((k, name)), _) => {
                let value = shown.text(value, &ty);
                if let Some(results) = example.results.get_mut(k) {
                    results.push(Named { name, value });
                }
            }
            (None, Some(local)) => {
                let name = program.typed[local].name.to_string();
                shown.input(&name, value, &ty, &mut example.inputs);
            }
            (None, None) if has_receiver => {
                shown.input("this", value, &ty, &mut example.inputs);
            }
            (None, None) => {}
        }
    }
    // Two results have no order of their own: the shorter one comes first.
    let size = |n: &Named| (n.value.len(), n.value.clone());
    example
        .results
        .sort_by_key(|result| result.iter().map(size).collect::<Vec<_>>());
    example
}

/// Returns the inputs of a call, and, if it returned, its results and what it changed.
pub(crate) fn call_example(
    program: &ir::Program,
    contract: &Contract<'_>,
    (callable, inputs): (CallableId, &Inputs),
    execution: &Execution,
) -> Example {
    let question = Question {
        callable,
        alternatives: Vec::new(),
    };
    let before = example(program, contract, &question, inputs).inputs;
    let Outcome::Returned(values) = &execution.outcome else {
        return Example {
            inputs: before,
            results: Vec::new(),
        };
    };
    let mut shown = Shown {
        program,
        heap: &execution.heap,
        known: Vec::new(),
    };
    let mut after = Vec::new();
    for (local, ty, value) in arguments(program, &question, inputs) {
        let name = local.map_or("this".to_owned(), |l| program.typed[l].name.to_string());
        shown.input(&name, value, &ty, &mut after);
    }
    // What the call did not change is no result.
    after.retain(|n| !before.contains(n));
    for (output, value) in contract.outputs.iter().zip(values) {
        if let Some(value) = value {
            let ty = output.ty.subst(&contract_types(program, contract, inputs));
            shown.input(&output.name, value, &ty, &mut after);
        }
    }
    Example {
        inputs: before,
        results: vec![after],
    }
}

/// The values of the type parameters of a call.
fn contract_types(program: &ir::Program, contract: &Contract<'_>, inputs: &Inputs) -> Substitution {
    let params = program.typed.all_type_params(contract.unit);
    params
        .into_iter()
        .zip(inputs.type_args.iter().cloned())
        .collect()
}

/// Returns names with values as text.
pub(crate) fn listed(all: &[Named]) -> String {
    let parts: Vec<String> = all
        .iter()
        .map(|n| format!("{} = {}", n.name, n.value))
        .collect();
    parts.join(", ")
}

/// Values as text.
struct Shown<'a> {
    program: &'a ir::Program,
    heap: &'a Heap,
    /// The objects that were described, with their names.
    known: Vec<(ObjectId, String)>,
}

impl Shown<'_> {
    /// The name of an object that was described.
    fn name(&self, value: &Value) -> Option<String> {
        let Value::Ref(id) = value else { return None };
        let known = self.known.iter().find(|(known, _)| known == id);
        known.map(|(_, name)| name.clone())
    }

    fn text(&self, value: &Value, ty: &Type) -> String {
        if let Some(name) = self.name(value) {
            return name;
        }
        // Known objects in a collection have their names too.
        let named = |elements: &mut dyn Iterator<Item = &Value>| -> Option<String> {
            let names = elements.map(|e| self.name(e)).collect::<Option<Vec<_>>>()?;
            (!names.is_empty()).then(|| names.join(", "))
        };
        if let Value::Set(elements) = value
            && let Some(names) = named(&mut elements.iter())
        {
            return format!("{{{names}}}");
        }
        if let Value::Seq(elements) = value
            && let Some(names) = named(&mut elements.iter())
        {
            return format!("[{names}]");
        }
        show_inputs(&self.program.typed, self.heap, &[(value, ty.clone())])
            .pop()
            .unwrap_or_default()
    }

    /// Adds an input. An object is described by its contents.
    fn input(&mut self, name: &str, value: &Value, ty: &Type, all: &mut Vec<Named>) {
        let named = |name: String, value: String| Named { name, value };
        let new = if let Value::Ref(id) = value {
            Some(*id).filter(|id| !self.known.iter().any(|(known, _)| known == id))
        } else {
            None
        };
        let object = new.and_then(|id| {
            self.known.push((id, name.to_owned()));
            self.heap.objects.get(id.0 as usize)
        });
        let Some(object) = object else {
            all.push(named(name.to_owned(), self.text(value, ty)));
            return;
        };
        match (
            &object.contents,
            self.program.typed.representation(&object.ty),
        ) {
            (Contents::Elements(elements), Type::Array { dims: 1, elem, .. }) => {
                let known: Option<Vec<Value>> = elements.iter().cloned().collect();
                match known {
                    Some(known) => {
                        let contents = self.text(&Value::seq(known), &Type::Seq(elem));
                        all.push(named(format!("{name}[..]"), contents));
                    }
                    // Elements that were never assigned have no values.
                    None => all.push(named(format!("{name}.Length"), elements.len().to_string())),
                }
            }
            (Contents::Elements(elements), Type::Array { elem, .. }) => {
                let known: Option<Vec<Value>> = elements.iter().cloned().collect();
                let rows = known.and_then(|known| rows(elements.dims(), &known));
                match rows {
                    Some(rows) => {
                        let dims = elements.dims().len();
                        let ty = (0..dims).fold(*elem, |ty, _| Type::Seq(Box::new(ty)));
                        let contents = self.text(&rows, &ty);
                        all.push(named(format!("{name}{}", Grid::suffix(dims)), contents));
                    }
                    None => {
                        for (k, length) in elements.dims().iter().enumerate() {
                            all.push(named(format!("{name}.Length{k}"), length.to_string()));
                        }
                    }
                }
            }
            (Contents::Fields(fields), Type::Named { decl, args, .. }) if !fields.is_empty() => {
                let substitution = self.program.typed.substitution(decl, &args);
                for (field, value) in fields.iter() {
                    let field = &self.program.typed[*field];
                    let ty = field.ty.subst(&substitution);
                    self.input(&format!("{name}.{}", field.name), value, &ty, all);
                }
            }
            (_, _) => all.push(named(name.to_owned(), self.text(value, ty))),
        }
    }
}

/// The elements of an array with several dimensions as nested sequences.
fn rows(dims: &[usize], elements: &[Value]) -> Option<Value> {
    let Some((length, inner)) = dims.split_first() else {
        return elements.first().cloned();
    };
    let size: usize = inner.iter().product();
    let row = |i: usize| rows(inner, elements.get(i * size..(i + 1) * size)?);
    let all: Option<Vec<Value>> = (0..*length).map(row).collect();
    all.map(Value::seq)
}
