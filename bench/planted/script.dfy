// A small scripting language: tokens, a parser by precedence, constant folding, and an interpreter with scopes and fuel.

datatype Option<T> = None | Some(value: T)

datatype Token = Num(n: nat) | Name(s: string) | Symbol(c: char) | Less | Equal | End

datatype Expr =
  | Lit(v: int)
  | Var(name: string)
  | Neg(e: Expr)
  | Bin(op: char, l: Expr, r: Expr)

datatype Stmt =
  | Skip
  | Let(name: string, e: Expr)
  | Assign(name: string, e: Expr)
  | Print(e: Expr)
  | Block(body: seq<Stmt>)
  | IfElse(cond: Expr, yes: Stmt, no: Stmt)
  | Loop(cond: Expr, round: Stmt)

predicate IsDigit(c: char) { '0' <= c <= '9' }

predicate IsLetter(c: char) { 'a' <= c <= 'z' || 'A' <= c <= 'Z' || c == '_' }

// The end of the run of letters that satisfy a predicate.
function Span(s: string, from: nat, p: char -> bool): nat
  requires from <= |s|
  ensures from <= Span(s, from, p) <= |s|
  decreases |s| - from
{
  if from < |s| && p(s[from]) then Span(s, from + 1, p) else from
}

method Tokenize(s: string) returns (tokens: Option<seq<Token>>)
  ensures tokens.Some? ==> |tokens.value| >= 1 && tokens.value[|tokens.value| - 1] == End
{
  var ts: seq<Token> := [];
  var i := 0;
  while i < |s|
    invariant 0 <= i <= |s|
  {
    var c := s[i];
    if c == ' ' || c == '\n' {
      i := i + 1;
    } else if c == '#' {
      i := Span(s, i, d => d != '\n');
    } else if IsDigit(c) {
      var n := 0;
      while i < |s| && IsDigit(s[i])
        invariant 0 <= i <= |s| && n >= 0
      {
        n := 10 * n + (s[i] as int - '0' as int);
        i := i + 1;
      }
      ts := ts + [Num(n)];
    } else if IsLetter(c) {
      var end := Span(s, i, d => IsLetter(d) || IsDigit(d));
      ts := ts + [Name(s[i..end])];
      i := if end > i then end else i + 1;
    } else if c == '=' && i + 1 < |s| && s[i + 1] == '=' {
      ts := ts + [Equal];
      i := i + 2;
    } else if c == '<' {
      ts := ts + [Less];
      i := i + 1;
    } else if c in "+-*/%()=;{}" {
      ts := ts + [Symbol(c)];
      i := i + 1;
    } else {
      return None;
    }
  }
  tokens := Some(ts + [End]);
}

// How strongly an operator binds; 0 for what is none.
function Power(t: Token): nat {
  match t
  case Equal => 1
  case Less => 2
  case Symbol(c) => if c in "+-" then 3 else if c in "*/%" then 4 else 0
  case _ => 0
}

function OperatorOf(t: Token): char {
  match t
  case Equal => '='
  case Less => '<'
  case Symbol(c) => c
  case _ => '?'
}

function ParsePrefix(ts: seq<Token>): Option<(Expr, seq<Token>)>
  ensures var r := ParsePrefix(ts); r.Some? ==> |r.value.1| < |ts|
  decreases |ts|, 0
{
  if ts == [] then None
  else
    match ts[0]
    case Num(n) => Some((Lit(n), ts[1..]))
    case Name(s) => Some((Var(s), ts[1..]))
    case Symbol('-') =>
      var r := ParsePrefix(ts[1..]);
      if r.None? then None else Some((Neg(r.value.0), r.value.1))
    case Symbol('(') =>
      var r := ParseExpr(ts[1..], 1);
      if r.None? || r.value.1 == [] || r.value.1[0] != Symbol(')') then None
      else Some((r.value.0, r.value.1[1..]))
    case _ => None
}

// An expression of operators that bind at least as strongly as `least`.
function ParseExpr(ts: seq<Token>, least: nat): Option<(Expr, seq<Token>)>
  ensures var r := ParseExpr(ts, least); r.Some? ==> |r.value.1| < |ts|
  decreases |ts|, 1
{
  var left := ParsePrefix(ts);
  if left.None? then None else ParseRest(left.value.0, left.value.1, least)
}

function ParseRest(left: Expr, ts: seq<Token>, least: nat): Option<(Expr, seq<Token>)>
  ensures var r := ParseRest(left, ts, least); r.Some? ==> |r.value.1| <= |ts|
  decreases |ts|, 2
{
  if ts == [] || Power(ts[0]) == 0 || Power(ts[0]) < least then Some((left, ts))
  else
    var right := ParseExpr(ts[1..], Power(ts[0]) + 1);
    if right.None? then None
    else ParseRest(Bin(OperatorOf(ts[0]), left, right.value.0), right.value.1, least)
}

function Apply(op: char, a: int, b: int): Option<int> {
  match op
  case '+' => Some(a + b)
  case '-' => Some(a - b)
  case '*' => Some(a * b)
  case '/' => if b == 0 then None else Some(a / b)
  case '%' => if b == 0 then None else Some(a % b)
  case '<' => Some(if a < b then 1 else 0)
  case '=' => Some(if a == b then 1 else 0)
  case _ => None
}

// Folds constants; what would fail stays.
function Fold(e: Expr): Expr {
  match e
  case Lit(_) => e
  case Var(_) => e
  case Neg(a) =>
    var f := Fold(a);
    if f.Lit? then Lit(-f.v) else if f.Neg? then f.e else Neg(f)
  case Bin(op, l, r) =>
    var fl, fr := Fold(l), Fold(r);
    if fl.Lit? && fr.Lit? && Apply(op, fl.v, fr.v).Some? then Lit(Apply(op, fl.v, fr.v).value)
    else if (op == '+' || op == '-') && fr == Lit(0) then fl
    else if op == '+' && fl == Lit(0) then fr
    else if op == '*' && (fl == Lit(1) || fr == Lit(1)) then if fl == Lit(1) then fr else fl
    else Bin(op, fl, fr)
}

// The innermost scope is the last.
type Scopes = seq<map<string, int>>

function Lookup(scopes: Scopes, name: string): Option<int> {
  if scopes == [] then None
  else
    var inner := scopes[|scopes| - 1];
    if name in inner then Some(inner[name]) else Lookup(scopes[..|scopes| - 1], name)
}

// Changes the innermost variable of that name; `None` if there is none.
function Store(scopes: Scopes, name: string, v: int): Option<Scopes>
  ensures var r := Store(scopes, name, v); r.Some? ==> |r.value| == |scopes|
{
  if scopes == [] then None
  else
    var n := |scopes| - 1;
    if name in scopes[n] then Some(scopes[n := scopes[n][name := v]])
    else
      var outer := Store(scopes[..n], name, v);
      if outer.None? then None else Some(outer.value + [scopes[n]])
}

function Eval(e: Expr, scopes: Scopes): Option<int> {
  match e
  case Lit(v) => Some(v)
  case Var(s) => Lookup(scopes, s)
  case Neg(a) => var r := Eval(a, scopes); if r.None? then None else Some(-r.value)
  case Bin(op, l, r) =>
    var a, b := Eval(l, scopes), Eval(r, scopes);
    if a.None? || b.None? then None else Apply(op, a.value, b.value)
}

class Interpreter {
  var scopes: Scopes
  var output: seq<int>
  var fuel: nat

  ghost predicate Valid()
    reads this
  {
    |scopes| > 0
  }

  constructor (fuel: nat)
    ensures Valid() && output == []
  {
    this.fuel := fuel;
    scopes, output := [map[]], [];
  }

  // Whether the statement ran to its end: it fails for unknown names, divisions by zero and want of fuel.
  method Run(s: Stmt) returns (ok: bool)
    requires Valid()
    modifies this
    ensures Valid() && |scopes| == old(|scopes|)
    ensures fuel <= old(fuel)
    decreases fuel, s
  {
    ok := true;
    match s {
      case Skip =>
      case Let(x, e) =>
        var v := Eval(e, scopes);
        ok := v.Some? && x !in scopes[|scopes| - 1];
        if ok {
          scopes := scopes[|scopes| - 1 := scopes[|scopes| - 1][x := v.value]];
        }
      case Assign(x, e) =>
        var v := Eval(e, scopes);
        var changed := if v.Some? then Store(scopes, x, v.value) else None;
        ok := changed.Some?;
        if ok {
          scopes := changed.value;
        }
      case Print(e) =>
        var v := Eval(e, scopes);
        ok := v.Some?;
        if ok {
          output := output + [v.value];
        }
      case Block(body) =>
        scopes := scopes + [map[]];
        var i := 0;
        while i < |body| && ok
          invariant 0 <= i <= |body|
          invariant |scopes| == old(|scopes|) + 1
          invariant fuel <= old(fuel)
        {
          ok := Run(body[i]);
          i := i + 1;
        }
        scopes := scopes[..|scopes| - 1];
      case IfElse(c, yes, no) =>
        var v := Eval(c, scopes);
        if v.None? {
          ok := false;
        } else if v.value != 0 {
          ok := Run(yes);
        } else {
          ok := Run(no);
        }
      case Loop(c, body) =>
        var v := Eval(c, scopes);
        while ok && v.Some? && v.value != 0
          invariant Valid() && |scopes| == old(|scopes|)
          invariant fuel <= old(fuel)
          decreases fuel, ok
        {
          if fuel == 0 {
            ok := false;
          } else {
            fuel := fuel - 1;
            ok := Run(body);
            v := Eval(c, scopes);
          }
        }
        ok := ok && v.Some?;
    }
  }
}
