// refused: 4
class Box<A> { }
method M(s: set<object>) returns (r: set<Box<nat>>) {
  r := set x | x in s;
}
