method Statement(s: set<int>) { var x :| x in s; } // !
ghost function NoValue(s: set<int>): int { var x :| x in s; x } // !
method Assumed(s: set<int>) { var x :| assume {:axiom} x in s; assert x in s; }
