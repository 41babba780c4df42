//! Smaller programs that disagree in the same way.
//!
//! Lines are deleted, alone or with the block that they open, as long as what remains disagrees: candidates go through
//! the compiler together.

use super::driver::{Bench, Verdict};

/// The smallest program that was found, which disagrees as `kind`.
pub fn reduce(bench: &Bench, text: &str, kind: &str) -> String {
    let mut best: Vec<String> = text.lines().map(str::to_owned).collect();
    loop {
        let candidates = candidates(&best);
        let bad = disagreeing(bench, &candidates.iter().map(|c| without(&best, c)).collect::<Vec<_>>(), kind);
        let mut removable: Vec<Vec<usize>> = bad.iter().filter_map(|&i| candidates.get(i).cloned()).collect();
        if removable.is_empty() {
            return best.join("\n") + "\n";
        }
        removable.sort_by_key(|c| std::cmp::Reverse(c.len()));
        // Several at once, where they do not depend on each other.
        let mut tries: Vec<Vec<usize>> = Vec::new();
        let mut count = removable.len();
        while count > 1 {
            tries.push(removable[..count].concat());
            tries.push(removable[removable.len() - count..].concat());
            count = count * 2 / 3;
        }
        tries.push(removable[0].clone());
        tries.sort_by_key(|c| {
            let mut distinct = c.clone();
            distinct.sort_unstable();
            distinct.dedup();
            std::cmp::Reverse(distinct.len())
        });
        let bad = disagreeing(bench, &tries.iter().map(|c| without(&best, c)).collect::<Vec<_>>(), kind);
        let Some(&first) = bad.first() else { return best.join("\n") + "\n" };
        best = without(&best, &tries[first]);
    }
}

fn disagreeing(bench: &Bench, candidates: &[Vec<String>], kind: &str) -> Vec<usize> {
    let texts: Vec<String> = candidates.iter().map(|c| c.join("\n") + "\n").collect();
    let verdicts = bench.judge(&texts);
    let same = |v: &Verdict| matches!(v, Verdict::Disagrees(d) if d.kind == kind);
    verdicts.iter().enumerate().filter(|(_, v)| same(v)).map(|(i, _)| i).collect()
}

fn without(lines: &[String], removed: &[usize]) -> Vec<String> {
    lines.iter().enumerate().filter(|(i, _)| !removed.contains(i)).map(|(_, l)| l.clone()).collect()
}

/// Sets of lines that may go: a line alone, a block with its head, a head and its end without what is between.
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
