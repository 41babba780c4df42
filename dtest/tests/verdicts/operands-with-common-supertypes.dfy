// refused: 12
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
trait A extends object {} trait B extends object {} class C extends A, B { constructor () {} }
newtype Upper = c: char | 'A' <= c <= 'Z' witness 'A'
method Sets(s: set<A>, t: set<B>) {
  var b := s <= t; b := s < t; b := s >= t; b := s > t; b := s !! t;
}
method Strings(s: seq<Upper>) {
  var t: seq<Upper> := "HELLO";
  var u := s + "A";
  var v := s == "A" || "A" <= s;
  var w: seq<int> := "HELLO";
}
