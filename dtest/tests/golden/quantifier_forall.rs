use dunit::prelude::*;

/// From src/quantifier_forall.dfy:1.
pub fn sorted(s: &Seq<Int>) -> bool {
    forall_in(
        0,
        s.len() - 1,
        |i| forall_in(
            i + 1,
            s.len(),
            |j| !(0 <= *i && i < j && *j < s.len()) || s[i] <= s[j],
        ),
    )
}
