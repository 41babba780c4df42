// Regular expressions: matching by derivatives, a parser, a printer, search, and a memo of derivatives.

module Regex {
  datatype Result<T> = Failure(error: string, at: nat) | Success(value: T, rest: nat)

  datatype Re =
    | Never
    | Epsilon
    | Letter(c: char)
    | Any
    | Class(low: char, high: char, negated: bool)
    | Seq(first: Re, second: Re)
    | Or(left: Re, right: Re)
    | Star(body: Re)

  predicate Nullable(r: Re) {
    match r
    case Never => false
    case Epsilon => true
    case Letter(_) => false
    case Any => false
    case Class(_, _, _) => false
    case Seq(a, b) => Nullable(a) && Nullable(b)
    case Or(a, b) => Nullable(a) || Nullable(b)
    case Star(_) => true
  }

  // Constructors that simplify.
  function MkSeq(a: Re, b: Re): Re
    ensures Nullable(MkSeq(a, b)) == (Nullable(a) && Nullable(b))
  {
    if a.Never? || b.Never? then Never
    else if a.Epsilon? then b
    else if b.Epsilon? then a
    else Seq(a, b)
  }

  function MkOr(a: Re, b: Re): Re
    ensures Nullable(MkOr(a, b)) == (Nullable(a) || Nullable(b))
  {
    if a.Never? then b
    else if b.Never? then a
    else if a == b then a
    else Or(a, b)
  }

  function MkStar(a: Re): Re
    ensures Nullable(MkStar(a))
  {
    if a.Never? || a.Epsilon? then Epsilon else if a.Star? then a else Star(a)
  }

  function Derive(r: Re, c: char): Re {
    match r
    case Never => Never
    case Epsilon => Never
    case Letter(d) => if c == d then Epsilon else Never
    case Any => Epsilon
    case Class(low, high, negated) => if (low <= c <= high) != negated then Epsilon else Never
    case Seq(a, b) =>
      var first := MkSeq(Derive(a, c), b);
      if Nullable(a) then MkOr(first, Derive(b, c)) else first
    case Or(a, b) => MkOr(Derive(a, c), Derive(b, c))
    case Star(a) => MkSeq(Derive(a, c), r)
  }

  predicate Matches(r: Re, s: string)
    ensures s == [] ==> Matches(r, s) == Nullable(r)
    decreases |s|
  {
    if s == [] then Nullable(r) else Matches(Derive(r, s[0]), s[1..])
  }

  // The length of the longest match at the start of the text; nothing for no match.
  method LongestMatch(r: Re, s: string) returns (length: int)
    ensures -1 <= length <= |s|
    ensures length == -1 ==> !Nullable(r)
  {
    length := if Nullable(r) then 0 else -1;
    var state := r;
    var i := 0;
    while i < |s| && state != Never
      invariant 0 <= i <= |s|
      invariant -1 <= length <= i
      invariant length == -1 ==> !Nullable(r)
    {
      state := Derive(state, s[i]);
      i := i + 1;
      if Nullable(state) {
        length := i;
      }
    }
  }

  // The first place and the length of the longest match there.
  method Find(r: Re, s: string) returns (start: int, length: int)
    ensures start == -1 || 0 <= start <= |s|
    ensures start >= 0 ==> 0 <= length && start + length <= |s|
  {
    start, length := -1, -1;
    var i := 0;
    while i <= |s| && start < 0
      invariant 0 <= i <= |s| + 1
      invariant start == -1 || 0 <= start <= |s|
      invariant start >= 0 ==> 0 <= length && start + length <= |s|
    {
      var n := LongestMatch(r, s[i..]);
      if n >= 0 {
        start, length := i, n;
      }
      i := i + 1;
    }
  }

  // Matches that do not overlap, replaced; after an empty match one letter is kept.
  method ReplaceAll(r: Re, s: string, replacement: string) returns (result: string, times: nat)
    ensures times == 0 ==> result == s
  {
    result, times := "", 0;
    var i := 0;
    while i < |s|
      invariant 0 <= i <= |s|
      invariant times == 0 ==> result == s[..i]
    {
      var n := LongestMatch(r, s[i..]);
      if n > 0 {
        result, times := result + replacement, times + 1;
        i := i + n;
      } else {
        result := result + [s[i]];
        i := i + 1;
      }
    }
  }

  // alternation = sequence ('|' sequence)*
  function ParseOr(s: string, at: nat): Result<Re>
    requires at <= |s|
    ensures var r := ParseOr(s, at); r.Success? ==> at <= r.rest <= |s|
    decreases |s| - at, 3
  {
    var left := ParseSeq(s, at);
    if left.Failure? then left
    else if left.rest < |s| && s[left.rest] == '|' then
      var right := ParseOr(s, left.rest + 1);
      if right.Failure? then right else Success(Or(left.value, right.value), right.rest)
    else left
  }

  // sequence = (atom '*'*)*
  function ParseSeq(s: string, at: nat): Result<Re>
    requires at <= |s|
    ensures var r := ParseSeq(s, at); r.Success? ==> at <= r.rest <= |s|
    decreases |s| - at, 2
  {
    if at == |s| || s[at] == '|' || s[at] == ')' then Success(Epsilon, at)
    else
      var atom := ParseAtom(s, at);
      if atom.Failure? then atom
      else
        var repeated := Repeat(s, atom.value, atom.rest);
        var rest := ParseSeq(s, repeated.rest);
        if rest.Failure? then rest else Success(MkSeq(repeated.value, rest.value), rest.rest)
  }

  // The operators behind an atom.
  function Repeat(s: string, r: Re, at: nat): Result<Re>
    requires at <= |s|
    ensures var q := Repeat(s, r, at); q.Success? && at <= q.rest <= |s|
    decreases |s| - at
  {
    if at == |s| then Success(r, at)
    else if s[at] == '*' then Repeat(s, MkStar(r), at + 1)
    else if s[at] == '+' then Repeat(s, MkSeq(r, MkStar(r)), at + 1)
    else if s[at] == '?' then Repeat(s, MkOr(r, Epsilon), at + 1)
    else Success(r, at)
  }

  function ParseAtom(s: string, at: nat): Result<Re>
    requires at < |s|
    ensures var r := ParseAtom(s, at); r.Success? ==> at < r.rest <= |s|
    decreases |s| - at, 1
  {
    if s[at] == '.' then Success(Any, at + 1)
    else if s[at] == '\\' then
      if at + 1 < |s| then Success(Letter(s[at + 1]), at + 2) else Failure("a letter is missing", at)
    else if s[at] == '(' then
      var inner := ParseOr(s, at + 1);
      if inner.Failure? then inner
      else if inner.rest < |s| && s[inner.rest] == ')' then Success(inner.value, inner.rest + 1)
      else Failure("')' is missing", inner.rest)
    else if s[at] == '[' then
      var negated := at + 1 < |s| && s[at + 1] == '^';
      var from := if negated then at + 2 else at + 1;
      if from + 3 < |s| && s[from + 1] == '-' && s[from + 3] == ']'
      then Success(Class(s[from], s[from + 2], negated), from + 4)
      else Failure("a range is missing", from)
    else if s[at] in "*+?" then Failure("nothing to repeat", at)
    else Success(Letter(s[at]), at + 1)
  }

  function Parse(s: string): Result<Re> {
    var r := ParseOr(s, 0);
    if r.Success? && r.rest < |s| then Failure("unexpected ')'", r.rest) else r
  }

  // Text that is parsed as the same expression: 0 within alternatives, 1 within sequences, 2 before a star.
  function Show(r: Re, level: nat): string {
    match r
    case Never => "[^\0-\U{10FFFF}]"
    case Epsilon => if level == 2 then "()" else ""
    case Letter(c) => if c in ".*+?|()[\\" then ['\\', c] else [c]
    case Any => "."
    case Class(low, high, negated) => (if negated then "[^" else "[") + [low, '-', high] + "]"
    case Seq(a, b) => Parenthesise(Show(a, 1) + Show(b, 1), level > 1)
    case Or(a, b) => Parenthesise(Show(a, 0) + "|" + Show(b, 0), level > 0)
    case Star(a) => Show(a, 2) + "*"
  }

  function Parenthesise(s: string, needed: bool): string {
    if needed then "(" + s + ")" else s
  }
}
