datatype Unit = Unit(n: int) {
  static function Zero(): Unit {
    Unit(0)
  }
}
