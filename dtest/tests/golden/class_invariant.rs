use dunit::prelude::*;

/// From src/class_invariant.dfy:1.
pub struct Gauge {
    pub level: Field<Int>,
    pub limit: Int,
}

impl Object for Gauge {
    fn class_name(&self) -> &'static str {
        "_module.Gauge"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("level", &self.level);
        fields.constant("limit", &self.limit);
    }
}

impl Gauge {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let level: Int = int(0);
        let limit: Int = int(0);
        Ref::new(Gauge {
            level: Field::new(level),
            limit,
        })
    }
}

impl Gauge {
    /// ```dafny
    /// requires Valid()
    /// ensures Valid() && level == limit
    /// ```
    ///
    /// From src/class_invariant.dfy:11.
    pub fn fill(this: &Ref<Gauge>) {
        this.level.set(this.limit.clone());
    }
}
