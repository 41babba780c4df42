use dunit::prelude::*;

/// From src/objects_aliased.dfy:1.
pub struct Cell {
    pub value: Field<Int>,
}

impl Object for Cell {
    fn class_name(&self) -> &'static str {
        "_module.Cell"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("value", &self.value);
    }
}

impl Cell {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let value: Int = int(0);
        Ref::new(Cell { value: Field::new(value) })
    }
}

/// ```dafny
/// requires from.value > 0
/// ```
///
/// From src/objects_aliased.dfy:5.
pub fn r#move(from: &Ref<Cell>, to: &Ref<Cell>) {
    from.value.set(from.value.get() - 1);
    to.value.set(to.value.get() + 1);
    if from == to {
        dafny_print!(Text(&str("same\n")));
    }
}
