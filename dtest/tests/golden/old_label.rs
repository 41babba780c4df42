use dunit::prelude::*;

/// From src/old_label.dfy:1.
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
    /// From src/old_label.dfy:4.
    pub fn twice(this: &Ref<Counter>) {
        this.count.set(this.count.get() + 1);
        this.count.set(this.count.get() + 1);
    }
}
