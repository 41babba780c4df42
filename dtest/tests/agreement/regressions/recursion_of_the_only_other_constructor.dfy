datatype D<T> = End | More(rest: D<T>)
{
  function Depth(): nat
  {
    match this
    case End => 0
    case More(rest) => 1 + rest.Depth()
  }
}

method Main()
{
  var d: D<int> := More(More(End));
  print d, d.Depth(), "\n";
}
