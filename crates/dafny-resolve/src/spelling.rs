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

/// Returns up to `most` names that are similar to a pattern or contain it, ignoring case, the most
/// similar first. A name is also compared by its part after the last dot.
pub fn similar<'a>(pattern: &str, names: impl Iterator<Item = &'a Name>, most: usize) -> Vec<Name> {
    let limit = pattern.chars().count().div_ceil(3).min(3);
    let lower = pattern.to_lowercase();
    let rank = |name: &'a Name| {
        let last = name.rsplit('.').next().unwrap_or(name);
        let to = |name: &str| strsim::levenshtein(&lower, &name.to_lowercase());
        let near = to(name).min(to(last));
        let has_it = !lower.is_empty() && name.to_lowercase().contains(&lower);
        (near <= limit || has_it).then_some((near, name))
    };
    let mut ranked: Vec<_> = names.filter_map(rank).collect();
    ranked.sort();
    let names = ranked.into_iter().map(|(_, name)| name.clone());
    names.take(most).collect()
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

    #[test]
    fn a_pattern_suggests_names_that_contain_it_and_names_of_members() {
        let names: Vec<Name> = ["M.Sort", "M.Sorted", "Stack.Push", "Resort"]
            .iter()
            .map(|n| Name::from(*n))
            .collect();
        let ask = |n: &str| similar(n, names.iter(), 2).join(" ");
        assert_eq!(ask("Sotr"), "M.Sort");
        assert_eq!(ask("sort"), "M.Sort M.Sorted");
        assert_eq!(ask("Psuh"), "Stack.Push");
        assert_eq!(ask("Multiply"), "");
        assert_eq!(ask(""), "");
    }
}
