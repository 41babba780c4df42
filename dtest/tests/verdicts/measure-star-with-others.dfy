// refused: 4
method M(x: nat)
  decreases *
  decreases x
{ }
