type Distance = Length
type Length = Distance
