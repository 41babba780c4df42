//! Formulas with quantifiers, as SMT-LIB text. They are refuted by instances and have no models.

use z3::ast::Bool;

use super::solver::{Budget, check_within};

/// A solver for a text.
#[derive(Debug)]
pub struct Script {
    solver: z3::Solver,
    counted: Option<u32>,
}

impl Script {
    /// Creates a solver, in the thread's context, with the assertions of an SMT-LIB text.
    /// Quantifiers are instantiated by their patterns only. Text that Z3 cannot read asserts
    /// nothing.
    pub fn new(text: &str) -> Self {
        let solver = z3::Solver::new();
        let mut params = z3::Params::new();
        params.set_u32("random_seed", 0);
        params.set_bool("mbqi", false);
        params.set_bool("auto_config", false);
        // The same value as in Boogie: it allows more instances of instances.
        params.set_f64("qi.eager_threshold", 100.0);
        solver.set_params(&params);
        // As in `Solver`: a scope selects the incremental core.
        solver.push();
        solver.from_string(text);
        let mut new = Self {
            solver,
            counted: None,
        };
        new.count();
        new
    }

    /// Whether the assertions refute that the boolean constant `goal` is true while the constants
    /// `others` are false. Also returns the cost in Z3's resources. `false` may mean undecided.
    pub fn refutes<'a>(
        &mut self,
        goal: &str,
        others: impl IntoIterator<Item = &'a str>,
        budget: Budget,
    ) -> (bool, u64) {
        let mut params = z3::Params::new();
        params.set_u32("rlimit", budget.rlimit);
        self.solver.set_params(&params);
        let others = others.into_iter().map(|name| Bool::new_const(name).not());
        let literals: Vec<Bool> = [Bool::new_const(goal)].into_iter().chain(others).collect();
        let result = check_within(&self.solver, &literals, budget.timeout).0;
        (result == z3::SatResult::Unsat, self.count())
    }

    /// Returns the resources since the last call. Z3 counts for the whole context.
    fn count(&mut self) -> u64 {
        let Some(z3::StatisticsValue::UInt(now)) =
            self.solver.get_statistics().value("rlimit count")
        else {
            return 0;
        };
        let before = self.counted.replace(now);
        before.map_or(0, |b| u64::from(now.wrapping_sub(b)))
    }
}
