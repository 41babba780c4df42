use dunit::prelude::*;

/// From src/object_cyclic.dfy:1.
pub struct Node {
    pub next: Field<Ref<Node>>,
}

impl Object for Node {
    fn class_name(&self) -> &'static str {
        "_module.Node"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("next", &self.next);
    }
}

impl Node {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let next: Ref<Node> = <Ref<Node> as DafnyDefault>::dafny_default();
        Ref::new(Node { next: Field::new(next) })
    }
}

impl Node {
    /// From src/object_cyclic.dfy:4.
    pub fn loops(this: &Ref<Node>) -> bool {
        this.next.get() == *this
    }
}
