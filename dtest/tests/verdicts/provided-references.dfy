// refused: 27, 28, 29, 30, 31, 32
// Objects have equality, even if only the name of their type is visible.
module Bank {
  export provides C, G, T, N, It, Cod, A, Al, D, DC
  class C { }
  class G<X> { }
  trait T { }
  newtype N = int
  iterator It() {}
  codatatype Cod = Cod(x: int)
  type A
  type Al = C
  datatype D = D1
  type DC = array<int>
}
module Client {
  import Bank
  method M1(a: Bank.C, b: Bank.C) returns (r: bool) { r := a == b; }
  method M2(a: Bank.G<int>, b: Bank.G<int>) returns (r: bool) { r := a == b; }
  method M3(a: Bank.T, b: Bank.T) returns (r: bool) { r := a == b; }
  method M5(a: Bank.It, b: Bank.It) returns (r: bool) { r := a == b; }
  datatype Both = Both(a: Bank.C, b: Bank.T, c: Bank.It)
  method MC(a: Both, b: Both, c: set<Bank.G<int>>, d: set<Bank.T>, e: set<Bank.It>) returns (r: bool) { r := a == b; }
  datatype Number = Number(a: Bank.N)
  method MD(a: Number, b: Number) returns (r: bool) { r := a == b; }

  method M4(a: Bank.N, b: Bank.N) returns (r: bool) { r := a == b; }
  method M6(a: Bank.Cod, b: Bank.Cod) returns (r: bool) { r := a == b; }
  method M7(a: Bank.A, b: Bank.A) returns (r: bool) { r := a == b; }
  method M8(a: Bank.Al, b: Bank.Al) returns (r: bool) { r := a == b; }
  method M9(a: Bank.D, b: Bank.D) returns (r: bool) { r := a == b; }
  method MA(a: Bank.DC, b: Bank.DC) returns (r: bool) { r := a == b; }
}
