use dunit::prelude::*;

/// ```dafny
/// requires |s| == 5
/// ```
///
/// From src/sequence_slices_of_lengths.dfy:1.
pub fn parts(s: &Seq<Char>) -> Seq<Seq<Char>> {
    let whole = s;
    let lengths = [int(2), int(1)];
    whole
        .slices(
            lengths
                .iter()
                .cloned()
                .chain([whole.len() - lengths.iter().fold(int(0), |sum, n| sum + n)]),
        )
}
