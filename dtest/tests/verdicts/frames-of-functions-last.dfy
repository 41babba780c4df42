// refused: 5, 6, 7
// first: 7
class Cell { ghost var data: int }
ghost function F(): () ~> bool {
  () reads set c: Cell | c.data == 17
     requires exists c: Cell :: c.data == 1
     => exists c: Cell :: c.data == 3
}
