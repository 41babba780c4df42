//! Generates random units with an assertion after code that cuts executions: loops, recursion,
//! extreme predicates, collections, trees.

/// Declarations that conditions use.
const PRELUDE: &str = "
datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)
ghost function Keys(t: Tree): set<int> { if t.Leaf? then {} else Keys(t.left) + {t.key} + Keys(t.right) }
function Size(t: Tree): nat { if t.Leaf? then 0 else Size(t.left) + 1 + Size(t.right) }
ghost predicate Ordered(t: Tree) {
  t.Leaf? || (Ordered(t.left) && Ordered(t.right) && (forall k <- Keys(t.left) :: k < t.key) && (forall k <- Keys(t.right) :: t.key < k))
}
function Sum(s: seq<int>): int { if |s| == 0 then 0 else s[0] + Sum(s[1..]) }
function Fib(n: nat): nat { if n < 2 then n else Fib(n - 1) + Fib(n - 2) }
function Ack(m: nat, n: nat): nat decreases m, n {
  if m == 0 then n + 1 else if n == 0 then Ack(m - 1, 1) else Ack(m - 1, Ack(m, n - 1))
}
function Power(b: int, e: nat): int { if e == 0 then 1 else b * Power(b, e - 1) }
predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }
greatest predicate Up(n: int) { n > 0 && Up(n + 1) }
least predicate Even(n: int) { n == 0 || Even(n - 2) }
ghost method Count(n: nat) returns (c: int) ensures c >= 0 { c := 0; while c < n { c := c + 1; } }
function Partial(x: int): int requires x != 0 { 10 / x }
";

/// A pseudo-random source of choices, determined by its seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn of(&mut self, all: &[&str]) -> String {
        all[self.below(all.len())].to_owned()
    }

    fn number(&mut self) -> String {
        self.of(&["0", "1", "2", "3", "5", "9", "17", "40", "-1", "-3"])
    }

    /// Generates an integer expression over the variables in scope: `x: int`, `n: nat`, `s:
    /// seq<int>`, `t: Tree`, `m: map<int, int>`, `c: int`.
    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.below(8) {
                0..=2 => self.number(),
                _other => self.of(&["x", "n", "|s|", "c", "Size(t)", "|m|"]),
            };
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.below(9) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => "Sum(s)".to_owned(),
            4 => "Fib(n)".to_owned(),
            5 => format!("Fib({})", self.of(&["3", "9", "12"])),
            6 => format!(
                "Ack({}, {})",
                self.of(&["1", "2", "3", "4"]),
                self.of(&["0", "1", "2", "n"])
            ),
            7 => format!("Power({a}, {})", self.of(&["2", "n", "6"])),
            _other => a,
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth > 0 {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.below(4) {
                0 => format!("({a} && {b})"),
                1 => format!("({a} || {b})"),
                2 => format!("({a} ==> {b})"),
                _other => a,
            };
        }
        let depth = self.below(2);
        let (a, b) = (self.integer(depth), self.integer(depth));
        match self.below(20) {
            // Conditions that hold always or nearly always.
            14 => format!("({a} <= {b} || {b} <= {a})"),
            15 => format!("({a} * {a} >= 0)"),
            16 => format!(
                "(Sorted(s) && |s| > 1 ==> s[0] <= s[1] + {})",
                self.number()
            ),
            17 => format!("(x in Keys(t) ==> Size(t) > {})", self.number()),
            18 => format!("(Up({a}) ==> Up({a} + 1) || {b} == 0)"),
            19 => format!("(c <= n || c > {b} || {a} != 0)"),
            0 => format!("Up({a})"),
            1 => format!("Even({a})"),
            2 => "Sorted(s)".to_owned(),
            3 => "Ordered(t)".to_owned(),
            4 => "x in Keys(t)".to_owned(),
            5 => format!("(forall i :: 0 <= i < |s| ==> s[i] != {a})"),
            6 => format!("(exists k :: k in m && m[k] > {a})"),
            7 => format!("(exists i :: 0 <= i < n && i * i == {a})"),
            8 => "x in m".to_owned(),
            9 | 10 => format!("{a} == {b}"),
            11 => format!("{a} != {b}"),
            12 => format!("{a} < {b}"),
            _other => format!("{a} <= {b}"),
        }
    }

    /// Generates a statement before the assertion.
    fn statement(&mut self) -> String {
        match self.below(7) {
            0 => "while c < n { c := c + 1; }".to_owned(),
            1 => "for i := 0 to |s| { c := c + s[i]; }".to_owned(),
            2 => "c := Count(n);".to_owned(),
            3 => format!("if {} {{ c := {}; }}", self.condition(0), self.integer(1)),
            4 => "var k := n; while k > 0 { k := k / 2; c := c + 1; }".to_owned(),
            5 => format!("c := Partial({});", self.of(&["x", "0", "n + 1"])),
            _other => format!("c := {};", self.integer(1)),
        }
    }
}

/// Generates a program with one unit that has an assertion.
pub(crate) fn program(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    (0..8).for_each(|_| _ = draw.below(2));
    let mut clauses = String::new();
    for _ in 0..draw.below(3) {
        let depth = draw.below(2);
        // The local variable is not in scope there.
        let has_local =
            |cond: &String| cond.split(|c: char| !c.is_alphanumeric()).any(|w| w == "c");
        let condition = draw.condition(depth);
        if !has_local(&condition) {
            clauses += &format!("  requires {condition}\n");
        }
    }
    let mut body = String::from("  var c: int := 0;\n");
    for _ in 0..draw.below(3) {
        body += &format!("  {}\n", draw.statement());
    }
    let depth = draw.below(2);
    let asserted = draw.condition(depth);
    format!(
        "{PRELUDE}ghost method M(x: int, n: nat, s: seq<int>, t: Tree, m: map<int, int>)\n{clauses}{{\n{body}  assert {asserted};\n}}\n"
    )
}
