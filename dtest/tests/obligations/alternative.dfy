method If(n: int) { if { case n > 0 => case n < 0 => } } // !
method Complete(n: int) { if { case n > 0 => case n <= 0 => } }
