use dunit::prelude::*;

/// From src/print_statement.dfy:1.
pub fn greet(name: &Seq<Char>) {
    dafny_print!(Text(&str("Hello, ")), Text(name), Text(&str("!\n")));
}
