//! Laws of sequences, checked against vectors.

use proptest::prelude::*;

use crate::{Int, Seq, int, seq, str, str16};

fn of(elements: &[u8]) -> Seq<u8> {
    elements.iter().copied().collect()
}

#[test]
fn two_sequences_may_grow_from_the_same_one() {
    let stem = seq![1] + seq![2];
    let (a, b) = (&stem + seq![3], &stem + seq![4]);
    let (c, d) = (seq![0] + &stem, seq![9] + &stem);
    assert_eq!((stem, a, b), (seq![1, 2], seq![1, 2, 3], seq![1, 2, 4]));
    assert_eq!((c, d), (seq![0, 1, 2], seq![9, 1, 2]));
}

#[test]
fn a_sequence_can_be_added_to_itself() {
    let mut s = seq![1];
    for _ in 0..3 {
        s = &s + &s;
    }
    assert_eq!(s, seq![1; 8]);
}

#[test]
fn a_sequence_grows_in_amortised_constant_time_at_either_end() {
    // Both would take minutes if every step copied the sequence.
    const SIZE: i32 = 200_000;
    let (mut ascending, mut descending) = (Seq::new(), Seq::new());
    for i in 0..SIZE {
        let shared = ascending.clone();
        ascending = shared.clone() + seq![i];
        descending = seq![i] + &descending;
    }
    assert_eq!(ascending.size(), 200_000);
    assert!(ascending.iter().eq(descending.iter().rev()));
}

#[test]
fn strings_are_sequences_of_characters_or_of_code_units() {
    assert_eq!(str("a😎").len(), int(2));
    assert_eq!(str16("a😎").len(), int(3));
    assert_eq!(str16("a😎").text(), "a😎");
}

#[test]
fn slices_of_lengths_cover_a_prefix() {
    assert_eq!(
        of(b"abcdef").slices([4, 0, 1]),
        seq![of(b"abcd"), of(b""), of(b"e")]
    );
}

#[test]
fn elements_can_be_computed_from_their_positions() {
    assert_eq!(Seq::init(int(3), |i| i * i), seq![int(0), int(1), int(4)]);
}

#[test]
#[should_panic(expected = "index -1 is out of range of a sequence of length 2")]
fn an_index_is_not_negative() {
    seq![1, 2].get(int(-1));
}

#[test]
#[should_panic(expected = "slice 0 .. 3 is out of range of a sequence of length 2")]
fn a_slice_ends_within_the_sequence() {
    let _ = seq![1, 2].take(3);
}

proptest! {
    #[test]
    fn sequences_behave_like_vectors(a: Vec<u8>, b: Vec<u8>, c: Vec<u8>) {
        let (x, y, z) = (of(&a), of(&b), of(&c));
        let joined = &x + &y;
        prop_assert_eq!(joined.to_vec(), [a.clone(), b.clone()].concat());
        prop_assert_eq!((&x + &y) + &z, &x + (&y + &z));
        prop_assert_eq!(joined.take(x.len()), x.clone());
        prop_assert_eq!(joined.skip(x.len()), y.clone());
        prop_assert_eq!(joined.len(), x.len() + y.len());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(x.is_prefix_of(&y), b.starts_with(&a));
        prop_assert_eq!(x.is_proper_prefix_of(&y), b.starts_with(&a) && a != b);
        prop_assert!(x.is_prefix_of(&joined));
        prop_assert_eq!(x.clone().into_iter().collect::<Vec<u8>>(), a);
        prop_assert_eq!(joined.to_multiset(), x.to_multiset() + y.to_multiset());
    }

    #[test]
    fn an_update_changes_one_element(elements in prop::collection::vec(any::<u8>(), 1..20), at: prop::sample::Index, value: u8) {
        let s = of(&elements);
        let at = at.index(elements.len());
        let mut expected = elements;
        expected[at] = value;
        prop_assert_eq!(s.update(at, value).to_vec(), expected);
    }

    #[test]
    fn growing_slices_and_sums_in_any_order_never_changes_what_was_there(
        steps in prop::collection::vec((0..4_u8, any::<u8>(), any::<prop::sample::Index>()), 0..60),
    ) {
        let mut known: Vec<(Seq<u8>, Vec<u8>)> = vec![(Seq::new(), Vec::new())];
        for (step, element, which) in steps {
            let (s, v) = which.get(&known).clone();
            let next = match step {
                0 => (&s + seq![element], [v, vec![element]].concat()),
                1 => (seq![element] + &s, [vec![element], v].concat()),
                2 => {
                    let at = usize::from(element) % (v.len() + 1);
                    (s.skip(at), v[at..].to_vec())
                }
                _ => {
                    let (t, w) = known[usize::from(element) % known.len()].clone();
                    (&s + &t, [v, w].concat())
                }
            };
            if next.1.len() < 500 {
                known.push(next);
            }
        }
        for (s, v) in known {
            prop_assert_eq!(s.to_vec(), v.clone());
            for (i, element) in v.iter().enumerate() {
                prop_assert_eq!(s[&Int::from(i)], *element);
            }
        }
    }
}
