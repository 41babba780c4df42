iterator Gen() yields (x: int) yield ensures x > 0 { yield 0; } // !
