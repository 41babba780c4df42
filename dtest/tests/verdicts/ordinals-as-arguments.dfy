// refused: 37
// No type argument mentions ORDINAL, of local variables and of what is called; those of quantifiers and parameters may.
datatype Ranked<A> = Ranked(rank: A) function Same<A>(a: A): A { a } class C<T> { constructor (t: T) {} static ghost function F(): int }
class C0<T> {}
ghost function N(): ORDINAL
lemma Ranks(o: ORDINAL) {
  var pair := (o, 1);
  var all := {o};
  var table := map[o := 1];
  var r := Ranked(o);
  var list: seq<ORDINAL> := [];
  var p := Same(o);
  var q := [o];
  var t2 := map[1 := o];
  var u := multiset{o};
  var f := (x: ORDINAL) => x;
  var g := x => x == o;
  var h := set x: ORDINAL | x == o;
  var i := seq(3, _ => o);
  var k: C0<ORDINAL> := null;
  var n := N;
  var m := map x: ORDINAL | x == o :: 3;
  var m2 := map x | x == 3 :: o;
  var s2 := set x | x == 3 :: o;
  var tt: (ORDINAL, int) := *;
  assert exists z: ORDINAL :: z == o;
  var e :| e == o;
  var iss := iset x: ORDINAL | true;
  assert o in {o};
}
type Sy = ORDINAL
lemma Ranks2(o: Sy, p: set<Sy>) {
}
ghost function FF(o: ORDINAL): (r: ORDINAL) 
ghost const cc: seq<ORDINAL>
datatype DD = DD(ghost o: ORDINAL)
lemma MMM<T>(t: T) {} lemma L3(o: ORDINAL) { MM(o); M<ORDINAL>(o); MM({o}); }
lemma L7(o: ORDINAL) { forall x: set<ORDINAL> ensures true { } }
ghost function Id2<T>(t: T): T { t } lemma L13(o: ORDINAL) { assert Id2(o) == o; assert Id2 == Id2<ORDINAL>; }
