method Statement(s: set<int>) { var x :| x in s; } // !
ghost function NoValue(s: set<int>): int { var x :| x in s; x } // !
method Assumed(s: set<int>) { var x :| assume {:axiom} x in s; assert x in s; }
class Cell { var data: int }
method Null() { ghost var d: Cell? :| d == null; }
method Choose() { ghost var d: Cell :| true; } // !
method ChooseItself(c: Cell) { ghost var d: Cell :| d == c; assert d == c; }
