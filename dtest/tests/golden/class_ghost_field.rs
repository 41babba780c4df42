use dunit::prelude::*;

/// From src/class_ghost_field.dfy:1.
pub struct Stack {
    pub top: Field<Int>,
    /// Ghost in Dafny: kept for the clauses that refer to it.
    pub pushed: Field<Seq<Int>>,
}

impl Object for Stack {
    fn class_name(&self) -> &'static str {
        "_module.Stack"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("top", &self.top);
        fields.field("pushed", &self.pushed);
    }
}

impl Stack {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let top: Int = int(0);
        let pushed: Seq<Int> = <Seq<Int> as DafnyDefault>::dafny_default();
        Ref::new(Stack {
            top: Field::new(top),
            pushed: Field::new(pushed),
        })
    }
}

impl Stack {
    /// ```dafny
    /// ensures pushed == old(pushed) + [x]
    /// ```
    ///
    /// From src/class_ghost_field.dfy:5.
    pub fn push(this: &Ref<Stack>, x: &Int) {
        this.top.set(x.clone());
        this.pushed.set(this.pushed.get() + seq![x.clone()]);
    }
}
