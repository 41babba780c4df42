use dunit::prelude::*;

/// From src/function_returns_function.dfy:1.
pub fn curried(a: &Int) -> Fun1<Int, Fun1<Int, Int>> {
    let a = a.clone();
    Fun1::new(move |b: &Int| {
        let a = a.clone();
        let b = b.clone();
        Fun1::new(move |c: &Int| &a + &b * c)
    })
}

/// From src/function_returns_function.dfy:5.
pub fn applied() -> Int {
    curried(&int(1)).call(&int(2)).call(&int(3))
}
