trait Factory {
  static function Default(): int {
    3
  }
}

function Made(): int {
  Factory.Default()
}
