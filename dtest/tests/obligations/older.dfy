class C { var next: C? constructor () { next := null; } }
predicate Wrong(older c: C, d: C) { true } // !
predicate Right(older c: C, d: C) { c == d }
