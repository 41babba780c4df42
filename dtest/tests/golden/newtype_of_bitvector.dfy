// gen --strength coverage --type-system-refresh --general-newtypes
newtype Flags = x: bv8 | x & 0x80 == 0

function Clear(f: Flags): bv8 {
  (f as bv8) & 0x0F
}
