//! Random units with contracts on their parameters: every suite compiles, and every test passes on
//! its translation.
//!
//! Units have one to three parameters of many types, preconditions on sizes, elements, aliasing and
//! shapes, and a small body that branches on them. `DTEST_CONTRACT_UNITS=1000 cargo test -p dtest
//! --test cli contracts -- --nocapture` runs that many, in packages of 50; `DTEST_CONTRACT_SEED`
//! sets the first seed. No unit violates an obligation: a reported violation also fails the test.

use super::package::Package;
use super::suite::cargo_test;

/// Number of units of one package.
const PACKAGE: u64 = 50;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// A pseudo-random number generator (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A type of parameters, with conditions on a value `$`; `#` is a small number.
struct Kind {
    ty: &'static str,
    conditions: &'static [&'static str],
    /// Whether values are references, which may be equal.
    is_reference: bool,
}

const fn kind(ty: &'static str, conditions: &'static [&'static str]) -> Kind {
    Kind {
        ty,
        conditions,
        is_reference: false,
    }
}

const fn reference(ty: &'static str, conditions: &'static [&'static str]) -> Kind {
    Kind {
        is_reference: true,
        ..kind(ty, conditions)
    }
}

const DECLARATIONS: &str = "\
datatype Three = A | B | C
datatype Option<T> = None | Some(value: T)
datatype List = Nil | Cons(head: int, tail: List)
datatype Holder = Holder(f: int -> int, n: int)
newtype Small = x: int | 0 <= x < 20
type Positive = x: int | x > 0 witness 1
class Node { var x: int var next: Node? const k: bool constructor (k: bool) { x, next := 0, null; this.k := k; } }
";

const KINDS: &[Kind] = &[
    kind("int", &["$ > #", "$ % 7 == 2", "-5 <= $ < #", "$ == #"]),
    kind("nat", &["$ > #", "$ == #"]),
    kind("bool", &["$", "!$"]),
    kind("char", &["$ > 'f'", "$ == 'z'"]),
    kind("real", &["$ > #.5", "$ == 0.25"]),
    kind("bv8", &["$ & 3 == 1", "$ > 100"]),
    kind("Small", &["$ > 15", "$ % 2 == 1"]),
    kind("Positive", &["$ > #", "$ == 1"]),
    kind("Three", &["$.A?", "!$.C?"]),
    kind("Option<int>", &["$.None?", "$.Some? && $.value > #"]),
    kind(
        "List",
        &[
            "$.Cons? && $.tail.Cons?",
            "$.Cons? && $.head == #",
            "$.Nil?",
        ],
    ),
    kind("(int, bool)", &["$.0 > #", "$.1"]),
    kind("string", &["|$| == #", "|$| > 0 && $[0] == 'a'"]),
    kind(
        "seq<int>",
        &[
            "|$| == #",
            "|$| >= #",
            "forall i :: 0 <= i < |$| ==> $[i] > 0",
            "|$| > 1 && $[0] == $[1]",
        ],
    ),
    kind("seq<bool>", &["|$| == #", "|$| > 4 && $[4]"]),
    kind("seq<seq<Three>>", &["|$| > 1 && |$[1]| == #", "|$| == #"]),
    kind("set<int>", &["|$| == #", "# in $"]),
    kind("set<bool>", &["|$| == 1", "true in $"]),
    kind("multiset<int>", &["|$| > #", "$[#] == 2"]),
    kind("map<int, bool>", &["|$| == #", "# in $ && $[#]"]),
    kind("int -> bool", &["$(#)", "$(0) != $(1)"]),
    kind("int -> int", &["$(1) > #", "$(0) == $(1)"]),
    kind("(int -> int) -> int", &["$((x: int) => x) > -1000"]),
    kind("(int, int) -> bool", &["$(1, 2)", "!$(#, #)"]),
    kind("Holder", &["$.n > #", "$.f(1) == #"]),
    reference(
        "array<bool>",
        &["$.Length == #", "$.Length > 6", "$.Length > 1 && $[1]"],
    ),
    reference(
        "array<Three>",
        &["$.Length == #", "$.Length > 3 && $[3].B?"],
    ),
    reference(
        "array<int>",
        &[
            "$.Length == #",
            "$.Length > 1 && $[0] < $[1]",
            "forall i :: 0 <= i < $.Length ==> $[i] > 0",
        ],
    ),
    reference(
        "array<Small>",
        &["$.Length == #", "$.Length > 0 && $[0] == 7"],
    ),
    reference(
        "array2<bool>",
        &[
            "$.Length0 == # && $.Length1 == 2",
            "$.Length0 > 1 && $.Length1 > 1 && $[1, 1]",
        ],
    ),
    reference(
        "Node",
        &[
            "$.x > #",
            "$.next != null",
            "$.next == $",
            "$.next != null && $.next.next == $",
            "$.k",
        ],
    ),
    reference("Node?", &["$ == null", "$ != null && $.x == #"]),
];

/// Generates the text of a unit.
fn unit(number: u64, random: &mut Random) -> String {
    let mut params = Vec::new();
    let mut conditions: Vec<String> = Vec::new();
    for i in 0..1 + random.below(3) {
        // Two parameters of one type may be aliases.
        let kind = match params.last() {
            Some((_, kind)) if random.below(3) == 0 => *kind,
            Some(_) | None => random.pick(KINDS),
        };
        params.push((format!("p{i}"), kind));
    }
    let condition = |random: &mut Random| {
        let (name, kind): &(String, &Kind) = random.pick(&params);
        let other = params
            .iter()
            .find(|(other, k)| other != name && k.ty == kind.ty && k.is_reference);
        if let Some((other, _)) = other.filter(|_| random.below(3) == 0) {
            let op = random.pick(&["==", "!="]);
            return format!("{name} {op} {other}");
        }
        let small = random.pick(&["0", "1", "2", "3", "5", "7", "10"]);
        let text = random.pick(kind.conditions).replace('$', name);
        text.replace('#', small)
    };
    for _ in 0..random.below(3) {
        let text = condition(random);
        if !conditions.contains(&text) {
            conditions.push(text);
        }
    }
    let requires: String = conditions
        .iter()
        .map(|c| format!("  requires {c}\n"))
        .collect();
    let mut body = String::from("  r := 0;\n");
    for i in 0..1 + random.below(3) {
        body += &format!("  if {} {{ r := r + {}; }}\n", condition(random), 1 << i);
    }
    let params: Vec<String> = params
        .iter()
        .map(|(n, k)| format!("{n}: {}", k.ty))
        .collect();
    format!(
        "method U{number}({}) returns (r: int)\n{requires}{{\n{body}}}\n",
        params.join(", ")
    )
}

#[test]
fn every_test_of_random_contracts_passes_on_the_translation() {
    let (count, first) = (
        number("DTEST_CONTRACT_UNITS", 30),
        number("DTEST_CONTRACT_SEED", 1),
    );
    let mut start = 0;
    while start < count {
        let end = (start + PACKAGE).min(count);
        let mut source = String::from(DECLARATIONS);
        for n in start..end {
            let mut random = Random(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(first + n) | 1);
            for _ in 0..4 {
                random.below(2);
            }
            source += &unit(first + n, &mut random);
        }
        start = end;
        if let Ok(folder) = std::env::var("DTEST_CONTRACT_OUT") {
            std::fs::write(format!("{folder}/contracts-{end}.dfy"), &source).unwrap();
        }
        let package = Package::new(&[("src/lib.dfy", &source)]);
        std::fs::copy(
            super::package::runtime().join("../Cargo.lock"),
            package.root().join("Cargo.lock"),
        )
        .unwrap();
        let run = package.run(&["gen", "--timeout", "60"]);
        assert_eq!(run.code, 0, "{source}\n{}", run.shown());
        println!(
            "{}",
            run.stdout
                .lines()
                .rev()
                .take(3)
                .collect::<Vec<_>>()
                .join("\n")
        );
        let (passed, text) = cargo_test(&package, "contracts");
        assert!(passed, "{source}\n{text}");
    }
}
