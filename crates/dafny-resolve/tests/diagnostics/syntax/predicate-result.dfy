predicate Typed(x: int): bool { x > 0 }
