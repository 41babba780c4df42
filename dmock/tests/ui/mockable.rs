use dmock::{Mock, mockable};
use dunit::prelude::*;

#[derive(Mock)]
struct Key {
    bits: Int,
}

impl Object for Key {
    fn class_name(&self) -> &'static str {
        "Key"
    }
}

#[mockable(strength)]
impl Key {
    fn opens(this: &Ref<Key>) -> bool {
        this.bits > 0
    }
}

#[mockable(same)]
impl Key {
    fn same<T: Value>(this: &Ref<Key>, value: &T) -> T {
        let _ = this;
        value.clone()
    }
}

#[mockable]
impl Iterator for Key {
    type Item = Int;
    fn next(&mut self) -> Option<Int> {
        None
    }
}

#[derive(Mock)]
enum Colour {
    Red,
}

#[derive(Mock)]
struct Pair(Int, Int);

#[derive(Mock)]
struct Door {
    #[mock(initially = int(1))]
    width: Int,
}

fn main() {}
