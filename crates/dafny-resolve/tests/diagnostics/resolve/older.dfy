class Node {}
function Depth(older n: Node): nat
