//! `check --dafny`: violations as Dafny methods with `{:test}`.

use super::Package;

const SOURCE: &str = "datatype List<T> = Nil | Cons(head: T, tail: List<T>) {
  function Len(): nat { if this.Nil? then 0 else 1 + tail.Len() }
  method Longer(k: int) returns (r: int)
    ensures r != k
  {
    r := Len() + 1;
  }
}

method First(a: array<int>, c: char)
  requires a.Length > 0
{
  assert a[0] != 7 || c != 'x';
}

ghost function Same(n: nat): nat
  ensures Same(n) != 5
{
  n
}

class Counter {
  var n: int
  method Set(m: int) { assert n != m; }
}
";

#[test]
fn violations_are_methods_that_belong_to_the_program() {
    let package = Package::new(&[("src/lib.dfy", SOURCE)]);
    let written = package.run(&["check", "--dafny", "--quiet"]).stdout;
    for expected in [
        "// breaks src/lib.dfy:4:13: the postcondition does not hold\nmethod {:test} List_Longer_breaks_4_13() {\n",
        "  var r := receiver.Longer(k);\n  expect r != k;\n}\n",
        "  var a: array<int> := new int[1] [7];\n  var c: char := 'x';\n  First(a, c);\n}\n",
        "  var n: nat := 5;\n  var result := Same(n);\n}\n",
        "// no test of `Counter.Set` for src/lib.dfy:24:31: objects among its inputs cannot be written as Dafny\n",
    ] {
        assert!(written.contains(expected), "{expected} in\n{written}");
    }
    // The program with these methods has no errors, and they violate the expected obligations.
    package.write("src/lib.dfy", format!("{SOURCE}\n{written}"));
    let again = package.run(&["check", "--filter", "breaks", "--message-format", "short"]);
    assert_eq!(again.code, 7, "{}", again.shown());
    assert!(
        again
            .stderr
            .contains("src/lib.dfy:13:10: error: this assertion does not hold [check/assertion]"),
        "{}",
        again.shown()
    );
}
