use dunit::prelude::*;

/// From src/fresh_in_postcondition.dfy:1.
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
    /// ```dafny
    /// ensures next == null
    /// ```
    ///
    /// From src/fresh_in_postcondition.dfy:4.
    pub fn new() -> Ref<Self> {
        let next: Ref<Node> = Ref::null();
        Ref::new(Node { next: Field::new(next) })
    }

    /// ```dafny
    /// ensures next != null && fresh(next)
    /// ```
    ///
    /// From src/fresh_in_postcondition.dfy:10.
    pub fn extend(this: &Ref<Node>) {
        this.next.set(Node::new());
    }
}
