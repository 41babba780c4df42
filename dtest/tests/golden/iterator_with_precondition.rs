use dunit::prelude::*;

/// From src/iterator_with_precondition.dfy:1.
pub struct Repeat {
    pub x: Int,
    pub times: Int,
    pub y: Field<Int>,
    body: Coroutine,
}

impl Object for Repeat {
    fn class_name(&self) -> &'static str {
        "_module.Repeat"
    }
}

impl Repeat {
    /// An iterator at the start of its body.
    pub fn new(x: &Int, times: &Int) -> Ref<Self> {
        Ref::new(Repeat {
            x: x.clone(),
            times: times.clone(),
            y: Field::new(int(0)),
            body: Coroutine::new(),
        })
    }

    /// Whether the body has not ended.
    pub fn valid(this: &Ref<Self>) -> bool {
        !this.body.has_ended()
    }

    /// Continues to the next `yield`; returns false at the end.
    pub fn move_next(this: &Ref<Self>) -> bool {
        this.body.resume(|| Self::run(this.clone()))
    }

    /// The body.
    async fn run(this: Ref<Self>) {
        for _i in range(0, this.times.clone()) {
            this.y.set(this.x.clone());
            suspend().await;
        }
    }
}
