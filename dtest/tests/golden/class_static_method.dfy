class Maths {
  static method Square(n: int) returns (r: int) {
    r := n * n;
  }
}
