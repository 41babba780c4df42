//! Function values in the results of a test, replaced by tables of their results for some
//! arguments.

use std::sync::Arc;

use dafny_resolve::typed::{CallableId, Type, TypeDeclKind};
use dtest_interp::Interp;
use dtest_search as search;
use dtest_value::{FunctionValue, Heap, Value};

/// Maximum number of functions of one result that are tabulated.
const MAX_FUNCTIONS: usize = 8;

/// Maximum nesting depth at which functions are searched.
const MAX_DEPTH: usize = 8;

/// Returns the results of a test. Each function in them, at any depth, becomes a table of its
/// determined results.
pub(super) fn answered(
    interp: &Interp<'_>,
    test: &search::TestCase,
    values: &[Option<Value>],
) -> Vec<Option<Value>> {
    let typed = &interp.program().typed;
    let outs = &typed[test.unit].outs;
    let substitution = typed
        .all_type_params(test.unit)
        .into_iter()
        .zip(test.type_args.iter().cloned())
        .collect();
    let mut asker = Asker {
        interp,
        unit: test.unit,
        heap: &test.execution.heap,
        left: MAX_FUNCTIONS,
    };
    let mut ask = |(i, value): (usize, &Option<Value>)| match (value, outs.get(i)) {
        (Some(value), Some(out)) => {
            Some(asker.tabulated(value, &typed[out.local].ty.subst(&substitution), MAX_DEPTH))
        }
        (value, _) => value.clone(),
    };
    values.iter().enumerate().map(&mut ask).collect()
}

struct Asker<'a, 'p> {
    interp: &'a Interp<'p>,
    unit: CallableId,
    heap: &'a Heap,
    /// The number of functions that may still be tabulated.
    left: usize,
}

impl Asker<'_, '_> {
    fn tabulated(&mut self, value: &Value, ty: &Type, depth: usize) -> Value {
        if depth == 0 || self.left == 0 || !holds_function(value) {
            return value.clone();
        }
        let typed = &self.interp.program().typed;
        let ty = typed.representation(ty);
        // A function becomes a table of its answers; containers are searched for functions.
        match (value, &ty) {
            (Value::Function(f), Type::Arrow { params, .. }) => {
                self.table(f, params).unwrap_or_else(|| value.clone())
            }
            (Value::Seq(items), Type::Seq(elem)) => {
                Value::seq(items.iter().map(|v| self.tabulated(v, elem, depth - 1)))
            }
            (Value::Tuple(items), Type::Tuple(types)) => Value::tuple(
                items
                    .iter()
                    .zip(types)
                    .map(|(v, (_, ty))| self.tabulated(v, ty, depth - 1)),
            ),
            (Value::Map(pairs), Type::Map { value: ty, .. }) => Value::map(
                pairs
                    .iter()
                    .map(|(k, v)| (k.clone(), self.tabulated(v, ty, depth - 1))),
            ),
            (Value::Datatype(d), Type::Named { decl, args, .. })
                if matches!(typed[*decl].kind, TypeDeclKind::Datatype { .. }) =>
            {
                let substitution = typed.substitution(*decl, args);
                let fields = typed[d.ctor]
                    .fields
                    .iter()
                    .map(|f| typed[*f].ty.subst(&substitution));
                Value::datatype(
                    d.ctor,
                    d.args
                        .iter()
                        .zip(fields)
                        .map(|(v, ty)| self.tabulated(v, &ty, depth - 1))
                        .collect(),
                )
            }
            (
                Value::Bool(_)
                | Value::Char(_)
                | Value::Int(_)
                | Value::Real(_)
                | Value::Bv { .. }
                | Value::Ordinal(_),
                _,
            )
            | (
                Value::Seq(_)
                | Value::Set(_)
                | Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Datatype(_),
                _,
            )
            | (
                Value::Null
                | Value::Ref(_)
                | Value::Function(_)
                | Value::Newtype(_)
                | Value::Lazy(_),
                _,
            ) => value.clone(),
        }
    }

    /// Returns the table of a function for some arguments of these types.
    fn table(&mut self, function: &FunctionValue, params: &[Type]) -> Option<Value> {
        self.left -= 1;
        let questions = self
            .interp
            .questions(self.unit, function, params, self.heap);
        let answer = |args: Vec<Value>| {
            let result = match function {
                // The function is an input, so its table is known.
                FunctionValue::Table { entries, default } => Some(
                    entries
                        .iter()
                        .find(|(known, _)| *known == args)
                        .map_or(default, |(_, result)| result)
                        .clone(),
                ),
                FunctionValue::Closure { .. }
                | FunctionValue::Named { .. }
                | FunctionValue::Template(_)
                | FunctionValue::Partial { .. } => self.interp.applied(function, &args, self.heap),
            };
            result.map(|result| (args, result))
        };
        let entries: Vec<(Vec<Value>, Value)> = questions.into_iter().filter_map(answer).collect();
        let default = entries.first().map(|(_, result)| result.clone())?;
        Some(Value::Function(Arc::new(FunctionValue::Table {
            entries,
            default,
        })))
    }
}

/// Whether a value contains a function; lazy parts are not evaluated.
fn holds_function(value: &Value) -> bool {
    value.within().any(|v| matches!(v, Value::Function(_)))
}
