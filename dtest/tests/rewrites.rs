//! Rewritings of `dafny-rewrite`'s own test programs and of the fixtures behave like the originals,
//! unit by unit, on the inputs that the search finds.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dafny_resolve::typed::Options;
use dafny_rewrite::{Chain, Dialect, Mutation, Subject};
use dtest::pipeline::equivalent::{Comparison, Twins};
use dtest_interp::Limits;
use dtest_lower::{lower, units::units};
use dtest_search::{Options as SearchOptions, search_unit};

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = std::fs::read_dir(root.join("crates/fuzz/dafny-rewrite/tests/programs")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn rewritten_programs_behave_like_their_seeds() {
    let (mut same, mut applied) = (0, 0);
    for path in programs() {
        let text = std::fs::read_to_string(&path).unwrap();
        let options = Options::default();
        let subject =
            Subject::new(&text, &options, Subject::syntax_of(&options), Dialect::Four).unwrap();
        let seed = lower(Arc::new(subject.program().clone()));
        let found: Vec<_> = units(&seed.typed, |_| true)
            .into_iter()
            .map(|u| {
                let result = search_unit(&seed, u.callable, &SearchOptions::default());
                let inputs: Vec<_> = result
                    .tests
                    .into_iter()
                    .map(|t| t.inputs)
                    .chain(result.findings.into_iter().map(|f| f.inputs))
                    .collect();
                (u, inputs)
            })
            .collect();
        let chains = Mutation::ALL
            .iter()
            .flat_map(|m| (0..4).map(|k| (1, k, vec![*m])))
            .chain((0..12).map(|k| (8, k, Mutation::ALL.to_vec())));
        for (order, k, mutations) in chains {
            let new = subject.chain(&Chain {
                order,
                seed: k,
                mutations,
            });
            applied += new.steps.len();
            let (file, _) = dafny_syntax::parse(0, &new.text);
            let other = lower(Arc::new(
                dafny_resolve::resolve(vec![file], options.clone()).0,
            ));
            let twins = Twins::new(&seed, &other);
            for (unit, inputs) in &found {
                for one in inputs {
                    match twins.compare(
                        unit.callable,
                        one,
                        Limits {
                            steps: 100_000,
                            ..Limits::default()
                        },
                    ) {
                        Comparison::Same => same += 1,
                        Comparison::Open(_) => {}
                        Comparison::Different(how) => {
                            panic!(
                                "{}, {}: {how} after {:?}\n{}",
                                path.display(),
                                unit.path,
                                new.steps,
                                new.text
                            )
                        }
                    }
                }
            }
        }
    }
    assert!(
        same > 300 && applied > 100,
        "{same} executions after {applied} mutations"
    );
}
