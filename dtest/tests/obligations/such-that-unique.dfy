function Let(s: set<int>): int requires s != {} { var x :| x in s; x } // !
method InMethod(s: set<int>) returns (r: int) requires s != {} { r := (var x :| x in s; x); } // !
method InCondition(s: set<int>) returns (r: int) requires s != {} { r := 0; if (var x :| x in s; x) > 2 { r := 1; } } // !
function Pairs(): (int, int) { var x, y :| 0 <= x < 2 && 0 <= y < 2 && x <= y; (x, y) } // !
const Constant: int := var x :| x in {1, 2}; x // !
method InLambda() { var f := (s: set<int>) requires s != {} => var x :| x in s; x; } // !
function Default(x: int := (var y :| y in {1, 3}; y)): int { x } // !
function One(): (int, int) { var x, y :| 0 <= x < 2 && 0 <= y < 2 && x < y; (x, y) }
ghost function Ghost(s: set<int>): int requires s != {} { var x :| x in s; x }
function GhostVariable(s: set<int>): int requires s != {} { ghost var x :| x in s; 3 }
method Statement(s: set<int>) returns (r: int) requires s != {} { r :| r in s; assert (var x :| x in s; x) in s; }
