method Cell(rows: array<array<int>>) returns (r: int)
  requires rows.Length == 1 && rows[0].Length == 1
{
  r := rows[0][0];
}
