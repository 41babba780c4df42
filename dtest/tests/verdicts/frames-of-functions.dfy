// refused: 4, 6, 8, 10, 12, 14, 16, 20, 23
function F<T>(f: T ~> int, x: T): int requires f.requires(x) reads f.reads(x) { f(x) }
function G<T>(f: T ~> int, x: T): int requires f.requires(x) 
 reads f.reads { f(x) }
function I<T>(f: T ~> set<object>, x: T): int 
 reads f { 3 }
function J(f: object ~> set<object>, x: object): int 
 reads f.reads { 3 }
function J2(f: (object, int) ~> int): int 
 reads f.reads { 3 }
predicate K<T>(f: T ~> int) 
  reads set x, o | o in f.reads(x) :: o { true }
least predicate L<T>(f: T ~> int) 
  reads f.reads { true }
method N<T>(f: T ~> int) {
  var g := (x: T) reads f.reads => 3;
}
function O<T>(f: T ~> int): int {
  var g := (x: T) 
    reads f.reads => 3; 3
}
function J3(f: (object, int) ~> seq<object>): int 
 reads f { 3 }
