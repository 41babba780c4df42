// accepted
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
newtype Truth = bool
newtype Sq = seq<int>
newtype Ch = char
newtype St = set<int>
newtype Mp = map<int, bool>
newtype U8 = x: int | 0 <= x < 256
newtype Bv = bv8
method M(t: Truth, s: Sq, c: Ch, e: St, m: Mp, u: U8, b: Bv) returns (q: Truth) {
  var t1: Truth := true; var t2: Truth := 3 < 4; var t3: Truth := t && true; var t4: Truth := forall x: int :: x == x;
  var t5 := t || 1 < 2; t5 := t; var t6: Truth := !t; var t7: Truth := t <==> t1; var t8: Truth := 1 in s;
  var s1: Sq := []; var s2: Sq := [1] + s; var s3 := s + [2]; s3 := s; var s4: Sq := s[1..]; var s5: Sq := seq(3, i => i); var s6: Sq := s[0 := 1];
  var c1: Ch := 'a'; var b1 := c == 'a'; var b2 := c < 'b';
  var e1: St := {}; var e2: St := e + {1}; var e3: St := set x | x in e; var b3 := e <= {1}; var b4 := {1} <= e; var b5 := e == {1};
  var m1: Mp := map[]; var m2: Mp := m + map[1 := true]; var m3: Mp := m - {1}; var m4: Mp := map x | x in e :: true; var m5: Mp := m[1 := true];
  var u1: U8 := |s|; var u2: U8 := 3; var u3 := u + 1; var u4 := 1 + u;
  var b6: Bv := 3; var b7 := b & 1; var b8 := b << 1; var b9: Bv := !b;
  if t { } assert t; while t decreases 1 { break; }
  q := t; var r := if t then t1 else true; r := t; var k := match u case 0 => s case _ => [1]; k := s;
  var x, y := s[0], m[1]; var z := |m| + 1; var n: nat := |e|;
  assert t == true; assert s == [1, 2]; assert s != []; assert e !! {1};
  assert exists i :: 0 <= i < |s| && s[i] == 3;
  var o: Truth := old(t); var p: Truth := allocated(s);
  label L: expect t; forall i | i in e ensures true { }
  t1 := true && false; t1 := (1 < 2) ==> t; t1 := s is Sq; t1 := multiset{1} == multiset{2};
  t1 := if true then false else 1 < 2;
  var tt := (true, t); var ss: (Truth, Sq) := (true, [1]); var dd: seq<Truth> := [true, 1 < 2, t];
}
function F(t: Truth): Truth requires t ensures t { t && F(t) }
function G(): Sq { [1] }
function H(s: Sq): Sq decreases s { if |s| == 0 then [] else [s[0]] + H(s[1..]) }
predicate P(t: Truth) { t as bool }
ghost predicate Q(s: seq<Truth>) { forall i :: 0 <= i < |s| ==> s[i] as bool }
function R(s: seq<Truth>): Truth { forall i :: 0 <= i < |s| ==> s[i] }
const K: Truth := 1 < 2
type Sub = t: Truth | t witness true
datatype D = D(t: Truth, s: Sq)
const kd := D(true, [])
const ke := D(1 < 2, [1] + [2])
