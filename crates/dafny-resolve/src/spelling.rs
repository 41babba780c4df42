//! Suggestions for misspelled names: the visible name with the most similar spelling.

use dafny_source::Name;

/// Returns the name with the smallest edit distance, if that is at most a third of the letters. The
/// alphabetically first of equally similar names is chosen, so that the result does not depend on
/// the order of `names`.
pub fn closest<'a>(name: &str, names: impl Iterator<Item = &'a Name>) -> Option<Name> {
    let limit = name.chars().count().div_ceil(3).min(3);
    let close = names
        .filter(|n| &***n != name)
        .map(|n| (distance(name, n), n))
        .filter(|(d, _)| *d <= limit);
    close.min().map(|(_, n)| n.clone())
}

/// The edit distance, with at most one unit for all changes of case.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 1;
    }
    strsim::levenshtein(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_suggests_the_name_and_a_different_word_does_not() {
        let names: Vec<Name> = ["Length", "Lengths", "Seq"]
            .iter()
            .map(|n| Name::from(*n))
            .collect();
        let ask = |n: &str| closest(n, names.iter()).map(|n| n.to_string());
        assert_eq!(ask("Lenght"), Some("Length".into()));
        assert_eq!(ask("length"), Some("Length".into()));
        assert_eq!(ask("Multiply"), None);
    }
}
