use dunit::prelude::*;

/// From src/fields_swapped.dfy:1.
pub struct Pair {
    pub a: Field<Int>,
    pub b: Field<Int>,
}

impl Object for Pair {
    fn class_name(&self) -> &'static str {
        "_module.Pair"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("a", &self.a);
        fields.field("b", &self.b);
    }
}

impl Pair {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let a: Int = int(0);
        let b: Int = int(0);
        Ref::new(Pair {
            a: Field::new(a),
            b: Field::new(b),
        })
    }
}

impl Pair {
    /// ```dafny
    /// ensures a == old(b) && b == old(a)
    /// ```
    ///
    /// From src/fields_swapped.dfy:5.
    pub fn swap(this: &Ref<Pair>) {
        let value = this.b.get();
        let value_2 = this.a.get();
        this.a.set(value);
        this.b.set(value_2);
    }
}
