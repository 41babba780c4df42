function Next(c: char): char
  requires 'a' <= c < 'z'
{
  c + 1 as char
}
