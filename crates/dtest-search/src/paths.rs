//! Tests for feasible paths: AlgPC (Christ, Hoenicke, Schäf 2012, section 5).
//!
//! Each model determines a path; a blocking clause excludes it, and the solver is asked for another
//! one, until none is left within the bounds or the limit is reached. A path is the sequence of
//! edges of the unit's outermost activation with its inlined callees, as the interpreter executed
//! it.

use super::api::{Budget, GoalStatus};
use super::session::{Session, Verdict};
use super::{Search, Validator};
use dafny_resolve::typed::CallableId;
use dtest_ir::{BlockId, Criterion, GoalId};

impl Search<'_> {
    /// Whether paths are goals of this unit. Linked code has no known paths.
    pub(super) fn wants_paths(&self) -> bool {
        self.program.criteria.has(Criterion::Path) && !self.is_opaque()
    }

    /// Searches for further paths, with a budget of its own. The paths that stay open are
    /// summarized in one goal with their number.
    pub(super) fn paths(&mut self) {
        self.renew();
        // The bounds at which the search for other goals ended.
        let encoding = match self.cut() {
            Ok(encoding) if encoding.exhausted => {
                return self.leave_paths(GoalStatus::OutOfBudget(Budget::Terms));
            }
            Ok(encoding) => encoding,
            Err(reason) => return self.leave_paths(GoalStatus::Unsupported(reason)),
        };
        // If a construct is unsupported and no path is known, there is nothing to claim.
        if let (Some(reason), true) = (encoding.reasons.first(), self.validator.paths.is_empty()) {
            return self.leave_paths(GoalStatus::Unsupported(reason.clone()));
        }
        let in_graph = encoding.paths;
        let blurred = encoding.reasons.first().cloned();
        let mut session = Session::new(encoding, self.options);
        let mut refuted = false;
        let verdict = loop {
            // One path more than the limit is searched for, to know whether the limit was the
            // obstacle.
            if self.is_over()
                || self.validator.paths.len() as u64 > u64::from(self.options.max_paths)
            {
                break Verdict::Unknown;
            }
            match session.any() {
                Verdict::Model(model) => {
                    let path = session.path_of(&model);
                    // Simplified along the same path.
                    let small = session.smaller(&[path], model);
                    let findings = self.validator.findings.len();
                    match session
                        .encoding
                        .decode(&small)
                        .and_then(|i| self.validator.validate(i))
                    {
                        Some(candidate) => self.accept(candidate),
                        None => refuted |= self.validator.findings.len() == findings,
                    }
                    // The path is blocked even if its inputs were refuted: its status is then not
                    // confirmed.
                    session.block_path(path);
                }
                done @ (Verdict::Unreachable | Verdict::Unknown) => break done,
            }
            self.effort.spent.solver += session.take_spent();
        };
        self.close(&mut session);
        self.keep_to_limit();
        let found = self.validator.paths.len() as u64;
        // The claim depends on why no further path was found.
        match (verdict, blurred) {
            (Verdict::Unreachable, None) if refuted => self.leave_paths(GoalStatus::NotConfirmed),
            (Verdict::Unreachable, None) => {
                let all = if found == 1 {
                    "1 path: no other is".to_owned()
                } else {
                    format!("{found} paths: no other is")
                };
                self.claims
                    .push(format!("{all} feasible within the bounds ({})", self.bounds).into());
            }
            (_, Some(reason)) => self.leave_paths(GoalStatus::Unsupported(reason)),
            (Verdict::Unknown | Verdict::Model(_), None) => {
                // The graph has at most this many paths, feasible or not.
                let open = in_graph.saturating_sub(found);
                let paths = if found == 1 {
                    "1 path".to_owned()
                } else {
                    format!("{found} paths")
                };
                self.claims.push(
                    format!(
                        "{paths}; at most {open} more within the bounds ({}) are open",
                        self.bounds
                    )
                    .into(),
                );
                let limit = self.options.max_paths;
                let stopped = if found >= u64::from(limit) {
                    Budget::Paths(limit)
                } else {
                    self.used_up()
                };
                self.leave_paths(GoalStatus::PathsLeft {
                    most: open,
                    stopped,
                });
            }
        }
    }

    /// Removes the paths beyond the limit. Their only purpose was to show that there are more.
    fn keep_to_limit(&mut self) {
        // The numbers of paths ascend in the order of discovery.
        let limit = self.options.max_paths;
        let beyond = |g: &GoalId| matches!(g, GoalId::Path(i) if *i >= limit);
        for candidate in &mut self.accepted {
            candidate.covers.retain(|g| !beyond(g));
            candidate.order.retain(|g| !beyond(g));
        }
        self.accepted.retain(|t| !t.covers.is_empty());
        self.covered.retain(|g| !beyond(g));
        self.validator.paths.retain(|_, i| *i < limit);
    }

    fn leave_paths(&mut self, status: GoalStatus) {
        let next = self.validator.paths.len() as u32;
        self.status.insert(GoalId::Path(next), status);
    }
}

impl Validator<'_> {
    /// The number of the path that a candidate takes: a new one if no candidate took it before.
    pub(super) fn number_path(&mut self, path: &[(CallableId, BlockId, BlockId)]) -> GoalId {
        let next = self.paths.len() as u32;
        GoalId::Path(*self.paths.entry(path.to_vec()).or_insert(next))
    }
}
