use dunit::prelude::*;

/// From src/trait_type_test.dfy:1.
pub trait Part: Dynamic {}

/// From src/trait_type_test.dfy:4.
pub struct Wheel {
    pub size: Int,
}

impl Object for Wheel {
    fn class_name(&self) -> &'static str {
        "_module.Wheel"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("size", &self.size);
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Part);
    }
}

impl Wheel {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let size_2: Int = int(0);
        Ref::new(Wheel { size: size_2 })
    }
}

impl Part for Ref<Wheel> {}

impl Wheel {
    /// ```dafny
    /// ensures this.size == size
    /// ```
    ///
    /// From src/trait_type_test.dfy:7.
    pub fn new(size_: &Int) -> Ref<Self> {
        let size_2 = size_.clone();
        Ref::new(Wheel { size: size_2 })
    }
}

/// From src/trait_type_test.dfy:14.
pub fn size(p: &Dyn<dyn Part>) -> Int {
    if instance_of::<Ref<Wheel>, _>(p) {
        return downcast::<Ref<Wheel>, _>(p).size.clone();
    }
    int(0)
}
