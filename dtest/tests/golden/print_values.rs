use dunit::prelude::*;

/// From src/print_values.dfy:1.
pub fn show() {
    dafny_print!(
        int(1),
        text str(" "),
        real("2.5"),
        text str(" "),
        true,
        text str(" "),
        ch('c'),
        text str(" "),
        seq![int(1), int(2)],
        text str(" "),
        set![int(3)],
        text str(" "),
        Map::from_iter([(int(1), str("x"))]),
        text str("\n"),
    );
}
