// refused: 10, 14, 17, 18, 19, 20, 21
// A compiled comprehension over other values tests at run time which of them are of the variable's type.
class Box<A> { }
class C { }
trait T<A> { }
trait U { }
class D<A> extends T<A>, U { }
type Known = c: C | true witness *
method M(s: set<object>, t: set<T<int>>, u: set<U>, i: set<int>, q: seq<object>, m: map<object, int>) returns (r: set<Box<nat>>) {
  print set x: Box<nat> | x in s;
  print set x: C | x in s;
  print set x: U | x in s;
  print set x: D<int> | x in t;
  print set x: D<int> | x in u;
  print set x: nat | x in i;
  print set x: Known | x in s;
  print set x: array<int> | x in s;
  print set x: Box<int> | x in q;
  print set x: Box<int> | x in m;
  print exists x: Box<C> :: x in s;
  print map x: Box<C> | x in s :: 3;
}
