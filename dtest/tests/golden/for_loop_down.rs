use dunit::prelude::*;

/// From src/for_loop_down.dfy:1.
pub fn countdown(n: &Int) -> Seq<Int> {
    let mut s = Seq::<Int>::new();
    for i in range_down(0, n.clone()) {
        s += seq![i];
    }
    s
}
