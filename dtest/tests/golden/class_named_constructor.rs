use dunit::prelude::*;

/// From src/class_named_constructor.dfy:1.
pub struct Range {
    pub low: Int,
    pub high: Int,
}

impl Object for Range {
    fn class_name(&self) -> &'static str {
        "_module.Range"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("low", &self.low);
        fields.constant("high", &self.high);
    }
}

impl Range {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let low: Int = int(0);
        let high: Int = int(0);
        Ref::new(Range { low, high })
    }
}

impl Range {
    /// ```dafny
    /// ensures low == n && high == n
    /// ```
    ///
    /// From src/class_named_constructor.dfy:5.
    pub fn single(n: &Int) -> Ref<Self> {
        let low = n.clone();
        let high = n.clone();
        Ref::new(Range { low, high })
    }
}
