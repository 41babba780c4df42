use dunit::prelude::*;

/// From src/field_and_result_before_return.dfy:1.
pub struct Book {
    pub ids: Field<Seq<Int>>,
}

impl Object for Book {
    fn class_name(&self) -> &'static str {
        "_module.Book"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("ids", &self.ids);
    }
}

impl Book {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let ids: Seq<Int> = <Seq<Int> as DafnyDefault>::dafny_default();
        Ref::new(Book { ids: Field::new(ids) })
    }
}

impl Book {
    /// From src/field_and_result_before_return.dfy:4.
    pub fn new() -> Ref<Self> {
        let ids = Seq::<Int>::new();
        Ref::new(Book { ids: Field::new(ids) })
    }

    /// ```dafny
    /// ensures found ==> |ids| == n
    /// ```
    ///
    /// From src/field_and_result_before_return.dfy:9.
    pub fn cancel(this: &Ref<Book>, n: &Int) -> bool {
        let mut found = false;
        if *n < this.ids.get().len() {
            let value = this.ids.get().take(n);
            let value_2 = true;
            this.ids.set(value);
            found = value_2;
            return found;
        }
        found
    }
}
