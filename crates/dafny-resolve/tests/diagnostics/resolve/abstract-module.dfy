abstract module A { function F(): int  type T }
module Importer {
  import A
}
