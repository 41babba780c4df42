use dunit::prelude::*;

/// From src/class_returns_new_object.dfy:1.
pub struct Token {
    pub id: Int,
}

impl Object for Token {
    fn class_name(&self) -> &'static str {
        "_module.Token"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("id", &self.id);
    }
}

impl Token {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let id: Int = int(0);
        Ref::new(Token { id })
    }
}

impl Token {
    /// ```dafny
    /// ensures this.id == id
    /// ```
    ///
    /// From src/class_returns_new_object.dfy:4.
    pub fn new(id: &Int) -> Ref<Self> {
        let id_2 = id.clone();
        Ref::new(Token { id: id_2 })
    }
}

/// ```dafny
/// ensures fresh(t) && t.id == id
/// ```
///
/// From src/class_returns_new_object.dfy:11.
pub fn issue(id: &Int) -> Ref<Token> {
    Token::new(id)
}
