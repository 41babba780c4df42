/** Functions of the shapes that DTest was measured on (Fedchin et al., NFM 2023, table 2), in our own words. */
module Functions {
  newtype byte = x: int | 0 <= x < 0x100

  /** Whether three bytes are a well-formed UTF-8 sequence (Unicode standard, table 3-7). */
  predicate ThreeBytes(s: seq<byte>)
    requires |s| == 3
  {
    var a, b, c := s[0], s[1], s[2];
    || (a == 0xE0 && 0xA0 <= b && b <= 0xBF && 0x80 <= c && c <= 0xBF)
    || (0xE1 <= a && a <= 0xEC && 0x80 <= b && b <= 0xBF && 0x80 <= c && c <= 0xBF)
    || (a == 0xED && 0x80 <= b && b <= 0x9F && 0x80 <= c && c <= 0xBF)
    || (0xEE <= a && a <= 0xEF && 0x80 <= b && b <= 0xBF && 0x80 <= c && c <= 0xBF)
  }

  /** Whether four bytes are a well-formed UTF-8 sequence. */
  predicate FourBytes(s: seq<byte>)
    requires |s| == 4
  {
    var a, b, c, d := s[0], s[1], s[2], s[3];
    || (a == 0xF0 && 0x90 <= b && b <= 0xBF && 0x80 <= c && c <= 0xBF && 0x80 <= d && d <= 0xBF)
    || (0xF1 <= a && a <= 0xF3 && 0x80 <= b && b <= 0xBF && 0x80 <= c && c <= 0xBF && 0x80 <= d && d <= 0xBF)
    || (a == 0xF4 && 0x80 <= b && b <= 0x8F && 0x80 <= c && c <= 0xBF && 0x80 <= d && d <= 0xBF)
  }

  predicate Tail(b: byte) {
    0x80 <= b <= 0xBF
  }

  /** Whether the bytes of s from lo up to hi are well-formed UTF-8. */
  predicate ValidRange(s: seq<byte>, lo: nat, hi: nat)
    requires lo <= hi <= |s|
    decreases hi - lo
  {
    if lo == hi then true
    else
      var a := s[lo];
      if a <= 0x7F then ValidRange(s, lo + 1, hi)
      else if a < 0xC2 then false
      else if a <= 0xDF then
        if hi - lo < 2 then false
        else if !Tail(s[lo + 1]) then false
        else ValidRange(s, lo + 2, hi)
      else if a <= 0xEF then
        if hi - lo < 3 then false
        else
          var b := s[lo + 1];
          if a == 0xE0 then
            if b < 0xA0 || b > 0xBF then false
            else if !Tail(s[lo + 2]) then false
            else ValidRange(s, lo + 3, hi)
          else if a == 0xED then
            if b < 0x80 || b > 0x9F then false
            else if !Tail(s[lo + 2]) then false
            else ValidRange(s, lo + 3, hi)
          else if !Tail(b) || !Tail(s[lo + 2]) then false
          else ValidRange(s, lo + 3, hi)
      else if a <= 0xF4 then
        if hi - lo < 4 then false
        else
          var b := s[lo + 1];
          if a == 0xF0 then
            if b < 0x90 || b > 0xBF then false
            else if !Tail(s[lo + 2]) || !Tail(s[lo + 3]) then false
            else ValidRange(s, lo + 4, hi)
          else if a == 0xF4 then
            if b < 0x80 || b > 0x8F then false
            else if !Tail(s[lo + 2]) || !Tail(s[lo + 3]) then false
            else ValidRange(s, lo + 4, hi)
          else if !Tail(b) || !Tail(s[lo + 2]) || !Tail(s[lo + 3]) then false
          else ValidRange(s, lo + 4, hi)
      else false
  }

  newtype index = x: int | 0 <= x < 0x40

  predicate IsBase64Char(c: char) {
    c == '+' || c == '/' || ('0' <= c && c <= '9') || ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z')
  }

  /** The character of a Base64 index (RFC 4648, table 1). */
  function IndexToChar(i: index): (c: char)
    ensures IsBase64Char(c)
  {
    if i == 63 then '/'
    else if i == 62 then '+'
    else if 52 <= i && i <= 61 then ((i - 4) as int) as char
    else if 26 <= i && i <= 51 then ((i as int) + 71) as char
    else if 13 <= i && i <= 25 then ((i as int) + 65) as char
    else if 1 <= i && i <= 12 then ((i as int) + 65) as char
    else 'A'
  }

  /** The index of a Base64 character. */
  function CharToIndex(c: char): (i: index)
    requires IsBase64Char(c)
  {
    if c == '/' then 63
    else if c == '+' then 62
    else if '0' <= c && c <= '9' then (c as int + 4) as index
    else if 'a' <= c && c <= 'z' then (c as int - 71) as index
    else if 'A' <= c && c <= 'M' then (c as int - 65) as index
    else if 'N' <= c && c < 'Z' then (c as int - 65) as index
    else if c == 'Z' then 25
    else 0
  }

  /** Whether four characters are a Base64 group that ends in one `=`. */
  predicate OnePadding(s: seq<char>) {
    |s| == 4 && s[0] != '=' && s[1] != '=' && s[2] != '=' && s[3] == '='
    && (s[2] == 'A' || s[2] == 'E' || s[2] == 'I' || s[2] == 'M' || s[2] == 'Q' || s[2] == 'U' || s[2] == 'Y')
    && s[0] >= '+' && s[0] <= 'z' && s[1] >= '+' && s[1] <= 'z'
  }

  /** Whether four characters are a Base64 group that ends in two `=`. */
  predicate TwoPadding(s: seq<char>) {
    |s| == 4 && s[0] != '=' && s[1] != '=' && s[2] == '=' && s[3] == '='
    && (s[1] == 'A' || s[1] == 'Q' || s[1] == 'g' || s[1] == 'w')
    && s[0] >= '+' && s[0] <= 'z'
    && (s[0] < '=' || s[0] > '@') && (s[0] < '[' || s[0] > '`')
  }

  /** Whether the text from i on is what a table's resource name may hold: `table/` and three to 8 letters. */
  function ValidResource(s: string, i: nat): (error: nat)
    requires i <= |s| && |s| <= 16
  {
    if |s| - i < 6 then 1
    else if s[i] != 't' || s[i + 1] != 'a' then 2
    else if s[i + 2] != 'b' || s[i + 3] != 'l' || s[i + 4] != 'e' then 3
    else if s[i + 5] != '/' then 4
    else if |s| - i < 9 then 5
    else if |s| - i > 14 then 6
    else if !('a' <= s[i + 6] && s[i + 6] <= 'z') then 7
    else if !('a' <= s[i + 7] && s[i + 7] <= 'z') && s[i + 7] != '-' then 8
    else 0
  }

  /** Whether x comes no later than y in a dictionary, by the first four bytes. */
  predicate LexLeq(x: seq<byte>, y: seq<byte>, n: nat)
    requires n <= |x| && n <= |y|
    decreases |x| - n
  {
    if n == |x| then true
    else if n == |y| then false
    else if x[n] < y[n] then true
    else if x[n] > y[n] then false
    else if n + 1 == |x| || n + 1 == |y| then |x| <= |y|
    else if x[n + 1] < y[n + 1] then true
    else if x[n + 1] > y[n + 1] then false
    else LexLeq(x, y, n + 2)
  }
}
