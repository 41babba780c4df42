@Axiom
datatype D = D
