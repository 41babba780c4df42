// refused: 4
class C {
  static
  protected function M(): int { 3 }
}
