// refused: 4, 10, 16
type Odd = n: int |
  var two := assert 1 < 2 by {
    return;
  } 2;
  n % two == 1 witness 1

function InFunction(): int {
  assert 1 < 2 by {
    return;
  }
  3
}

twostate predicate {:opaque} Before() { true }
ghost function Plain(): int { reveal Before(); 3 }
twostate lemma Two() { reveal Before(); }
