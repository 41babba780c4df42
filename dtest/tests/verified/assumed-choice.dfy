// options: --type-system-refresh
method Nothing() returns (x: int) { x :| assume {:axiom} false; assert x == 3; }
method Element(s: set<int>) returns (m: int) { m :| assume {:axiom} m in s && m > 1000; assert m > 1000; }
method Two(s: seq<int>) { ghost var i, j :| assume {:axiom} 0 <= i < j < |s|; assert |s| >= 2; }
method Local(s: set<int>) { var x :| assume {:axiom} x in s; assert s != {}; }
