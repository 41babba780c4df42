// refused: 4, 6, 7, 10, 11, 14, 15, 20, 21, 22, 25, 28, 31, 34, 36, 38, 39, 42, 43, 46, 49, 50, 53, 55, 57, 59, 61, 63, 64, 68, 70
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
function A(a: int, b: int): int {
  a == b }
function A1(a: int, b: int): int {
  forall x: int :: x == x }
function A2(a: int, b: bool): int {
  !b }
function A3(a: int, b: bool): int {
  |[1]| > 3 }
function A4(a: int, b: bool): bool {
  -a }
function A5(a: int, b: bool): bool {
  |[1]| }
function A6(a: int, b: bool): bool {
  if b then a 
  else 3 }
function A7(a: int, b: bool): bool {
  if b 
  then 4 
  else 3 }
function A8(a: int, b: bool): bool {
  a + 
  3 }
function A9(a: int, b: bool): int {
  b && b }
function B1(a: int, b: bool): int {
  a in {a} }
function B2(a: int, b: bool): int {
  var x := 3;
  true }
function B3(a: int, b: bool): int {
  match a 
  case 0 => true
  case _ => 
   false }
function B4(a: int, b: bool): int {
  set x | x in {1} }
function B5(a: int, b: bool): int {
  (1, 2) }
function B6(a: int, b: bool): int {
  (true) }
function B7(a: int, b: bool): int {
  a as real }
function B8(a: int, b: bool): int {
  a is int }
function B9(a: int, b: bool): int {
  assert true;
  false }
function C1(a: int, b: bool): int {
  x => x }
function C2(a: int, b: bool): int {
  1 < 2 < 3 }
function C3(a: int, b: bool): int {
  "abc" }
function C4(a: object, b: bool): int {
  null }
function C5(a: object, b: bool): bool {
  multiset{1} }
function C6(a: object, b: bool): bool {
  multiset({1}) }
function C7(a: object, b: bool): bool {
  seq(3, _ => 1) }
function C8(a: bool, b: bool): int {
  if b then a 
  else false }
ghost function C9(a: object, b: bool): int {
  old(true) }
ghost function D1(a: object, b: bool): int {
  allocated(a) }
