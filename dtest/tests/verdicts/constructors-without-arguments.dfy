// refused: 8, 9, 11, 13, 15
// A constructor is named only with arguments: otherwise the whole path is the class.
module M {
  class C { constructor () { } constructor Named() { } }
  class D { }
}
class C { constructor () { } constructor Named() { } }
method Anonymous() { var c := new C._ctor; }
method Named() { var c := new C.Named; }
method Called() { var c := new C.Named(); var a := new C(); var b := new C._ctor(); }
method OfModule() { var c := new M.C.Named; }
method Class() { var d := new M.D; }
ghost method Ghost() { var c := new C.Named; }
class D { }
method Missing() { var d := new D._ctor; }
