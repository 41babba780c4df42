// Variables of collections that Dafny gives the base type, although a value with a subset type in it is assigned.
type Pos = x: int | x > 0 witness 1
method FromInts(s: seq<Pos>, i: seq<int>) { var t := s; t := i; t := [0]; }
method FromOwnUpdate(s: map<int, Pos>, i: Pos) { var t := s; t := t[3 := i]; t := map[3 := 0]; }
method FromSlice(s: seq<Pos>, i: int) requires |s| > 0 { var t := s[1..]; t := t + [i]; }
method FromInt(p: Pos, i: int) { var t := [p]; t := [i]; }
method FromBoth(s: seq<Pos>, q: seq<nat>) { var t := s; t := q; t := [-1]; }
method FromMapDisplay(p: Pos) { var t := map[p := p]; t := map[1 := 0]; }
method FromUpdate(s: map<int, Pos>, i: int) { var t := s; t := t[1 := i]; }
method Joined(s: set<nat>, i: int) { var t := s; t := t + {i}; t := {-1}; }
method Concatenated(s: seq<Pos>, i: int) { var t := s; t := [i] + t; t := [0]; }
method Operand(s: seq<Pos>, i: seq<int>) { var t := s; var y := t + i; t := [0]; }
method Compared(s: seq<Pos>, i: int) returns (r: bool) { var t := s; r := t <= [i]; t := [0]; }
method Subset(s: set<Pos>, i: set<int>) returns (r: bool) { var t := s; r := t <= i; t := {0}; }
method Disjoint(s: set<Pos>, i: set<int>) returns (r: bool) { var t := s; r := t !! i; t := {0}; }
method Intersected(s: set<Pos>, i: set<int>) returns (r: set<int>) { var t := s; r := t * i; t := {0}; }
method Flows(s: seq<Pos>, i: seq<int>) { var t := s; var u := t; u := i; t := [0]; }
method InDisplay(s: seq<Pos>, i: seq<int>) { var t := s; var u := [t, i]; t := [0]; }
method Written(s: seq<Pos>) { var t: seq<int> := s; t := [0]; }
method Ranged(s: seq<Pos>, i: int) returns (r: bool) { var t := s; r := forall x | x in t :: x > i; t := [0]; }
method FromSet(s: set<Pos>) { var t := set x | x in s; t := {0}; }
method MixedDisplay(s: seq<Pos>, p: int) { var t := s; t := [1, p]; t := [0]; }
method Stays(s: seq<Pos>, p: Pos) { var t := s; while |t| < 10 { t := t + [p, 3]; } }
