use dunit::prelude::*;

/// From src/old_in_postcondition.dfy:1.
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
    /// ensures previous == old(count)
    /// ensures count == old(count) + 1
    /// ```
    ///
    /// From src/old_in_postcondition.dfy:4.
    pub fn tick(this: &Ref<Counter>) -> Int {
        let previous = this.count.get();
        this.count.set(this.count.get() + 1);
        previous
    }
}
