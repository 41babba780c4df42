//! Claims within bounds by execution: if every input of a scope was executed to its end and none
//! violates an obligation, the obligation holds for these inputs.
//!
//! The solver makes such a claim if it can follow all executions at once. Conditions with recursive
//! functions over trees are too large for that, while the interpreter runs thousands of small trees
//! in a moment. [`Search::execute_all_inputs`] makes the claims; `Domain` lists the inputs.

use num_bigint::BigUint;

use super::Search;
use crate::session::Bounded;
use crate::small::ascending_map;
use dafny_resolve::typed::{Substitution, Type, TypeDeclKind, TypeId};
use dtest_encode::Scope;
use dtest_interp::{Inputs, Interp, Resolution, Truth};
use dtest_ir::{self as ir, GoalId, ctors_of};
use dtest_sorted::SortedSet;
use dtest_value::{Heap, Value};

/// The scopes that are tried, as the nesting of constructors, the size of collections, and the
/// magnitude of integers.
const SCOPES: [(u32, u32, u32); 6] = [
    (2, 2, 1),
    (2, 2, 2),
    (2, 3, 2),
    (3, 3, 2),
    (3, 3, 3),
    (4, 4, 3),
];
/// Maximum number of inputs of a scope, and of values of a type in it.
const MAX_INPUTS: usize = 20_000;
/// Divisor of the unit's budget for the executions; minimum number of interpreter instructions for
/// them.
const BUDGET_DIVISOR: u64 = 32;
const MIN_INSTRUCTIONS: u64 = 2_000_000;
/// Maximum width of a bitvector whose values are all listed.
const MAX_WIDTH: u32 = 4;

impl Search<'_, '_> {
    /// Executes all inputs of growing scopes for obligations that are still open, within a part of
    /// the budget of the unit. What holds in each of them holds within the last scope whose
    /// inputs were all executed to their ends.
    pub(super) fn execute_all_inputs(&mut self) {
        let goals = self.without_claim();
        if goals.is_empty() || !self.found.reasons.is_empty() {
            return;
        }
        let budget = self.effort.instructions_of_part(BUDGET_DIVISOR);
        let most = self.validator.steps() + budget.max(MIN_INSTRUCTIONS);
        let mut whole: Option<Scope> = None;
        // A violated condition is not evaluated to its end, for example for all values of a bound
        // variable: nothing is claimed of the other obligations of its statement.
        let mut beside: SortedSet<GoalId> = SortedSet::new();
        'scopes: for (depth, collection, numbers) in SCOPES {
            let caps = &self.options.caps;
            if depth > caps.depth || collection > caps.collection {
                break;
            }
            let Some((scope, all)) = self.inputs_within(depth, collection, numbers) else {
                break;
            };
            if whole == Some(scope) {
                continue;
            }
            for inputs in all {
                if self.validator.steps() >= most || self.is_late() {
                    break 'scopes;
                }
                let executed = self.execute(&inputs, &Resolution::Rule);
                if !executed.is_whole {
                    break 'scopes;
                }
                if let Some(broken) = executed.broken {
                    beside.insert(broken);
                    beside.extend(self.behind.get(&broken).into_iter().flatten());
                    let before = self.behind.iter().filter(|(_, all)| all.contains(&broken));
                    beside.extend(before.map(|(goal, _)| *goal));
                }
            }
            whole = Some(scope);
        }
        let Some(scope) = whole else { return };
        for goal in goals {
            if !beside.contains(&goal) {
                self.claim(goal, scope);
            }
        }
    }

    /// Records that an obligation holds for all inputs of a scope.
    fn claim(&mut self, goal: GoalId, scope: Scope) {
        // If no size limits the inputs, these are all inputs that there are.
        if scope == Scope::default() {
            self.found.holds.insert(goal);
            if !self.found.reached.contains(&goal) && !self.at_once.contains(&goal) {
                self.found.not_reached.insert(goal, None);
            }
            return;
        }
        let bounded = Bounded {
            kinds: SortedSet::new(),
            scope: Some(scope),
            gave_up: true,
        };
        let bounds = self.options.start;
        self.found.bounded.insert(goal, bounds, bounded);
    }

    /// The open obligations of which nothing is claimed yet.
    fn without_claim(&self) -> Vec<GoalId> {
        let mut open = self.open();
        open.retain(|goal| {
            let bounded = self.found.bounded.get(*goal);
            let has_claim = bounded.is_some_and(|(_, bounded)| bounded.scope.is_some());
            !has_claim
                && !self.found.violations.contains_key(goal)
                && !self.found.doubtful.contains_key(goal)
        });
        open
    }

    /// All inputs of a scope, and the scope without the sizes that do not matter. `None` if a
    /// parameter has too many values, or values that are not listed.
    fn inputs_within(
        &self,
        depth: u32,
        collection: u32,
        numbers: u32,
    ) -> Option<(Scope, Vec<Inputs>)> {
        let params = self.procedure.type_params.iter().copied();
        let subst: Substitution = params.zip(self.type_args.iter().cloned()).collect();
        let mut domain = Domain {
            program: self.program,
            interp: self.validator.interp(),
            depth,
            collection,
            numbers,
            scope: Scope::default(),
        };
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for param in &self.procedure.params {
            let ty = self.procedure.vars.get(param.0 as usize)?.ty.subst(&subst);
            let values = domain.values(&ty, depth)?;
            rows = product(rows, &values)?;
        }
        let inputs = |args| Inputs {
            type_args: self.type_args.clone(),
            args,
            heap: Heap::default(),
            answers: Vec::new(),
        };
        Some((domain.scope, rows.into_iter().map(inputs).collect()))
    }
}

/// Each row followed by each value. `None` if there are too many.
fn product(rows: Vec<Vec<Value>>, values: &[Value]) -> Option<Vec<Vec<Value>>> {
    if rows.len().saturating_mul(values.len()) > MAX_INPUTS {
        return None;
    }
    let longer = rows.iter().flat_map(|row| {
        let with = |value: &Value| row.iter().chain([value]).cloned().collect();
        values.iter().map(with)
    });
    Some(longer.collect())
}

/// The values of a scope.
struct Domain<'a, 'p> {
    program: &'a ir::Program,
    interp: &'a Interp<'p>,
    depth: u32,
    collection: u32,
    numbers: u32,
    /// The sizes that limited some type.
    scope: Scope,
}

impl Domain<'_, '_> {
    /// All values of a type with at most `depth` nested constructors of recursive datatypes. `None`
    /// if there are too many, or if the type has values that are not listed: references, characters,
    /// real numbers, functions, infinite values.
    fn values(&mut self, ty: &Type, depth: u32) -> Option<Vec<Value>> {
        let typed = &self.program.typed;
        let base = typed.representation(ty);
        let mut values = match &base {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Int => {
                self.scope.numbers = Some(self.numbers);
                let n = i64::from(self.numbers);
                (-n..=n).map(Value::int).collect()
            }
            Type::Bv(width) if *width <= MAX_WIDTH => (0..1u32 << width)
                .map(|bits| Value::Bv {
                    width: *width,
                    bits: BigUint::from(bits),
                })
                .collect(),
            Type::Tuple(parts) => {
                let types: Vec<Type> = parts.iter().map(|(_, t)| t.clone()).collect();
                let rows = self.rows(&types, depth)?;
                rows.into_iter().map(Value::tuple).collect()
            }
            Type::Seq(elem) => {
                let rows = self.sequences(elem, depth)?;
                rows.into_iter().map(Value::seq).collect()
            }
            // Each set, multiset and map is listed once, by its sorted sequence.
            Type::Set { elem, finite: true } => {
                let mut rows = self.sequences(elem, depth)?;
                rows.retain(|row| row.is_sorted_by(|a, b| a < b));
                rows.into_iter().map(Value::set).collect()
            }
            Type::Multiset(elem) => {
                let mut rows = self.sequences(elem, depth)?;
                rows.retain(|row| row.is_sorted());
                rows.into_iter().map(Value::multiset).collect()
            }
            Type::Map {
                finite: true,
                key,
                value,
            } => {
                let pair = Type::Tuple(vec![(false, (**key).clone()), (false, (**value).clone())]);
                let rows = self.sequences(&pair, depth)?;
                rows.into_iter().filter_map(ascending_map).collect()
            }
            Type::Named { decl, args, .. } => self.datatype(*decl, args, depth)?,
            Type::Bv(_)
            | Type::Set { .. }
            | Type::Map { .. }
            | Type::Char
            | Type::Real
            | Type::Ordinal
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => return None,
        };
        // A subset type or newtype excludes values of its representation.
        if base != *ty {
            let mut is_known = true;
            let heap = Heap::default();
            values.retain(|value| match self.interp.value_has_type(value, ty, &heap) {
                Truth::True => true,
                Truth::False => false,
                Truth::Unknown(_) => {
                    is_known = false;
                    false
                }
            });
            if !is_known {
                return None;
            }
        }
        (values.len() <= MAX_INPUTS).then_some(values)
    }

    fn datatype(&mut self, decl: TypeId, args: &[Type], depth: u32) -> Option<Vec<Value>> {
        let typed = &self.program.typed;
        if !matches!(typed[decl].kind, TypeDeclKind::Datatype { co: false, .. }) {
            return None;
        }
        let subst = typed.substitution(decl, args);
        let mut all = Vec::new();
        for ctor in ctors_of(typed, decl) {
            let fields = typed[*ctor].fields.iter();
            let types: Vec<Type> = fields.map(|f| typed[*f].ty.subst(&subst)).collect();
            let is_recursive = types.iter().any(|t| typed.may_contain(t, decl));
            let left = match is_recursive {
                true => {
                    self.scope.depth = Some(self.depth);
                    depth.checked_sub(1)
                }
                false => Some(depth),
            };
            let Some(left) = left else { continue };
            let rows = self.rows(&types, left)?;
            all.extend(rows.into_iter().map(|row| Value::datatype(*ctor, row)));
            if all.len() > MAX_INPUTS {
                return None;
            }
        }
        Some(all)
    }

    /// The rows of values of these types.
    fn rows(&mut self, types: &[Type], depth: u32) -> Option<Vec<Vec<Value>>> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.values(ty, depth)?;
            rows = product(rows, &values)?;
        }
        Some(rows)
    }

    /// The sequences of at most as many elements as the scope allows.
    fn sequences(&mut self, elem: &Type, depth: u32) -> Option<Vec<Vec<Value>>> {
        self.scope.collection = Some(self.collection);
        let values = self.values(elem, depth)?;
        let mut all = vec![Vec::new()];
        let mut longest = all.clone();
        for _ in 0..self.collection {
            longest = product(longest, &values)?;
            all.extend(longest.iter().cloned());
            if all.len() > MAX_INPUTS {
                return None;
            }
        }
        Some(all)
    }
}
