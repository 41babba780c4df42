use dunit::prelude::*;

/// From src/quantifier_with_two_ranges.dfy:1.
pub fn common(s: &Seq<Int>, t: &Set<Int>) -> bool {
    exists_in(
        0,
        s.len(),
        |i| std::iter::once(s[i].clone()).any(|x| t.contains(&x) && s[i] == x),
    )
}
