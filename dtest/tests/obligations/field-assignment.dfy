class C { var c: C constructor (b: bool, d: C) { if b { c := d; } new; } } // -
class D { const c: D constructor (d: D) { c := d; } }
