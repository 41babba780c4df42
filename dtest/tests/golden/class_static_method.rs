use dunit::prelude::*;

/// From src/class_static_method.dfy:1.
pub struct Maths {}

impl Object for Maths {
    fn class_name(&self) -> &'static str {
        "_module.Maths"
    }
}

impl Maths {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(Maths {})
    }
}

impl Maths {
    /// From src/class_static_method.dfy:2.
    pub fn square(n: &Int) -> Int {
        n * n
    }
}
