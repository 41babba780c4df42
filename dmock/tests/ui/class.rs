use dmock::{Mock, mock, mockable};
use dunit::prelude::*;

#[derive(Mock)]
struct Key {
    bits: Int,
    uses: Field<Int>,
}

impl Object for Key {
    fn class_name(&self) -> &'static str {
        "Key"
    }
}

#[mockable]
impl Key {
    fn strength(this: &Ref<Key>, factor: &Int) -> Int {
        &this.bits * factor
    }
}

struct Plain;

impl Object for Plain {
    fn class_name(&self) -> &'static str {
        "Plain"
    }
}

fn main() {
    let _ = mock::<Key>().bit(int(1)).create();
    let _ = mock::<Key>().bits(true).create();
    let _ = mock::<Key>().uses(Field::new(int(1))).create();
    let _ = mock::<Key>().opens(|_| true).create();
    let _ = mock::<Key>().strength(|_, factor| factor > &int(1)).create();
    let _ = mock::<Key>().strength(|factor| factor).create();
    let _ = mock::<Plain>();
}
