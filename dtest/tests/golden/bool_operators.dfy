function Implies(a: bool, b: bool): bool {
  (a ==> b) && (b <== a) && (a <==> b || !a)
}
