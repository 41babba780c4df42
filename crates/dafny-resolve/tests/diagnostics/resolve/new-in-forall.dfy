class Cell { constructor () { } }
method Fill(a: array<Cell>, b: array<array<int>>) modifies a, b {
  forall i | 0 <= i < b.Length {
    b[i] := new int[3];
  }
}
