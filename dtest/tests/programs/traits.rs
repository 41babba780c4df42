//! Traits, and the places that hold values of them.

use super::Row;

pub const ROWS: &[Row] = &[(
    "a datatype that holds a value of a generic trait",
    "trait Sink<T> { method Put(x: T) modifies this }
     class Count<T> extends Sink<T> { var n: int constructor() { n := 0; } method Put(x: T) modifies this { n := n + 1; } }
     datatype State<T> = Open(sink: Sink<T>) | Closed(last: T)
     trait Owner<T> { var state: State<T> }
     class Held<T> extends Owner<T> { const all: seq<State<T>> constructor(s: State<T>) { state := s; all := [s, s]; } }
     method Main() {
       var c := new Count<int>(); var s := Open(c); s.sink.Put(4);
       var h := new Held(s);
       print c.n, h.state == s, h.state == Closed(1), |h.all|, Closed(2) == Closed(2);
     }",
    "1truefalse2true",
)];
