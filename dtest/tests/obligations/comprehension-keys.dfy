method Keys(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x / 2 := x; } // !
method Same(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x / 2 := 0; }
