use dunit::prelude::*;

/// From src/trait_generic.dfy:1.
pub trait Container<T>: Dynamic {
    fn get(&self) -> T;
}

/// From src/trait_generic.dfy:5.
pub struct Single<T> {
    pub content: T,
}

impl<T: Value> Object for Single<T> {
    fn class_name(&self) -> &'static str {
        "_module.Single"
    }
    fn fields(&self, fields: &mut Fields<'_>) {
        fields.constant("content", &self.content);
    }
    fn offer(this: &Ref<Self>, cast: &mut Cast<'_>) {
        dunit::offer!(cast, this, dyn Container < T >);
    }
}

impl<T: Value> Container<T> for Ref<Single<T>> {
    fn get(&self) -> T {
        Single::get(self)
    }
}

impl<T: Value> Single<T> {
    /// ```dafny
    /// ensures this.content == content
    /// ```
    ///
    /// From src/trait_generic.dfy:8.
    pub fn new(content: &T) -> Ref<Self> {
        let content_2 = content.clone();
        Ref::new(Single { content: content_2 })
    }

    /// From src/trait_generic.dfy:14.
    pub fn get(this: &Ref<Single<T>>) -> T {
        this.content.clone()
    }
}
