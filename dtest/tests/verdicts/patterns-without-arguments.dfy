// refused: 11, 15
datatype Color = Red | Grey(level: nat) | Two(a: int, b: int)
function IsGrey(c: Color): bool {
  match c
  case Grey => true
  case anything => false
}
method M(c: Color, p: (Color, int)) {
  match c { case Two => case _ => }
  match p { case (Grey, _) => case _ => }
  match p { case (Grey(), _) => case _ => }
  match c case Red() => case Grey(_) => case Two(_, _) =>
  var Grey := c;
  var Two(a, b) := c;
  var (Grey, x) := p;
  var (q, Red) := p;
  var (Red, qq) := p;
}
