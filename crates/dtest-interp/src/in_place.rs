//! Constraints of types that are decided without a call: comparisons of the value, or of its size,
//! with constants.
//!
//! A block of 4,096 bytes has as many values of a constrained type. A call of the constraint for
//! each of them costs more than most executions of the unit. The constraints of such types are
//! conjunctions of comparisons (`0 <= x < 256`, `|b| == 4096`), which [`Constraints::decide`]
//! evaluates on the expression of the IR. Everything else, and what is ill-formed, is left to the
//! machine.

use std::borrow::Cow;
use std::cmp::Ordering;

use dafny_resolve::typed::{Literal, TypeId};
use dtest_ir::{self as ir, Coll, Expr, ExprKind, Num, Op, Var};
use dtest_value::Value;
use num_bigint::BigInt;

/// Maximum nesting of the expressions that are evaluated. Deeper ones are left to the machine.
const MAX_DEPTH: u32 = 24;

/// The constraints of a program's types.
#[derive(Clone, Copy)]
pub(super) struct Constraints<'p> {
    program: &'p ir::Program,
    /// Whether named constants have their values in the program. A mutant may change them.
    has_constants: bool,
    /// Whether the machine evaluates violated constraints, so that it notes their comparisons.
    /// Constraints that hold need none: no search tries to violate them.
    explains: bool,
}

impl<'p> Constraints<'p> {
    pub(super) fn new(program: &'p ir::Program, has_constants: bool) -> Self {
        Self {
            program,
            has_constants,
            explains: false,
        }
    }

    /// Leaves violated constraints to the machine if `explains`.
    pub(super) fn explaining(self, explains: bool) -> Self {
        Self { explains, ..self }
    }

    /// Returns whether a value satisfies the constraint of a subset type or newtype, without the
    /// constraints of its base type. `None` if the machine has to evaluate it.
    pub(super) fn decide(self, decl: TypeId, value: &Value) -> Option<bool> {
        let Some(constraint) = self.program.constraints.get(&decl) else {
            return Some(true);
        };
        let [var] = constraint.params.as_slice() else {
            return None;
        };
        let scope = Scope {
            constraints: self,
            var: *var,
            value,
        };
        let truth = scope.holds(&constraint.body, MAX_DEPTH);
        truth.filter(|holds| *holds || !self.explains)
    }
}

/// The evaluation of one constraint.
struct Scope<'v, 'p> {
    constraints: Constraints<'p>,
    /// The variable of the constraint.
    var: Var,
    value: &'v Value,
}

impl<'v, 'p: 'v> Scope<'v, 'p> {
    /// The truth of a condition; `None` if it is of no form that is known here.
    fn holds(&self, e: &'p Expr, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        if let ExprKind::Literal(Literal::Bool(b)) = &e.kind {
            Some(*b)
        } else if let ExprKind::And(a, b) = &e.kind {
            Some(self.holds(a, depth)? && self.holds(b, depth)?)
        } else if let ExprKind::Or(a, b) = &e.kind {
            Some(self.holds(a, depth)? || self.holds(b, depth)?)
        } else if let ExprKind::Implies(a, b) = &e.kind {
            Some(!self.holds(a, depth)? || self.holds(b, depth)?)
        } else if let ExprKind::Op(op, args) = &e.kind {
            match args.as_slice() {
                [a] if matches!(op, Op::Not) => self.holds(a, depth).map(|b| !b),
                [a, b] => self.compares(op, a, b, depth),
                _ => None,
            }
        } else {
            None
        }
    }

    /// The truth of a comparison of integers.
    fn compares(&self, op: &Op, a: &'p Expr, b: &'p Expr, depth: u32) -> Option<bool> {
        let is_comparison = matches!(op, Op::Eq | Op::Ne | Op::Lt(Num::Int) | Op::Le(Num::Int));
        if !is_comparison {
            return None;
        }
        let order = self.number(a, depth)?.cmp(&self.number(b, depth)?);
        Some(if matches!(op, Op::Eq) {
            order == Ordering::Equal
        } else if matches!(op, Op::Ne) {
            order != Ordering::Equal
        } else if matches!(op, Op::Lt(_)) {
            order == Ordering::Less
        } else {
            order != Ordering::Greater
        })
    }

    /// The value of a term over integers: the constrained value, its size, or a constant.
    fn number(&self, e: &'p Expr, depth: u32) -> Option<Cow<'v, BigInt>> {
        let depth = depth.checked_sub(1)?;
        if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
            return Some(Cow::Borrowed(n));
        }
        if self.is_value(e) {
            let Value::Int(n) = self.value else {
                return None;
            };
            return Some(Cow::Borrowed(n));
        }
        if let ExprKind::Const {
            field,
            object: None,
            ..
        } = &e.kind
        {
            let is_known = self.constraints.has_constants;
            let constants = &self.constraints.program.constants;
            let constant = constants.get(field).filter(|_| is_known)?;
            return self.number(&constant.body, depth);
        }
        let ExprKind::Op(op, args) = &e.kind else {
            return None;
        };
        match args.as_slice() {
            [a] if matches!(op, Op::Cardinality(_)) && self.is_value(a) => self.size(op),
            [a] if matches!(op, Op::Neg(Num::Int)) => {
                Some(Cow::Owned(-self.number(a, depth)?.into_owned()))
            }
            [a, b] => {
                let (a, b) = (self.number(a, depth)?, self.number(b, depth)?);
                let result = if matches!(op, Op::Add(Num::Int)) {
                    &*a + &*b
                } else if matches!(op, Op::Sub(Num::Int)) {
                    &*a - &*b
                } else if matches!(op, Op::Mul(Num::Int)) {
                    &*a * &*b
                } else {
                    return None;
                };
                Some(Cow::Owned(result))
            }
            _ => None,
        }
    }

    /// The size of the constrained value, a sequence, set or map.
    fn size(&self, op: &Op) -> Option<Cow<'v, BigInt>> {
        let n = if let (Op::Cardinality(Coll::Seq), Value::Seq(xs)) = (op, self.value) {
            xs.len()
        } else if let (Op::Cardinality(Coll::Set), Value::Set(xs)) = (op, self.value) {
            xs.len()
        } else if let (Op::Cardinality(Coll::Map), Value::Map(pairs)) = (op, self.value) {
            pairs.len()
        } else {
            return None;
        };
        Some(Cow::Owned(n.into()))
    }

    fn is_value(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Var(var) if *var == self.var)
    }
}

#[cfg(test)]
mod tests {
    use super::Constraints;
    use dafny_resolve::typed::TypeId;
    use dtest_ir::Criteria;
    use dtest_value::Value;

    /// The decision about a value of the type `T` of a program.
    fn decided(source: &str, value: &Value) -> Option<bool> {
        decided_with(source, value, true)
    }

    fn decided_with(source: &str, value: &Value, has_constants: bool) -> Option<bool> {
        let (_, program) = dtest_lower::testing::lowered(source, Criteria::default());
        let mut ids = (0..program.typed.types.len() as u32).map(TypeId);
        let decl = ids
            .find(|id| &*program.typed[*id].name == "T")
            .expect("declared");
        Constraints::new(&program, has_constants).decide(decl, value)
    }

    fn zeros(count: usize) -> Value {
        Value::seq(vec![Value::int(0); count])
    }

    #[test]
    fn ranges_are_decided_at_both_ends() {
        let source = "newtype T = x: int | 0 <= x < 256";
        let cases = [(-1, false), (0, true), (255, true), (256, false)];
        for (n, expected) in cases {
            assert_eq!(decided(source, &Value::int(n)), Some(expected), "{n}");
        }
    }

    #[test]
    fn conjunctions_disjunctions_and_exceptions_are_decided() {
        let source = "type T = x: int | (x < 10 || x > 20) && x != 5 && (x > 30 ==> x == 2 * 50) \
                      && !(x == -3) witness 0";
        let cases = [
            (0, true),
            (5, false),
            (-3, false),
            (15, false),
            (21, true),
            (31, false),
            (100, true),
        ];
        for (n, expected) in cases {
            assert_eq!(decided(source, &Value::int(n)), Some(expected), "{n}");
        }
    }

    #[test]
    fn sizes_are_compared_with_named_constants() {
        let source = "const SIZE: nat := 8 * 8
             type T = b: seq<int> | |b| == SIZE witness seq(SIZE, _ => 0)";
        assert_eq!(decided(source, &zeros(64)), Some(true));
        assert_eq!(decided(source, &zeros(63)), Some(false));
        // A mutant may have another value of the constant.
        assert_eq!(decided_with(source, &zeros(64), false), None);
    }

    #[test]
    fn violated_constraints_are_left_to_the_machine_where_it_notes_comparisons() {
        let (_, program) =
            dtest_lower::testing::lowered("newtype T = x: int | 0 <= x < 256", Criteria::default());
        let mut ids = (0..program.typed.types.len() as u32).map(TypeId);
        let decl = ids
            .find(|id| &*program.typed[*id].name == "T")
            .expect("declared");
        let constraints = Constraints::new(&program, true).explaining(true);
        assert_eq!(constraints.decide(decl, &Value::int(255)), Some(true));
        assert_eq!(constraints.decide(decl, &Value::int(256)), None);
    }

    #[test]
    fn conditions_of_other_forms_are_left_to_the_machine() {
        let source = "predicate Even(x: int) { x % 2 == 0 }
             type T = x: int | Even(x) && 0 <= x witness 0";
        assert_eq!(decided(source, &Value::int(4)), None);
        // A partial operator may be ill-formed.
        let source = "type T = x: int | x < 0 || 10 / (x + 1) > 1 witness -1";
        assert_eq!(decided(source, &Value::int(-1)), Some(true));
        assert_eq!(decided(source, &Value::int(1)), None);
    }

    #[test]
    fn a_type_without_a_constraint_admits_every_value() {
        let source = "datatype T = T(x: int)";
        assert_eq!(decided(source, &Value::int(4)), Some(true));
    }
}
