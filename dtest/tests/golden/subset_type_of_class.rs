use dunit::prelude::*;

/// From src/subset_type_of_class.dfy:1.
pub struct Node {
    pub leaf: bool,
}

impl Object for Node {
    fn class_name(&self) -> &'static str {
        "_module.Node"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("leaf", &self.leaf);
    }
}

impl Node {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let leaf: bool = false;
        Ref::new(Node { leaf })
    }
}

impl Node {
    /// ```dafny
    /// ensures this.leaf == leaf
    /// ```
    ///
    /// From src/subset_type_of_class.dfy:4.
    pub fn new(leaf: bool) -> Ref<Self> {
        let leaf_2 = leaf;
        Ref::new(Node { leaf: leaf_2 })
    }
}

/// From src/subset_type_of_class.dfy:11.
pub type Leaf = Ref<Node>;

/// ```dafny
/// ensures r
/// ```
///
/// From src/subset_type_of_class.dfy:13.
pub fn is_leaf(l: &Leaf) -> bool {
    l.leaf
}
