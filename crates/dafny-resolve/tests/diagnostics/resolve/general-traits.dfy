trait Shape {}
datatype Square extends Shape = Square(side: nat)
