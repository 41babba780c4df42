// A peephole optimiser for the code of a stack machine: rules that look at a few instructions, threading of jumps, unreachable
// code, unused labels; and the machine itself, to compare what the code does before and after.

datatype Instr =
  | Push(n: int) | Load(x: nat) | Store(x: nat)
  | Add | Sub | Mul | Dup | Swap | Pop | Print
  | Jump(to: nat) | JumpZero(to: nat) | Label(name: nat)

datatype Option<T> = None | Some(value: T)

// The first `taken` instructions are replaced.
datatype Rewrite = Rewrite(taken: nat, put: seq<Instr>)

datatype Rule = Rule(name: string, apply: seq<Instr> -> Option<Rewrite>)

ghost predicate Sound(r: Rule) {
  forall code: seq<Instr> :: r.apply(code).Some? ==> Fits(code, r.apply(code).value)
}

predicate Fits(code: seq<Instr>, w: Rewrite) {
  0 < w.taken <= |code| && |w.put| <= w.taken
}

predicate IsBinary(i: Instr) { i.Add? || i.Sub? || i.Mul? }

function Compute(op: Instr, a: int, b: int): int
  requires IsBinary(op)
{
  match op
  case Add => a + b
  case Sub => a - b
  case Mul => a * b
}

function Fold(code: seq<Instr>): Option<Rewrite>
  ensures Fold(code).Some? ==> Fits(code, Fold(code).value)
{
  if |code| >= 3 && code[0].Push? && code[1].Push? && IsBinary(code[2])
  then Some(Rewrite(3, [Push(Compute(code[2], code[0].n, code[1].n))]))
  else None
}

// Operations with a constant that do nothing, or less than they seem to.
function Neutral(code: seq<Instr>): Option<Rewrite>
  ensures Neutral(code).Some? ==> Fits(code, Neutral(code).value)
{
  if |code| < 2 || !code[0].Push? then None
  else match (code[0].n, code[1])
    case (0, Add) => Some(Rewrite(2, []))
    case (0, Sub) => Some(Rewrite(2, []))
    case (1, Mul) => Some(Rewrite(2, []))
    case (0, Mul) => Some(Rewrite(2, [Pop, Push(0)]))
    case (2, Mul) => Some(Rewrite(2, [Dup, Add]))
    case (_, _) => None
}

function Shuffle(code: seq<Instr>): Option<Rewrite>
  ensures Shuffle(code).Some? ==> Fits(code, Shuffle(code).value)
{
  if |code| < 2 then None
  else match (code[0], code[1])
    case (Swap, Swap) => Some(Rewrite(2, []))
    case (Dup, Swap) => Some(Rewrite(2, [Dup]))
    case (Dup, Pop) => Some(Rewrite(2, []))
    case (Push(_), Pop) => Some(Rewrite(2, []))
    case (Load(_), Pop) => Some(Rewrite(2, []))
    case (Swap, Add) => Some(Rewrite(2, [Add]))
    case (Swap, Mul) => Some(Rewrite(2, [Mul]))
    case (_, _) => None
}

function Variables(code: seq<Instr>): Option<Rewrite>
  ensures Variables(code).Some? ==> Fits(code, Variables(code).value)
{
  if |code| >= 2 && code[0].Load? && code[1] == Store(code[0].x) then Some(Rewrite(2, []))
  else if |code| >= 2 && code[0].Store? && code[1] == Load(code[0].x) then Some(Rewrite(2, [Dup, code[0]]))
  else if |code| >= 2 && code[0].Load? && code[1] == code[0] then Some(Rewrite(2, [code[0], Dup]))
  else if |code| >= 3 && code[0].Dup? && code[1].Store? && code[2].Pop? then Some(Rewrite(3, [code[1]]))
  else None
}

function Branches(code: seq<Instr>): Option<Rewrite>
  ensures Branches(code).Some? ==> Fits(code, Branches(code).value)
{
  if |code| >= 2 && code[0].Jump? && code[1] == Label(code[0].to) then Some(Rewrite(2, [code[1]]))
  else if |code| >= 2 && code[0].JumpZero? && code[1] == Label(code[0].to) then Some(Rewrite(2, [Pop, code[1]]))
  else if |code| >= 2 && code[0].Push? && code[1].JumpZero?
    then Some(Rewrite(2, if code[0].n == 0 then [Jump(code[1].to)] else []))
  else if |code| >= 2 && code[0].Jump? && !code[1].Label? then Some(Rewrite(2, [code[0]]))
  else None
}

function StandardRules(): seq<Rule>
  ensures forall r <- StandardRules() :: Sound(r)
{
  [Rule("fold", Fold), Rule("neutral", Neutral), Rule("shuffle", Shuffle), Rule("variables", Variables), Rule("branches", Branches)]
}

function FirstMatch(rules: seq<Rule>, code: seq<Instr>): Option<(string, Rewrite)>
  requires forall r <- rules :: Sound(r)
  ensures FirstMatch(rules, code).Some? ==> Fits(code, FirstMatch(rules, code).value.1)
{
  if rules == [] then None
  else
    assert Sound(rules[0]);
    match rules[0].apply(code)
    case Some(w) => Some((rules[0].name, w))
    case None => FirstMatch(rules[1..], code)
}

// The label at which a jump to `name` ends at last, if the code behind the label only jumps on.
function Final(code: seq<Instr>, name: nat, fuel: nat): nat
  decreases fuel
{
  match Find(code, name)
  case Some(i) =>
    if fuel > 0 && i + 1 < |code| && code[i + 1].Jump? then Final(code, code[i + 1].to, fuel - 1) else name
  case None => name
}

function Find(code: seq<Instr>, name: nat): Option<nat>
  ensures Find(code, name).Some? ==> Find(code, name).value < |code|
{
  if code == [] then None
  else if code[0] == Label(name) then Some(0)
  else match Find(code[1..], name)
    case Some(i) => Some(i + 1)
    case None => None
}

function Used(code: seq<Instr>): set<nat> {
  set i <- code | i.Jump? || i.JumpZero? :: i.to
}

class Optimiser {
  const rules: seq<Rule>
  var hits: map<string, nat>
  var saved: nat

  constructor (rules: seq<Rule>)
    requires forall r <- rules :: Sound(r)
    ensures this.rules == rules && hits == map[] && saved == 0
  {
    this.rules, hits, saved := rules, map[], 0;
  }

  ghost predicate Valid()
    reads this
  {
    forall r <- rules :: Sound(r)
  }

  // One pass over the code. After a change the window goes back by two, since what was put may match with what is in front of it.
  method Pass(code: seq<Instr>) returns (result: seq<Instr>, changed: bool)
    requires Valid()
    modifies this
    ensures Valid()
    ensures |result| <= |code|
  {
    result, changed := code, false;
    var i: nat, fuel := 0, 4 * |code|;
    while i < |result| && fuel > 0
      invariant |result| <= |code|
      decreases fuel
    {
      fuel := fuel - 1;
      match FirstMatch(rules, result[i..]) {
        case Some((name, w)) =>
          result := result[..i] + w.put + result[i + w.taken..];
          changed := true;
          hits := hits[name := (if name in hits then hits[name] else 0) + 1];
          saved := saved + (w.taken - |w.put|);
          i := if i >= 2 then i - 2 else 0;
        case None =>
          i := i + 1;
      }
    }
  }

  method Thread(code: seq<Instr>) returns (result: seq<Instr>)
    ensures |result| == |code|
  {
    result := [];
    for k := 0 to |code|
      invariant |result| == k
    {
      var i := code[k];
      match i {
        case Jump(l) => result := result + [Jump(Final(code, l, |code|))];
        case JumpZero(l) => result := result + [JumpZero(Final(code, l, |code|))];
        case _ => result := result + [i];
      }
    }
  }

  method DropLabels(code: seq<Instr>) returns (result: seq<Instr>)
    modifies this
    ensures |result| <= |code|
  {
    result := [];
    var used := Used(code);
    for k := 0 to |code|
      invariant |result| <= k
    {
      if code[k].Label? && code[k].name !in used {
        saved := saved + 1;
      } else {
        result := result + [code[k]];
      }
    }
  }

  // Passes, threads and drops labels, until nothing changes or the rounds are used up.
  method Optimise(code: seq<Instr>, rounds: nat) returns (result: seq<Instr>, done: nat)
    requires Valid()
    modifies this
    ensures Valid() && |result| <= |code| && done <= rounds
  {
    result, done := code, 0;
    var going := true;
    while going && done < rounds
      invariant Valid() && |result| <= |code| && done <= rounds
      decreases rounds - done
    {
      var before := result;
      var passed, changed := Pass(result);
      var threaded := Thread(passed);
      result := DropLabels(threaded);
      going := changed || result != before;
      done := done + 1;
    }
  }
}

datatype Outcome = Finished(out: seq<int>) | Crashed(pc: nat, out: seq<int>) | Endless(out: seq<int>)

method Execute(code: seq<Instr>, fuel: nat) returns (r: Outcome)
{
  var pc: nat, stack: seq<int>, vars: map<nat, int>, out: seq<int>, left := 0, [], map[], [], fuel;
  while pc < |code| && left > 0
    decreases left
  {
    left := left - 1;
    var i, n := code[pc], |stack|;
    var needed := if IsBinary(i) || i.Swap? then 2 else if i.Push? || i.Load? || i.Jump? || i.Label? then 0 else 1;
    if n < needed { return Crashed(pc, out); }
    var next := pc + 1;
    match i {
      case Push(k) => stack := stack + [k];
      case Load(x) => stack := stack + [if x in vars then vars[x] else 0];
      case Store(x) => vars, stack := vars[x := stack[n - 1]], stack[..n - 1];
      case Dup => stack := stack + [stack[n - 1]];
      case Swap => stack := stack[..n - 2] + [stack[n - 1], stack[n - 2]];
      case Pop => stack := stack[..n - 1];
      case Print => out, stack := out + [stack[n - 1]], stack[..n - 1];
      case Label(_) =>
      case Jump(_) | JumpZero(_) =>
        var taken := i.Jump? || stack[n - 1] == 0;
        if i.JumpZero? { stack := stack[..n - 1]; }
        if taken {
          var t := Find(code, i.to);
          if t.None? { return Crashed(pc, out); }
          next := t.value;
        }
      case _ => stack := stack[..n - 2] + [Compute(i, stack[n - 2], stack[n - 1])];
    }
    pc := next;
  }
  r := if pc < |code| then Endless(out) else Finished(out);
}
