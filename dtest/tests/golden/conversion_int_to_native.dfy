newtype Word = x: int | 0 <= x < 0x1_0000_0000

function Low(n: int): Word {
  (n % 0x1_0000_0000) as Word
}
