// refused: 3
module A { method M() { } }
module B replaces A { method M() { } }
replaceable module C { method M() { } }
module D replaces C { method M() { } }
