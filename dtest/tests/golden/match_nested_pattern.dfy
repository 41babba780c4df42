datatype Expr = Num(n: int) | Neg(e: Expr)

function Simplified(e: Expr): Expr {
  match e
  case Neg(Neg(inner)) => inner
  case Neg(Num(n)) => Num(-n)
  case Num(_) => e
}
