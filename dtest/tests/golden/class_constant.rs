use dunit::prelude::*;

/// From src/class_constant.dfy:1.
pub struct Config {
    pub limit: Int,
}

impl Object for Config {
    fn class_name(&self) -> &'static str {
        "_module.Config"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("limit", &self.limit);
    }
}

impl Config {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let limit: Int = int(10);
        Ref::new(Config { limit })
    }
}

impl Config {
    /// From src/class_constant.dfy:3.
    pub fn name() -> Seq<Char> {
        str("config")
    }

    /// From src/class_constant.dfy:5.
    pub fn half(this: &Ref<Config>) -> Int {
        &this.limit / 2
    }
}
