// accepted
@Options("--function-syntax:4")
@Compile
module A {
  @Fuel(2, high := 3)
  @IsolateAssertions
  function F(): int { 3 }

  @AutoContracts
  class C {
    @Nothing @[1, 2] @(3)
    var x: int
    @Test @TestEntry @TimeLimit(3)
    method M() { }
    @Compile(false) @Verify @Priority(2)
    const c := 3
  }

  @NativeUInt8
  newtype Byte = x: int | 0 <= x < 256

  @Nothing
  import B
}

module B { }

@Print
@VerifyOnly
method P() { print 1; }
