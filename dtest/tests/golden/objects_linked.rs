use dunit::prelude::*;

/// From src/objects_linked.dfy:1.
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

/// From src/objects_linked.dfy:6.
pub fn sum(n: &Ref<Node>) -> Int {
    let mut r = n.value.get();
    if !n.next.get().is_null() {
        r += n.next.get().value.get();
    }
    r
}
