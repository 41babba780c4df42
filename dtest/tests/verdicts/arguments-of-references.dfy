// refused: 8, 16, 17, 18, 19, 20
// An invariant argument keeps the constraints of its own head, and no others.
class G<T> { }
datatype D<T> = D(T)
class P { }
method Assign(a: array<array<nat>>, g: G<nat>, gs: G<seq<nat>>, gg: G<G<nat>>, gd: G<D<nat>>, d: D<G<nat>>, s: seq<G<nat>>) {
  var b: array<array<int>> := a;
  var h: G<int> := g;
  var hs: G<seq<int>> := gs;
  var hg: G<G<int>> := gg;
  var hd: G<D<int>> := gd;
  var hdg: D<G<int>> := d;
  var hss: seq<G<int>> := s;
}
method Nullable(p: P, gp: G<P?>) returns (a: array<P?>, b: array<P>) {
  a := new P[0];
  a := b;
  b := new P?[2](_ => null);
  a := new P[] [p];
  var hp: G<P> := gp;
}
