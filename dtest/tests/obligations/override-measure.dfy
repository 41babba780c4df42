trait T {
  method Larger(n: nat) decreases n
  method Order(n: nat, m: nat) decreases n, m
  method Default(n: nat)
  function Function(n: nat): nat decreases n
  method Shorter(n: nat, m: nat) decreases n, m
  method Kind(n: nat) decreases n
  method Renamed(n: nat, m: nat) decreases n
  method Same(n: nat) decreases n
  method Longer(n: nat, m: nat) decreases n
  method Any(n: nat) decreases *
  lemma Smaller(n: nat) decreases n
}
class C extends T {
  constructor () { }
  method Larger(n: nat) decreases n + 1 { } // !
  method Order(n: nat, m: nat) decreases m, n { } // !
  method Default(n: nat) decreases n + 1 { } // !
  function Function(n: nat): nat decreases n + 2 { n } // !
  method Shorter(n: nat, m: nat) decreases n { } // !
  method Kind(n: nat) decreases true { } // !
  method Renamed(m: nat, n: nat) decreases n { } // !
  method Same(n: nat) { }
  method Longer(n: nat, m: nat) decreases n, m { }
  method Any(n: nat) decreases n + 3 { }
  lemma Smaller(n: nat) decreases 0 { }
}
