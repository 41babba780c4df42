newtype Long = x: int | -0x8000_0000 <= x < 0x8000_0000

function Remainder(a: Long): Long {
  a % -7
}
