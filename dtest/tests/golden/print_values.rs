use dunit::prelude::*;

/// From src/print_values.dfy:1.
pub fn show() {
    dafny_print!(
        int(1),
        Text(&str(" ")),
        real("2.5"),
        Text(&str(" ")),
        true,
        Text(&str(" ")),
        ch('c'),
        Text(&str(" ")),
        seq![int(1), int(2)],
        Text(&str(" ")),
        set![int(3)],
        Text(&str(" ")),
        Map::from_iter([(int(1), str("x"))]),
        Text(&str("\n")),
    );
}
