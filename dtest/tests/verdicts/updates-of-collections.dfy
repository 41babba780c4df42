// refused: 6, 9, 12, 13, 18
trait Base {}
class Part extends Base {}
method Sequences(s: seq<Part>, b: Base, p: Part?) {
  var t := s[0 := p];
  var u := s[0 := b];
}
method Multisets(m: multiset<Part>, b: Base) {
  var n := m[b := 2];
}
method Maps(m: map<Part, Part>, b: Base, p: Part) {
  var n := m[b := p];
  var o := m[p := b];
  var q: map<Base, Base> := map[b := p];
  q := q[p := p];
}
datatype Holder = Holder(b: Base)
method Narrow(h: Holder) { match h case Holder(p: Part) => }
method Widen(h: Part) { match h case b: Base => }
