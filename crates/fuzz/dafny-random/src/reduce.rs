//! Reduction of programs by lines.
//!
//! Lines are deleted, alone or with the block that they open, as long as the rest still satisfies
//! the predicate. Many candidates are checked together, because the predicate may run a compiler
//! whose cost hardly depends on their number.

/// Returns the smallest program found, among the lines of `text`, that satisfies the predicate.
/// `shows` receives several texts and returns for each whether it satisfies the predicate.
pub fn reduce(text: &str, shows: &mut dyn FnMut(&[String]) -> Vec<bool>) -> String {
    let mut best: Vec<String> = text.lines().map(str::to_owned).collect();
    loop {
        let candidates = candidates(&best);
        let good = showing(
            &candidates
                .iter()
                .map(|c| without(&best, c))
                .collect::<Vec<_>>(),
            shows,
        );
        let mut removable: Vec<Vec<usize>> = good
            .iter()
            .filter_map(|&i| candidates.get(i).cloned())
            .collect();
        removable.sort_by_key(|c| std::cmp::Reverse(c.len()));
        let tries = together(&removable);
        let found = showing(
            &tries.iter().map(|c| without(&best, c)).collect::<Vec<_>>(),
            shows,
        );
        let Some(smaller) = found.first().and_then(|&i| tries.get(i)) else {
            return best.join("\n") + "\n";
        };
        best = without(&best, smaller);
    }
}

/// Combinations of independent deletions: the first ones, the last ones, ever fewer, and at the end
/// only the first one. Larger deletions come first.
fn together(removable: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut tries: Vec<Vec<usize>> = Vec::new();
    let mut count = removable.len();
    while count > 1 {
        tries.push(removable.iter().take(count).flatten().copied().collect());
        tries.push(
            removable
                .iter()
                .skip(removable.len() - count)
                .flatten()
                .copied()
                .collect(),
        );
        count = count * 2 / 3;
    }
    tries.extend(removable.first().cloned());
    tries.sort_by_key(|c| {
        let mut distinct = c.clone();
        distinct.sort_unstable();
        distinct.dedup();
        std::cmp::Reverse(distinct.len())
    });
    tries
}

fn showing(
    candidates: &[Vec<String>],
    shows: &mut dyn FnMut(&[String]) -> Vec<bool>,
) -> Vec<usize> {
    let texts: Vec<String> = candidates.iter().map(|c| c.join("\n") + "\n").collect();
    if texts.is_empty() {
        return Vec::new();
    }
    shows(&texts)
        .into_iter()
        .enumerate()
        .filter(|(_, shown)| *shown)
        .map(|(i, _)| i)
        .collect()
}

fn without(lines: &[String], removed: &[usize]) -> Vec<String> {
    lines
        .iter()
        .enumerate()
        .filter(|(i, _)| !removed.contains(i))
        .map(|(_, l)| l.clone())
        .collect()
}

/// Sets of lines to delete: a single line, a block with its head, or a head and its closing line
/// without the contents.
fn candidates(lines: &[String]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if !line.ends_with('{') {
            found.push(vec![i]);
            continue;
        }
        let mut depth = 0i32;
        for (j, line) in lines.iter().enumerate().skip(i) {
            depth += i32::from(line.ends_with('{')) - i32::from(line.trim_start().starts_with('}'));
            if depth == 0 {
                found.push((i..=j).collect());
                found.push(vec![i, j]);
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irrelevant_lines_are_removed_alone_or_with_their_block_or_around_it() {
        let text = "method Main() {\n  var x := 1;\n  if x > 0 {\n    print x;\n  }\n  while x > 2 {\n    x := 1;\n  }\n}\n";
        let mut asked = 0;
        let small = reduce(text, &mut |texts| {
            asked += texts.len();
            texts
                .iter()
                .map(|t| t.contains("print x") && t.matches('{').count() == t.matches('}').count())
                .collect()
        });
        assert_eq!(small.trim(), "print x;");
        assert!(asked < 60, "{asked}");
    }

    #[test]
    fn a_program_that_fails_the_predicate_is_unchanged() {
        assert_eq!(
            reduce("a\nb\n", &mut |texts| vec![false; texts.len()]),
            "a\nb\n"
        );
    }
}
