//! The rounds of a campaign of false claims.

use dafny_claims::{Claim, Options, Stage, Wrapping};
use dafny_rewrite::Random;
use dtest_sorted::SortedMap;

use crate::fuzz::Class;
use crate::fuzz::false_claims::Round;

/// Number of claims that are verified together.
const PACK: usize = 40;
/// Maximum number of claims that are verified to find the part that is the cause of a finding.
const SIBLINGS: usize = 5;

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
                rounds.extend(in_turn(families, &claims, &mut random).into_iter().map(
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

    /// Returns a round with a few claims that share one of the first two parts of a claim, the one
    /// at `place`, and not the other.
    pub(super) fn siblings(&self, round: &Round, claim: &str, place: usize) -> Round<'_> {
        let of_claim = parts(claim);
        let is_sibling = |c: &&Claim| {
            let has_options = round.is_general || c.options == Options::Default;
            let name = format!("{}: {}", c.family, c.name);
            match (&of_claim, parts(&name)) {
                (Some((family, [a, b])), Some((f, [x, y]))) if *family == f && has_options => {
                    (*a == x, *b == y) == (place == 0, place == 1)
                }
                _ => false,
            }
        };
        let all: Vec<&Claim> = self.claims.iter().filter(is_sibling).collect();
        // Neighbours in the table are alike.
        let step = (all.len() / SIBLINGS).max(1);
        Round {
            claims: all.into_iter().step_by(step).take(SIBLINGS).collect(),
            wrapping: round.wrapping,
            is_general: round.is_general,
        }
    }
}

/// Divides families into packs, in a random order in which new parts come first, and returns one
/// pack of each family after the other.
fn in_turn(
    families: SortedMap<(&str, Stage, bool), Vec<usize>>,
    all: &[Claim],
    random: &mut Random,
) -> Vec<(bool, Vec<usize>)> {
    let mut packs: Vec<(usize, bool, Vec<usize>)> = Vec::new();
    for ((_, _, is_general), mut claims) in families {
        // Fisher and Yates.
        for i in (1..claims.len()).rev() {
            claims.swap(i, random.below(i + 1));
        }
        let claims = new_parts_first(&claims, all);
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

/// Sorts the claims of a family by the number of earlier claims with their rarest part. A bug
/// accepts most claims with one part, so that one claim with each part finds most bugs: in a family
/// of 200 positions and 100 values, the first 300 claims of 20,000 have all of them.
fn new_parts_first(claims: &[usize], all: &[Claim]) -> Vec<usize> {
    let mut earlier: SortedMap<(usize, &str), usize> = SortedMap::new();
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for index in claims {
        let name = all.get(*index).map_or("", |claim| claim.name.as_str());
        let mut rank = usize::MAX;
        for place_and_part in name.split('/').enumerate() {
            let count = earlier.entry(place_and_part).or_default();
            rank = rank.min(*count);
            *count += 1;
        }
        ranked.push((rank, *index));
    }
    // The sort is stable: claims of one rank stay in their random order.
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, index)| index).collect()
}

/// The share of the claims with one part that the verifier accepts, among those that were verified
/// to find the cause of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) accepted: usize,
    pub(super) verified: usize,
}

impl Share {
    /// Compares two shares. The share of no claims is zero.
    fn cmp(self, other: Self) -> std::cmp::Ordering {
        let [one, two] = [(self, other), (other, self)]
            .map(|(share, by)| share.accepted.saturating_mul(by.verified.max(1)));
        one.cmp(&two)
    }

    fn is_all(self) -> bool {
        self.verified > 0 && self.accepted == self.verified
    }
}

/// Stands for any part in the key of a kind.
const ANY: &str = "*";

/// The kinds of accepted claims, by their keys: `family: part/part`, where each of the parts may be
/// [`ANY`]. One bug accepts many claims, which have the part in common that is its cause, whether
/// an execution shows a violation or a rule forbids them.
#[derive(Default)]
pub(super) struct Kinds(Vec<(Class, String)>);

impl Kinds {
    /// Creates the kinds of an earlier run.
    pub(super) fn known(kinds: impl Iterator<Item = (Class, String)>) -> Self {
        Self(kinds.collect())
    }

    /// Returns the class and key of the kind that covers a claim.
    pub(super) fn of(&self, claim: &str) -> Option<(Class, String)> {
        self.0.iter().find(|(_, key)| covers(key, claim)).cloned()
    }

    /// Adds a kind.
    pub(super) fn add(&mut self, class: Class, key: String) {
        self.0.push((class, key));
    }
}

/// Returns the family and the first two parts of a claim or a key; `None` if it has only one part.
fn parts(text: &str) -> Option<(&str, [&str; 2])> {
    let (family, parts) = text.split_once(": ")?;
    let mut parts = parts.split('/');
    Some((family, [parts.next()?, parts.next()?]))
}

/// Returns the key of the kind of a claim, by the shares of accepted claims among others with its
/// first part, and among others with its second part. The part with the larger share is the cause.
/// If all of these claims are accepted, the whole family is of one kind; if the shares are equal,
/// the cause is not known, and the kind has both parts.
pub(super) fn key(claim: &str, with_first: Share, with_second: Share) -> String {
    let Some((family, [first, second])) = parts(claim) else {
        return claim.to_owned();
    };
    if with_first.is_all() && with_second.is_all() {
        return format!("{family}: {ANY}/{ANY}");
    }
    match with_first.cmp(with_second) {
        std::cmp::Ordering::Greater => format!("{family}: {first}/{ANY}"),
        std::cmp::Ordering::Less => format!("{family}: {ANY}/{second}"),
        std::cmp::Ordering::Equal => format!("{family}: {first}/{second}"),
    }
}

/// Whether a kind covers a claim.
fn covers(key: &str, claim: &str) -> bool {
    match (parts(key), parts(claim)) {
        (Some((f, of_key)), Some((g, of_claim))) => {
            let mut pairs = of_key.iter().zip(of_claim);
            f == g && pairs.all(|(k, c)| *k == c || *k == ANY)
        }
        _ => key == claim,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
    fn the_first_claims_of_a_family_have_all_of_its_parts() {
        let table = ClaimTable::new(1, true);
        let parts = |claims: &[usize]| -> BTreeSet<(usize, &str)> {
            let names = claims.iter().map(|i| table.claims[*i].name.as_str());
            names.flat_map(|name| name.split('/').enumerate()).collect()
        };
        let of = |family: &str| -> Vec<usize> {
            let is_first_pass = |r: &&Planned| r.wrapping == Wrapping::Plain && !r.is_general;
            let rounds = table.rounds.iter().filter(is_first_pass);
            let claims = rounds.flat_map(|r| r.claims.iter().copied());
            let is_of_family = |i: &usize| table.claims[*i].family == family;
            claims.filter(is_of_family).collect()
        };
        for family in ["ill-defined", "type-argument", "statement", "constraint"] {
            let claims = of(family);
            let all = parts(&claims);
            let first = parts(&claims[..all.len() * 2]);
            assert_eq!(first.len(), all.len(), "{family}");
        }
    }

    #[test]
    fn a_kind_is_named_by_the_part_that_is_its_cause() {
        let of = |accepted| Share {
            accepted,
            verified: 5,
        };
        assert_eq!(key("a: x/1/7", of(3), of(0)), "a: x/*");
        assert_eq!(key("a: x/1/7", of(1), of(4)), "a: */1");
        assert_eq!(key("a: x/1/7", of(2), of(2)), "a: x/1");
        assert_eq!(key("a: x/1/7", of(0), of(0)), "a: x/1");
        assert_eq!(key("a: x/1/7", of(5), of(4)), "a: x/*");
        assert_eq!(key("a: x/1/7", of(5), of(5)), "a: */*");
        assert_eq!(key("a: x", of(5), of(0)), "a: x");
        // Of a family with one claim, there is nothing to compare with.
        let none = Share {
            accepted: 0,
            verified: 0,
        };
        assert_eq!(key("a: x/1", none, none), "a: x/1");
        assert_eq!(key("a: x/1", of(1), none), "a: x/*");
    }

    #[test]
    fn a_kind_covers_the_claims_with_its_parts() {
        let mut kinds = Kinds::default();
        kinds.add(Class::Unsound, "a: x/*".to_owned());
        kinds.add(Class::Accepted, "b: x/1".to_owned());
        kinds.add(Class::Accepted, "c: x".to_owned());
        kinds.add(Class::Accepted, "d: */*".to_owned());
        let class = |claim| kinds.of(claim).map(|(class, _)| class);
        assert_eq!(class("a: x/2/7"), Some(Class::Unsound));
        assert_eq!(class("a: y/2/7"), None);
        assert_eq!(class("b: x/1/7"), Some(Class::Accepted));
        assert_eq!(class("b: x/2"), None);
        assert_eq!(class("c: x"), Some(Class::Accepted));
        assert_eq!(class("c: y"), None);
        assert_eq!(class("d: x/1/7"), Some(Class::Accepted));
        assert_eq!(class("d: x"), None);
    }

    #[test]
    fn siblings_share_one_part_of_a_claim() {
        let table = ClaimTable::new(1, true);
        let round = table.round(0).unwrap();
        let claim = "type-argument: by-method/object/no-references";
        let names = |place| -> Vec<String> {
            let siblings = table.siblings(&round, claim, place).claims;
            siblings.iter().map(|c| c.name.clone()).collect()
        };
        let (first, second) = (names(0), names(1));
        assert_eq!((first.len(), second.len()), (SIBLINGS, SIBLINGS));
        for name in first {
            assert!(
                name.starts_with("by-method/") && !name.contains("/object/"),
                "{name}"
            );
        }
        for name in second {
            assert!(
                !name.starts_with("by-method/") && name.contains("/object/"),
                "{name}"
            );
        }
    }
}
