newtype Byte = bv8
