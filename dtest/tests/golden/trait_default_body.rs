use dunit::prelude::*;

/// From src/trait_default_body.dfy:1.
pub trait Shape: Dynamic {
    fn area(&self) -> Int;
    fn doubled(&self) -> Int;
}

impl dyn Shape {
    /// From src/trait_default_body.dfy:4.
    pub fn default_doubled(this: &Dyn<dyn Shape>) -> Int {
        2 * this.area()
    }
}

/// From src/trait_default_body.dfy:9.
pub struct Square {
    pub side: Int,
}

impl Object for Square {
    fn class_name(&self) -> &'static str {
        "_module.Square"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("side", &self.side);
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Shape);
    }
}

impl Square {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let side: Int = int(0);
        Ref::new(Square { side })
    }
}

impl Shape for Ref<Square> {
    fn area(&self) -> Int {
        Square::area(self)
    }
    fn doubled(&self) -> Int {
        <dyn Shape>::default_doubled(&upcast::<dyn Shape, _>(self))
    }
}

impl Square {
    /// ```dafny
    /// ensures this.side == side
    /// ```
    ///
    /// From src/trait_default_body.dfy:12.
    pub fn new(side: &Int) -> Ref<Self> {
        let side_2 = side.clone();
        Ref::new(Square { side: side_2 })
    }

    /// From src/trait_default_body.dfy:18.
    pub fn area(this: &Ref<Square>) -> Int {
        &this.side * &this.side
    }
}
