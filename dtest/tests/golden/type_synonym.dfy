type Row = seq<int>

function First(r: Row): int
  requires |r| > 0
{
  r[0]
}
