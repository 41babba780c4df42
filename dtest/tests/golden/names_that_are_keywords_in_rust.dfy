function fn(type_: int, self: int): int {
  type_ + self
}
