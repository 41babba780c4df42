use dunit::dunit;

#[dunit(unit = "Find")]
async fn asynchronous() {}

#[dunit(unit = "Find")]
fn generic<T>(value: T) -> T {
    value
}

#[dunit(unit = "Find")]
#[test]
fn twice() {}

fn main() {}
