use dunit::prelude::*;

/// From src/class_without_constructor.dfy:1.
pub struct Point {
    pub x: Field<Int>,
    pub y: Field<Int>,
}

impl Object for Point {
    fn class_name(&self) -> &'static str {
        "_module.Point"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.field("x", &self.x);
        fields.field("y", &self.y);
    }
}

impl Point {
    /// An object whose fields have their initial values.
    pub fn allocate() -> Ref<Self> {
        let x: Int = int(0);
        let y: Int = int(0);
        Ref::new(Point {
            x: Field::new(x),
            y: Field::new(y),
        })
    }
}

/// ```dafny
/// ensures fresh(p)
/// ```
///
/// From src/class_without_constructor.dfy:6.
pub fn origin() -> Ref<Point> {
    let p = Point::allocate();
    let value = int(0);
    let object = p.clone();
    let value_2 = int(0);
    let object_2 = p.clone();
    object.x.set(value);
    object_2.y.set(value_2);
    p
}
