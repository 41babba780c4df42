type Even = x: int | x % 2 == 0
newtype Byte = x: int | 0 <= x < 256
method Order(n: int) { for i := 0 to n { } } // !
method Down(n: int) { for i := 3 downto n { } } // !
method IndexType(k: nat) { for i: Even := 0 to 2 * k { } } // !
method DownIndexType() { for i: Even := 4 downto 0 { } } // !
method Bytes() { for i: Byte := 0 to 255 { } }
method Natural(n: nat) { for i: nat := n downto 0 { } }
method Endless() decreases * { for i: Byte := 0 to * decreases * { break; } } // !
method EndlessNatural() decreases * { for i: nat := 5 downto * decreases * { break; } } // !
