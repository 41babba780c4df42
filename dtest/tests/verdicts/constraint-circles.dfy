// refused: 5, 15, 21, 22, 29, 30
module Lemmas {
  // A lemma that is called in a constraint, and the variables of its proof.
  type Plain = x: int | x >= 0
  newtype Circle = x: int | (Proof(); x >= 0)
  lemma Proof()
  {
    var c: Circle := 1;
    assert c as int == 1;
  }
  type Fine = x: int | (Other(); x >= 0)
  lemma Other() { var c := 1; }
}
module Own {
  newtype Self = x: int | var s: Self := 3; s < 10
}
module Types {
  type Through = Named
  type Named = x: int | P(x)
  // Mentioned by the parameter of a predicate, or by its quantifier.
  type A = x: int | Q(x)
  type B = x: int | R(x)
  predicate P(x: int) { x > 0 }
  ghost predicate Q(x: int) { forall a: A :: a >= x }
  ghost predicate R(x: int) decreases var b: B := 0; b { x > 0 }
}
module Methods {
  // What a function does by method counts where compiled code calls it.
  const first := One()
  type Witnessed = x: int | true witness Two()
  type Ghostly = x: int | true ghost witness Three()
  function One(): int { 1 } by method { return 1 + 0 * first; }
  function Two(): int { 2 } by method { return 2 + (0 as Witnessed as int); }
  function Three(): int { 3 } by method { return 3 + (0 as Ghostly as int); }
}
