// Types of expressions by unification: variables with levels of generality, functions, pairs, lists, conditions, let, printing.

datatype Option<T> = None | Some(value: T)

datatype Type =
  | Var(id: nat)
  | Int
  | Bool
  | List(element: Type)
  | Pair(first: Type, second: Type)
  | Arrow(from: Type, to: Type)

datatype Expr =
  | Number(n: int)
  | Truth(b: bool)
  | Name(name: string)
  | Lambda(param: string, body: Expr)
  | Apply(f: Expr, argument: Expr)
  | Let(bound: string, value: Expr, rest: Expr)
  | If(condition: Expr, yes: Expr, no: Expr)
  | Both(left: Expr, right: Expr)
  | Empty
  | Cons(head: Expr, tail: Expr)

// A type for all values of some of its variables.
datatype Scheme = Scheme(bound: set<nat>, body: Type)

type Subst = map<nat, Type>
type Env = map<string, Scheme>

datatype Error = Unbound(name: string) | Mismatch(expected: Type, found: Type) | Infinite(id: nat, within: Type)

datatype Result<T> = Ok(value: T) | Fail(error: Error)

// Substitutions never have cycles, but chains: each step takes from `fuel`.
function Resolve(s: Subst, t: Type, fuel: nat): Type
  decreases fuel, t
{
  match t
  case Var(id) => if id in s && fuel > 0 then Resolve(s, s[id], fuel - 1) else t
  case Int => Int
  case Bool => Bool
  case List(e) => List(Resolve(s, e, fuel))
  case Pair(a, b) => Pair(Resolve(s, a, fuel), Resolve(s, b, fuel))
  case Arrow(a, b) => Arrow(Resolve(s, a, fuel), Resolve(s, b, fuel))
}

function Full(s: Subst, t: Type): Type {
  Resolve(s, t, |s|)
}

// The type behind a chain of variables, its parts as they are.
function Head(s: Subst, t: Type, fuel: nat): Type
  decreases fuel
{
  if t.Var? && t.id in s && fuel > 0 then Head(s, s[t.id], fuel - 1) else t
}

function Free(t: Type): set<nat> {
  match t
  case Var(id) => {id}
  case Int => {}
  case Bool => {}
  case List(e) => Free(e)
  case Pair(a, b) => Free(a) + Free(b)
  case Arrow(a, b) => Free(a) + Free(b)
}

function Unify(s: Subst, x: Type, y: Type, fuel: nat): Result<Subst>
  decreases fuel
{
  var a, b := Head(s, x, |s|), Head(s, y, |s|);
  if fuel == 0 then Fail(Mismatch(a, b))
  else if a == b then Ok(s)
  else if a.Var? then Bind(s, a.id, b)
  else if b.Var? then Bind(s, b.id, a)
  else if a.List? && b.List? then Unify(s, a.element, b.element, fuel - 1)
  else if a.Pair? && b.Pair? then UnifyTwo(s, a.first, b.first, a.second, b.second, fuel - 1)
  else if a.Arrow? && b.Arrow? then UnifyTwo(s, a.from, b.from, a.to, b.to, fuel - 1)
  else Fail(Mismatch(Full(s, a), Full(s, b)))
}

function UnifyTwo(s: Subst, a: Type, b: Type, c: Type, d: Type, fuel: nat): Result<Subst>
  decreases fuel
{
  if fuel == 0 then Fail(Mismatch(a, b))
  else
    match Unify(s, a, b, fuel - 1)
    case Fail(e) => Fail(e)
    case Ok(t) => Unify(t, c, d, fuel - 1)
}

function Bind(s: Subst, id: nat, t: Type): Result<Subst> {
  var full := Full(s, t);
  if id in Free(full) then Fail(Infinite(id, full)) else Ok(s[id := full])
}

const DEPTH: nat := 40

// The next free variable, the substitution so far, and the type.
datatype State = State(next: nat, s: Subst, t: Type)

// Replaces the bound variables of a scheme by new ones.
function Instantiate(c: Scheme, next: nat): Type {
  Rename(c.body, c.bound, next)
}

function Rename(t: Type, bound: set<nat>, next: nat): Type {
  match t
  case Var(id) => if id in bound then Var(next + id) else t
  case Int => Int
  case Bool => Bool
  case List(e) => List(Rename(e, bound, next))
  case Pair(a, b) => Pair(Rename(a, bound, next), Rename(b, bound, next))
  case Arrow(a, b) => Arrow(Rename(a, bound, next), Rename(b, bound, next))
}

// The variables of an environment that are not bound by its schemes.
function FreeInEnv(s: Subst, env: Env): set<nat> {
  set name <- env.Keys, id <- Free(Full(s, env[name].body)) - env[name].bound :: id
}

function Generalize(s: Subst, env: Env, t: Type): Scheme {
  var full := Full(s, t);
  Scheme(Free(full) - FreeInEnv(s, env), full)
}

function Infer(env: Env, e: Expr, next: nat, s: Subst): Result<State>
  decreases e, 0
{
  match e
  case Number(_) => Ok(State(next, s, Int))
  case Truth(_) => Ok(State(next, s, Bool))
  case Empty => Ok(State(next + 1, s, List(Var(next))))
  case Name(x) =>
    if x !in env then Fail(Unbound(x))
    else Ok(State(2 * next + 1, s, Instantiate(env[x], next)))
  case Lambda(x, body) =>
    (match Infer(env[x := Scheme({}, Var(next))], body, next + 1, s)
     case Fail(error) => Fail(error)
     case Ok(r) => Ok(State(r.next, r.s, Arrow(Var(next), r.t))))
  case Apply(f, a) =>
    (match Infer(env, f, next, s)
     case Fail(error) => Fail(error)
     case Ok(r) =>
       match Infer(env, a, r.next, r.s)
       case Fail(error) => Fail(error)
       case Ok(q) => Meet(q.next + 1, q.s, r.t, Arrow(q.t, Var(q.next)), Var(q.next)))
  case Let(x, value, rest) =>
    (match Infer(env, value, next, s)
     case Fail(error) => Fail(error)
     case Ok(r) => Infer(env[x := Generalize(r.s, env, r.t)], rest, r.next, r.s))
  case If(c, yes, no) =>
    (match Expect(env, c, next, s, Bool)
     case Fail(error) => Fail(error)
     case Ok(r) =>
       match Infer(env, yes, r.next, r.s)
       case Fail(error) => Fail(error)
       case Ok(q) => Expect(env, no, q.next, q.s, q.t))
  case Both(a, b) =>
    (match Infer(env, a, next, s)
     case Fail(error) => Fail(error)
     case Ok(r) =>
       match Infer(env, b, r.next, r.s)
       case Fail(error) => Fail(error)
       case Ok(q) => Ok(State(q.next, q.s, Pair(r.t, q.t))))
  case Cons(h, t) =>
    (match Infer(env, h, next, s)
     case Fail(error) => Fail(error)
     case Ok(r) => Expect(env, t, r.next, r.s, List(r.t)))
}

// The type of an expression that has to be a given one.
function Expect(env: Env, e: Expr, next: nat, s: Subst, t: Type): Result<State>
  decreases e, 1
{
  match Infer(env, e, next, s)
  case Fail(error) => Fail(error)
  case Ok(r) => Meet(r.next, r.s, t, r.t, t)
}

function Meet(next: nat, s: Subst, a: Type, b: Type, result: Type): Result<State> {
  match Unify(s, a, b, DEPTH)
  case Fail(error) => Fail(error)
  case Ok(t) => Ok(State(next, t, result))
}

// The type of a closed expression, its variables numbered from zero as they occur.
function TypeOf(e: Expr): Result<Type> {
  match Infer(map[], e, 0, map[])
  case Fail(error) => Fail(error)
  case Ok(r) =>
    var full := Full(r.s, r.t);
    Ok(Number0(full, Order(full, [])))
}

function Order(t: Type, seen: seq<nat>): seq<nat> {
  match t
  case Var(id) => if id in seen then seen else seen + [id]
  case Int => seen
  case Bool => seen
  case List(e) => Order(e, seen)
  case Pair(a, b) => Order(b, Order(a, seen))
  case Arrow(a, b) => Order(b, Order(a, seen))
}

function IndexOf(ids: seq<nat>, id: nat): nat {
  if ids == [] || ids[0] == id then 0 else 1 + IndexOf(ids[1..], id)
}

function Number0(t: Type, ids: seq<nat>): Type {
  match t
  case Var(id) => Var(IndexOf(ids, id))
  case Int => Int
  case Bool => Bool
  case List(e) => List(Number0(e, ids))
  case Pair(a, b) => Pair(Number0(a, ids), Number0(b, ids))
  case Arrow(a, b) => Arrow(Number0(a, ids), Number0(b, ids))
}

function Letter(id: nat): string {
  if id < 26 then ['a' + id as char] else Letter(id / 26 - 1) + ['a' + (id % 26) as char]
}

// Arrows associate to the right: only an arrow on the left of another has parentheses.
function Show(t: Type): string {
  match t
  case Var(id) => Letter(id)
  case Int => "int"
  case Bool => "bool"
  case List(e) => "[" + Show(e) + "]"
  case Pair(a, b) => "(" + Show(a) + ", " + Show(b) + ")"
  case Arrow(a, b) => (if a.Arrow? then "(" + Show(a) + ")" else Show(a)) + " -> " + Show(b)
}
