use dunit::prelude::*;

/// From src/nested_collections.dfy:1.
pub fn flat(m: &Map<Seq<Char>, Seq<Set<Int>>>) -> Seq<Set<Int>> {
    if m.contains(&str("a")) { m[&str("a")].clone() } else { seq![Set::<Int>::new()] }
}
