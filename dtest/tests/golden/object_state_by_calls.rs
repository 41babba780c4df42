use dunit::prelude::*;

/// From src/object_state_by_calls.dfy:1.
pub struct Counter {
    pub count: Field<Int>,
}

impl Object for Counter {
    fn class_name(&self) -> &'static str {
        "_module.Counter"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("count", &self.count);
    }
}

impl Counter {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let count: Int = int(0);
        Ref::new(Counter {
            count: Field::new(count),
        })
    }
}

impl Counter {
    /// ```dafny
    /// ensures count == 0
    /// ```
    ///
    /// From src/object_state_by_calls.dfy:4.
    pub fn new() -> Ref<Self> {
        let count = int(0);
        Ref::new(Counter {
            count: Field::new(count),
        })
    }

    /// ```dafny
    /// ensures count == old(count) + 1
    /// ```
    ///
    /// From src/object_state_by_calls.dfy:10.
    pub fn tick(this: &Ref<Counter>) {
        this.count.set(this.count.get() + 1);
    }

    /// From src/object_state_by_calls.dfy:17.
    pub fn is_two(this: &Ref<Counter>) -> bool {
        this.count.get() == 2
    }
}
