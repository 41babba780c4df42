//! The rounds of a campaign of false claims.

use dafny_claims::{Claim, Options, Stage, Wrapping};
use dafny_rewrite::Random;
use dtest_sorted::SortedMap;

use crate::fuzz::Class;
use crate::fuzz::false_claims::Round;

/// Number of claims that are verified together.
const PACK: usize = 40;

/// The claims of a campaign, in the order of their rounds.
pub(super) struct ClaimTable {
    claims: Vec<Claim>,
    rounds: Vec<Planned>,
}

/// The claims of a round, by their indices.
struct Planned {
    claims: Vec<usize>,
    wrapping: Wrapping,
    is_general: bool,
}

impl ClaimTable {
    /// Creates the table, with claims in an order that `seed` determines. Families take turns, so
    /// that small ones are not late. All claims are verified plain, then with the other options (if
    /// `takes_options`), then in other modules.
    pub(super) fn new(seed: u64, takes_options: bool) -> Self {
        let claims = dafny_claims::claims();
        let mut random = Random::new(seed);
        let mut rounds = Vec::new();
        for wrapping in Wrapping::ALL {
            for is_general in [false, true] {
                if is_general && !takes_options {
                    continue;
                }
                // Claims that need options are verified once; the second pass repeats the others.
                let has_turn =
                    |c: &Claim| takes_options || c.options == Options::Default && !is_general;
                let mut families: SortedMap<(&str, Stage, bool), Vec<usize>> = SortedMap::new();
                for (i, claim) in claims.iter().enumerate() {
                    let needs = claim.options == Options::General;
                    if !has_turn(claim) || needs && is_general {
                        continue;
                    }
                    families
                        .entry((claim.family, claim.stage, needs || is_general))
                        .or_default()
                        .push(i);
                }
                rounds.extend(in_turn(families, &mut random).into_iter().map(
                    |(is_general, claims)| Planned {
                        claims,
                        wrapping,
                        is_general,
                    },
                ));
            }
        }
        Self { claims, rounds }
    }

    /// Returns a round, or `None` after the last one.
    pub(super) fn round(&self, n: u64) -> Option<Round<'_>> {
        let planned = self.rounds.get(usize::try_from(n).ok()?)?;
        Some(Round {
            claims: planned
                .claims
                .iter()
                .filter_map(|i| self.claims.get(*i))
                .collect(),
            wrapping: planned.wrapping,
            is_general: planned.is_general,
        })
    }
}

/// Divides shuffled families into packs, and returns one pack of each family after the other.
fn in_turn(
    families: SortedMap<(&str, Stage, bool), Vec<usize>>,
    random: &mut Random,
) -> Vec<(bool, Vec<usize>)> {
    let mut packs: Vec<(usize, bool, Vec<usize>)> = Vec::new();
    for ((_, _, is_general), mut claims) in families {
        // Fisher and Yates.
        for i in (1..claims.len()).rev() {
            claims.swap(i, random.below(i + 1));
        }
        packs.extend(
            claims
                .chunks(PACK)
                .enumerate()
                .map(|(turn, claims)| (turn, is_general, claims.to_vec())),
        );
    }
    packs.sort_by_key(|(turn, _, _)| *turn);
    packs
        .into_iter()
        .map(|(_, is_general, claims)| (is_general, claims))
        .collect()
}

/// The kinds of accepted claims: one bug accepts many claims that have a part in common, whether an
/// execution shows a violation or a rule forbids them.
#[derive(Default)]
pub(super) struct Kinds(Vec<(Class, String)>);

impl Kinds {
    /// Creates the kinds of an earlier run.
    pub(super) fn known(kinds: impl Iterator<Item = (Class, String)>) -> Self {
        Self(kinds.collect())
    }

    /// Returns the class and name of the first accepted claim that shares its family and one of its
    /// first two parts, or those of the claim itself.
    pub(super) fn of(&mut self, class: Class, claim: &str) -> (Class, String) {
        if let Some(first) = self.0.iter().find(|(_, first)| is_similar(first, claim)) {
            return first.clone();
        }
        self.0.push((class, claim.to_owned()));
        (class, claim.to_owned())
    }
}

/// Whether two claims, as `family: part/part/…`, share their family and one of their first two
/// parts.
fn is_similar(a: &str, b: &str) -> bool {
    let parts = |claim: &str| -> Option<(String, Vec<String>)> {
        let (family, parts) = claim.split_once(": ")?;
        Some((
            family.to_owned(),
            parts.split('/').take(2).map(str::to_owned).collect(),
        ))
    };
    match (parts(a), parts(b)) {
        (Some((f, a)), Some((g, b))) => f == g && a.iter().zip(&b).any(|(x, y)| x == y),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_has_a_plain_round_and_the_seed_decides_the_order() {
        let table = ClaimTable::new(1, true);
        let mut seen = vec![0; table.claims.len()];
        for planned in &table.rounds {
            let options: Vec<_> = planned
                .claims
                .iter()
                .map(|i| table.claims[*i].options)
                .collect();
            assert!(planned.is_general || !options.contains(&Options::General));
            if planned.wrapping == Wrapping::Plain {
                planned.claims.iter().for_each(|i| seen[*i] += 1);
            }
        }
        for (claim, times) in table.claims.iter().zip(&seen) {
            let expected = if claim.options == Options::General {
                1
            } else {
                2
            };
            assert_eq!(*times, expected, "{}", claim.name);
        }
        let other = ClaimTable::new(2, true);
        assert_ne!(other.rounds[0].claims, table.rounds[0].claims);
    }

    #[test]
    fn claims_of_one_position_or_one_part_are_of_one_kind() {
        let mut kinds = Kinds::default();
        let mut of = |claim: &str| kinds.of(Class::Accepted, claim).1;
        assert_eq!(of("a: x/1"), "a: x/1");
        assert_eq!(of("a: x/2"), "a: x/1");
        assert_eq!(of("a: y/1"), "a: x/1");
        assert_eq!(of("a: z/3"), "a: z/3");
        assert_eq!(of("b: x/1"), "b: x/1");
    }

    #[test]
    fn a_kind_keeps_its_class() {
        let mut kinds = Kinds::default();
        kinds.of(Class::Unsound, "a: x/1");
        let (class, _) = kinds.of(Class::Accepted, "a: x/2");
        assert_eq!(class, Class::Unsound);
    }
}
