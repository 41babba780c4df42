use dunit::prelude::*;

/// From src/trait_extends_trait.dfy:1.
pub trait Base: Dynamic {
    fn id(&self) -> Int;
}

/// From src/trait_extends_trait.dfy:5.
pub trait Extended: Dynamic + Base {
    fn next(&self) -> Int;
}

impl dyn Extended {
    /// From src/trait_extends_trait.dfy:6.
    pub fn default_next(this: &Dyn<dyn Extended>) -> Int {
        this.id() + 1
    }
}

/// From src/trait_extends_trait.dfy:11.
pub struct Item {}

impl Object for Item {
    fn class_name(&self) -> &'static str {
        "_module.Item"
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Extended, dyn Base);
    }
}

impl Item {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        Ref::new(Item {})
    }
}

impl Extended for Ref<Item> {
    fn next(&self) -> Int {
        <dyn Extended>::default_next(&upcast::<dyn Extended, _>(self))
    }
}

impl Base for Ref<Item> {
    fn id(&self) -> Int {
        Item::id(self)
    }
}

impl Item {
    /// From src/trait_extends_trait.dfy:12.
    pub fn new() -> Ref<Self> {
        Ref::new(Item {})
    }

    /// From src/trait_extends_trait.dfy:15.
    pub fn id(_this: &Ref<Item>) -> Int {
        int(7)
    }
}
