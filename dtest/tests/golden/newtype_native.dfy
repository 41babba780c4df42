newtype Byte = x: int | 0 <= x < 256

function Half(b: Byte): Byte {
  b / 2
}
