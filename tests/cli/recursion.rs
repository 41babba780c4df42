//! Tail recursion becomes a loop in Rust, which does not grow the stack.

use super::Package;
use super::suite::cargo_test;

const PROGRAM: &str = include_str!("recursion.dfy");

const DEEP: &str = "\
use dunit::prelude::*;
use sample::*;

const N: i64 = 1_000_000;

#[test]
fn functions() {
    assert_eq!(sum_to(&int(N), &int(0)), int(N * (N + 1) / 2));
    assert_eq!(total(&int(N)), int(N * (N + 1) / 2));
    assert_eq!(minus(&int(N)), int(100 - N * (N + 1) / 2));
    assert_eq!(down(&int(N)).len(), int(N));
    assert_eq!(down(&int(3)), seq![int(3), int(2), int(1)]);
    assert_eq!(digits(&int(120034)), seq![int(1), int(2), int(0), int(0), int(3), int(4)]);
    assert_eq!(fact(&int(5)), int(120));
    assert_eq!(hidden(&int(4), &Seq::new()), str(\"1010\"));
    assert_eq!(gcd(&int(48), &int(36)), int(12));
    assert_eq!(length(&seq![ch('a'), ch('b')], &int(0)), int(2));
}

#[test]
fn methods() {
    assert_eq!(count(&int(N), &int(0)), int(999_999));
    let (c, d) = (Cell::new(), Cell::new());
    c.next.set(d.clone());
    d.next.set(c.clone());
    noise(&int(N), &c);
    assert_eq!(Cell::walk(&c, &int(N)), int(N + 1 + N / 2 + 1));
    assert_eq!(Cell::far(&c, &int(N)), c.data.get());
}

#[test]
fn datatypes() {
    let list = |n: i64| (0..n).fold(List::Nil, |tail, n| List::Cons { head: int(n), tail: Rc::new(tail) });
    assert_eq!(sum(&list(1000)), int(499_500));
    assert_eq!(last(&list(1000), &int(7)), int(0));
    let leaf = || Rc::new(Tree::Leaf);
    let tree = Tree::Node { left: leaf(), value: int(1), right: leaf() };
    let tree = Tree::Node { left: Rc::new(tree), value: int(2), right: leaf() };
    assert_eq!((tree.least(&int(9)), tree.size()), (int(1), int(2)));
}
";

#[test]
fn deep_recursion_at_the_end_runs_on_a_plain_thread() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM), ("tests/deep.rs", DEEP)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["translate"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    // A function with `{:tailrecursion false}` is not a loop; neither is one that calls itself
    // elsewhere too.
    let text = std::fs::read_to_string(package.root().join("src/lib.rs")).unwrap();
    assert!(
        text.contains("rec(&(n - 1))") && text.contains("l.size() + r.size() + 1"),
        "{text}"
    );
    let manifest = std::fs::read_to_string(package.root().join("Cargo.toml")).unwrap();
    if !manifest.contains("dunit") {
        let runtime = super::package::runtime();
        package.write(
            "Cargo.toml",
            format!("{manifest}\n[dependencies]\ndunit = {{ path = {runtime:?} }}\n"),
        );
    }
    let (passed, text) = cargo_test(&package, "recursion");
    assert!(passed, "{text}");
}
