// refused: 4, 7
class Box<A> { var x: int }
method M(s: set<object>, r: array<int>, b: set<Box<int>>) modifies s, r, b requires r.Length > 3 {
  forall x: Box<nat> | x in s { x.x := 3; }
  forall x: Box<nat> | x in s { }
  forall x: Box<int> | x in b { x.x := 3; }
  forall x: Box<nat>, i | x in s && 0 <= i < 3 { r[i] := 1; }
  var y: Box<nat> :| y in s;
}
