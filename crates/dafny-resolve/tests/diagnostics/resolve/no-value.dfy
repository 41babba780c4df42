class C { constructor () { } }
iterator Objects() yields (x: C) { }
