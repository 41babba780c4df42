//! Numbers at the limits of what preconditions and types allow.
//!
//! Errors hide at the ends of domains (boundary value analysis; Jeng and Weyuker, *A Simplified
//! Domain-Testing Strategy*, 1994): the last day of a month, the last index of a sequence, the
//! largest amount of a balance. The limits are seldom constants of the program, because they depend
//! on the other inputs. [`outermost`] finds them from a valid number on: it moves as long as the
//! inputs stay valid, by steps that double and then halve.

use num_bigint::BigInt;

use super::mutate::Mutator;
use super::parts;
use dafny_resolve::typed::CallableId;
use dtest_interp::{Inputs, Interp};
use dtest_value::Value;

/// Number of parts of inputs from which numbers are drawn, and of numbers that are moved at once.
const MAX_PARTS: usize = 40;
const MAX_MOVED: usize = 4;
/// Number of times that a step doubles. A number without a limit within their sum stays.
const DOUBLINGS: u32 = 6;

impl Mutator<'_> {
    /// The inputs with one number or several at the limits that the precondition of the unit and
    /// the types allow. `None` if no number has such a limit nearby.
    pub(super) fn at_limits(
        &mut self,
        interp: &Interp<'_>,
        unit: CallableId,
        basis: &Inputs,
    ) -> Option<Inputs> {
        let mut moved = basis.clone();
        moved.answers.clear();
        let is_number = |p: &parts::Part| matches!(p.value, Value::Int(_));
        let numbers = parts::parts(self.program, &self.types, basis, MAX_PARTS);
        let mut numbers: Vec<parts::Part> = numbers.into_iter().filter(is_number).collect();
        let count = 1 + self.random.below(MAX_MOVED);
        // All limits are on one side more often than not: the last days of two months.
        let is_upper = self.random.below(3) > 0;
        for _ in 0..count.min(numbers.len()) {
            let part = numbers.swap_remove(self.random.below(numbers.len()));
            let Value::Int(from) = &part.value else {
                continue;
            };
            let with = |n: &BigInt| parts::with(&moved, &part, Value::Int(n.clone()));
            let is_valid = |n: &BigInt| {
                with(n).is_some_and(|i| interp.check_inputs(unit, &i).verdict().is_true())
            };
            let end = outermost(from, if is_upper { 1 } else { -1 }, is_valid);
            if let Some(inputs) = end.and_then(|n| with(&n)) {
                moved = inputs;
            }
        }
        (moved.args != basis.args || moved.heap != basis.heap).then_some(moved)
    }
}

/// The last valid number from `from` on in a direction, if the validity ends nearby.
fn outermost(from: &BigInt, direction: i64, is_valid: impl Fn(&BigInt) -> bool) -> Option<BigInt> {
    let (mut last, mut step) = (from.clone(), BigInt::from(direction));
    let mut doublings = 0;
    loop {
        let next = &last + &step;
        if !is_valid(&next) {
            break;
        }
        last = next;
        doublings += 1;
        if doublings > DOUBLINGS {
            return None;
        }
        step *= 2;
    }
    // Between the last valid number and the next step, validity is assumed to end once.
    while step.magnitude() > &1u32.into() {
        step /= 2;
        let next = &last + &step;
        if is_valid(&next) {
            last = next;
        }
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::outermost;
    use num_bigint::BigInt;

    #[test]
    fn limits_are_found_in_both_directions_and_only_nearby() {
        let within = |low: i64, high: i64| {
            move |n: &BigInt| (BigInt::from(low)..=BigInt::from(high)).contains(n)
        };
        for limit in [5, 6, 7, 12, 28, 31, 60] {
            assert_eq!(
                outermost(&5.into(), 1, within(0, limit)),
                Some(limit.into())
            );
        }
        assert_eq!(outermost(&5.into(), -1, within(-3, 9)), Some((-3).into()));
        assert_eq!(outermost(&5.into(), 1, within(0, 1_000_000)), None);
        assert_eq!(outermost(&5.into(), 1, |_| true), None);
    }
}
