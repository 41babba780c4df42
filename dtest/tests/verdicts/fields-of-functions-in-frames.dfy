// refused: 7, 9, 10
class C { var field: int var other: bool ghost var o: set<C> }
function S(c: C): set<C>
class K { var f: int ~> set<C> function F(x: int): set<C> reads * 
 method M(g: int -> set<C>, h: () -> set<C>, i: int ~> C) modifies g(3)`field {}
 function R(g: int -> set<C>): int reads g`field { 3 }
 method M3(g: int -> set<C>) modifies S`field { }
 function R2(g: int ~> set<C>, h: int -> seq<C>): int reads g`field, h`field { 3 }
 function R4(g: int ~> C): int reads g`field { 3 }
 function R5(g: int ~> set<C>): int reads g`nofield { 3 }
 function R6(g: int ~> set<C>): int reads F`field { 3 }
}
