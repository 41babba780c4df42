use dunit::prelude::*;

/// From src/class_field_frame.dfy:1.
pub struct Switch {
    pub on: Field<bool>,
    pub count: Field<Int>,
}

impl Object for Switch {
    fn class_name(&self) -> &'static str {
        "_module.Switch"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("on", &self.on);
        fields.field("count", &self.count);
    }
}

impl Switch {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let on: bool = false;
        let count: Int = int(0);
        Ref::new(Switch {
            on: Field::new(on),
            count: Field::new(count),
        })
    }
}

impl Switch {
    /// ```dafny
    /// ensures on == !old(on)
    /// ```
    ///
    /// From src/class_field_frame.dfy:5.
    pub fn toggle(this: &Ref<Switch>) {
        this.on.set(!this.on.get());
    }
}
