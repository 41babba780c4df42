//! Text mutations: removed, swapped, repeated or inserted bytes and tokens.

use dafny_syntax::lex;

/// A small pseudo-random number generator (xorshift64*) with the same sequence on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            0
        } else {
            (self.next() % n as u64) as usize
        }
    }
}

const SNIPPETS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ":=",
    ":|",
    ":-",
    "|",
    "||",
    "/*",
    "\"",
    "'",
    "@",
    "#",
    "`",
    "{:",
    "..",
    "...",
    "if ",
    "then ",
    "else ",
    "match ",
    "case ",
    "method ",
    "function ",
    "forall ",
    "set x | ",
    "var x := ",
    "module M {",
    "0",
    "x",
    "=>",
    "==>",
    "<==",
    "é",
    "\\",
    "decreases to ",
    "by {",
    "calc {",
    "new ",
    "* ",
    "!in ",
];

/// Applies one mutation to a text, on its bytes or its tokens.
fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    match random.below(9) {
        0 => {
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                if let Some(b) = bytes.get_mut(at) {
                    *b = (random.next() & 0x7f) as u8;
                }
            }
        }
        1 => bytes.truncate(random.below(bytes.len())),
        2 => {
            let from = random.below(bytes.len());
            let to = (from + random.below(40)).min(bytes.len());
            bytes.drain(from..to);
        }
        3 => {
            let cut = random.below(other.len());
            bytes.truncate(random.below(bytes.len()));
            bytes.extend_from_slice(&other.as_bytes()[cut..]);
        }
        4 | 5 => {
            let snippet = SNIPPETS[random.below(SNIPPETS.len())];
            let at = random.below(bytes.len());
            bytes.splice(at..at, snippet.bytes());
        }
        operation => {
            let mut pieces: Vec<&str> = Vec::new();
            let mut end = 0;
            for token in lex(0, text).tokens {
                let (start, stop) = (token.span.start as usize, token.span.end as usize);
                pieces.push(&text[end..start]);
                pieces.push(&text[start..stop]);
                end = stop;
            }
            let (a, b) = (random.below(pieces.len()), random.below(pieces.len()));
            match operation {
                6 => {
                    pieces.remove(a);
                }
                7 => pieces.swap(a, b),
                _ => pieces.insert(b, pieces[a]),
            }
            bytes = pieces.concat().into_bytes();
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Passes `count` mutants of `seeds` to `check`, which returns whether it accepted the text.
/// Returns the number of accepted mutants.
pub fn run(seeds: &[String], count: usize, check: &dyn Fn(&str) -> bool) -> usize {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut accepted = 0;
    for _ in 0..count {
        let other = &seeds[random.below(seeds.len())];
        let mut text = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(3) {
            text = mutate(&text, other, &mut random);
        }
        accepted += usize::from(check(&text));
    }
    accepted
}

/// The Dafny programs below the directory in `DTEST_MUTATE_DIR`.
pub fn programs_of_the_directory() -> Vec<String> {
    let dir = std::env::var("DTEST_MUTATE_DIR").expect("DTEST_MUTATE_DIR names a directory");
    let files = walkdir::WalkDir::new(dir)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok);
    let dafny = files.filter(|e| e.path().extension().is_some_and(|x| x == "dfy"));
    dafny
        .filter_map(|e| std::fs::read_to_string(e.path()).ok())
        .filter(|t| t.len() < 40_000)
        .collect()
}
