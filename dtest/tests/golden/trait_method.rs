use dunit::prelude::*;

/// From src/trait_method.dfy:1.
pub trait Animal: Dynamic {
    fn noise(&self) -> Seq<Char>;
}

/// From src/trait_method.dfy:5.
pub struct Cat {}

impl Object for Cat {
    fn class_name(&self) -> &'static str {
        "_module.Cat"
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Animal);
    }
}

impl Cat {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(Cat {})
    }
}

impl Animal for Ref<Cat> {
    fn noise(&self) -> Seq<Char> {
        Cat::noise(self)
    }
}

impl Cat {
    /// From src/trait_method.dfy:6.
    pub fn new() -> Ref<Self> {
        Ref::new(Cat {})
    }

    /// From src/trait_method.dfy:9.
    pub fn noise(_this: &Ref<Cat>) -> Seq<Char> {
        str("meow")
    }
}
