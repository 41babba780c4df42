use dunit::prelude::*;

/// From src/class_nullable_field.dfy:1.
pub struct Node {
    pub value: Field<Int>,
    pub next: Field<Ref<Node>>,
}

impl Object for Node {
    fn class_name(&self) -> &'static str {
        "_module.Node"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("value", &self.value);
        fields.field("next", &self.next);
    }
}

impl Node {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let value: Int = int(0);
        let next: Ref<Node> = <Ref<Node> as DafnyDefault>::dafny_default();
        Ref::new(Node {
            value: Field::new(value),
            next: Field::new(next),
        })
    }
}

impl Node {
    /// ```dafny
    /// requires next != null
    /// ```
    ///
    /// From src/class_nullable_field.dfy:5.
    pub fn second(this: &Ref<Node>) -> Int {
        this.next.get().value.get()
    }
}
