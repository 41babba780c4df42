use dunit::prelude::*;

/// From src/iterator_yield.dfy:1.
pub struct Count {
    pub n: Int,
    pub x: Field<Int>,
    body: Coroutine,
}

impl Object for Count {
    fn class_name(&self) -> &'static str {
        "_module.Count"
    }
}

impl Count {
    /// An iterator at the start of its body.
    pub fn new(n: &Int) -> Ref<Self> {
        Ref::new(Count {
            n: n.clone(),
            x: Field::new(int(0)),
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
        let mut i = int(0);
        while i < this.n {
            this.x.set(i.clone());
            suspend().await;
            i += 1;
        }
    }
}

/// From src/iterator_yield.dfy:10.
pub fn first() -> Int {
    let it = Count::new(&int(2));
    let more = Count::move_next(&it);
    if more { it.x.get() } else { int(-1) }
}
