use dunit::prelude::*;

/// From src/trait_upcast.dfy:1.
pub trait Valued: Dynamic {
    fn value(&self) -> Int;
}

/// From src/trait_upcast.dfy:5.
pub struct Coin {}

impl Object for Coin {
    fn class_name(&self) -> &'static str {
        "_module.Coin"
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Valued);
    }
}

impl Coin {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(Coin {})
    }
}

impl Valued for Ref<Coin> {
    fn value(&self) -> Int {
        Coin::value(self)
    }
}

impl Coin {
    /// From src/trait_upcast.dfy:6.
    pub fn new() -> Ref<Self> {
        Ref::new(Coin {})
    }

    /// From src/trait_upcast.dfy:9.
    pub fn value(_this: &Ref<Coin>) -> Int {
        int(5)
    }
}

/// From src/trait_upcast.dfy:14.
pub fn total(c: &Ref<Coin>) -> Int {
    let v = upcast::<dyn Valued, _>(c);
    v.value() + Coin::value(c)
}
