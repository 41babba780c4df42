method Corner(m: array2<int>) returns (r: int)
  requires m.Length0 > 0 && m.Length1 > 0
{
  r := m[m.Length0 - 1, m.Length1 - 1];
}
