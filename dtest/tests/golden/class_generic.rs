use dunit::prelude::*;

/// From src/class_generic.dfy:1.
pub struct Box<T> {
    pub content: Field<T>,
}

impl<T: Value> Object for Box<T> {
    fn class_name(&self) -> &'static str {
        "_module.Box"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("content", &self.content);
    }
}

impl<T: Value> Box<T> {
    /// ```dafny
    /// ensures this.content == content
    /// ```
    ///
    /// From src/class_generic.dfy:4.
    pub fn new(content: &T) -> Ref<Self> {
        let content_2 = content.clone();
        Ref::new(Box {
            content: Field::new(content_2),
        })
    }

    /// ```dafny
    /// ensures content == other && previous == old(content)
    /// ```
    ///
    /// From src/class_generic.dfy:10.
    pub fn swap(this: &Ref<Box<T>>, other: &T) -> T {
        let previous = this.content.get();
        this.content.set(other.clone());
        previous
    }
}
