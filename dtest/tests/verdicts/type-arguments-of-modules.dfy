// refused: 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16
module P { type M  module I { const c := 3 type K } class C { static const d := 3 static method T() {} constructor () {} } const e := 3 function F<T>(): int { 3 } datatype D = D1 }
module N {
  import Q = P
  const a := Q<int>.e
  const b := Q.I<bool>.c
  method M() { Q<int>.C.T();
 var y := Q<int>.D1;
 var z := Q<int>.F<int>(); 
  var c := new Q.C<int>(); 
  var e := Q.e<int>; }
  method M2(d: Q.D) { match d case D1 => 
  var f := Q.D1<int>;
  var g := Q.D<int>.D1;
  var h := d.D1?<int>;
  var i := Q.C<int>.d;
 }
}
