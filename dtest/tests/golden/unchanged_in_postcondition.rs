use dunit::prelude::*;

/// From src/unchanged_in_postcondition.dfy:1.
pub struct Pair {
    pub left: Field<Int>,
    pub right: Field<Int>,
}

impl Object for Pair {
    fn class_name(&self) -> &'static str {
        "_module.Pair"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("left", &self.left);
        fields.field("right", &self.right);
    }
}

impl Pair {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let left: Int = int(0);
        let right: Int = int(0);
        Ref::new(Pair {
            left: Field::new(left),
            right: Field::new(right),
        })
    }
}

impl Pair {
    /// ```dafny
    /// ensures left == x
    /// ensures unchanged(this`right)
    /// ```
    ///
    /// From src/unchanged_in_postcondition.dfy:5.
    pub fn set_left(this: &Ref<Pair>, x: &Int) {
        this.left.set(x.clone());
    }
}
