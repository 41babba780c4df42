use dunit::prelude::*;

/// From src/main_with_arguments.dfy:1.
pub fn main(args: &Seq<Seq<Char>>) {
    dafny_print!(args.len(), Text(&str("\n")));
}
