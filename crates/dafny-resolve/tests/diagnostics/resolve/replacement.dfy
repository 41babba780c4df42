module A { method M() { } }
module B replaces A { method M() { } }
