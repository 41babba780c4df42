module B { }
module C {
  import D : B
}
