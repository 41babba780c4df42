// refused: 12, 13
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
// With the new type system, a case may narrow what is matched, and must not widen it.
trait T extends object { }
class C extends T { }
class D { }
datatype S = S(c: C, t: T, o: object)
method M(s: S) {
  match s {
  case S(_, c: C, _) =>
  case S(_, _, c: C) =>
  case S(c: T, _, _) =>
  case S(c: D, _, _) =>
  }
}
