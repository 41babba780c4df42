datatype Day = Mon | Tue | Sat | Sun

predicate Free(d: Day) {
  match d
  case Sat | Sun => true
  case Mon | Tue => false
}
