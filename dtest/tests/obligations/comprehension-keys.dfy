method Keys(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x / 2 := x; } // !
method Same(s: set<int>) returns (m: map<int, int>) { m := map x | x in s :: x / 2 := 0; }
method Contract(m: map<int, int>) ensures (map k | k in m :: m[k] := k) == map[] // !
