// accepted
// options: --type-system-refresh=true --general-newtypes=true --general-traits=full
trait T { }
datatype A extends T = A
newtype N extends T = int
newtype M extends T = bool
newtype R extends T = real
newtype S extends T = seq<int>
method Newtypes0(c: N, d: M) returns (m: map<int, T>) { m := map[1 := c, 2 := d]; }
method Newtypes1(c: N, d: R) returns (m: map<int, T>) { m := map[1 := c, 2 := d]; }
method Newtypes2(c: N, d: A) returns (m: map<int, T>) { m := map[1 := c, 2 := d]; }
method Newtypes3(c: N, d: S) returns (m: map<int, T>) { m := map[1 := c, 2 := d]; }
method Newtypes4(c: M, d: M) returns (m: map<int, T>) { m := map[1 := c, 2 := d]; }
method Newtypes5(c: N, d: N) returns (m: map<int, T>) { m := map[1 := c, 2 := d]; }
method Newtypes6(d: M) returns (m: seq<T>) { m := [d, d]; }
method Newtypes7(d: M) returns (m: seq<T>) { m := [d]; }
method Newtypes8(d: N, e: M) returns (m: seq<T>) { m := [d, e]; }
method Newtypes9(d: M, e: N) returns (m: seq<T>) { m := [d, e]; }
