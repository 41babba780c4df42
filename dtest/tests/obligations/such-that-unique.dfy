function Let(s: set<int>): int requires s != {} { var x :| x in s; x } // -
