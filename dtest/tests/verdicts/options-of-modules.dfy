// refused: 7, 11, 15
module {:options "--function-syntax:4", "--quantifier-syntax:4"} New {
  function F(): int { 3 }
}
module {:options "-functionSyntax:4"} Old {
}
module {:options "--verify-included-files"} Commands {
}
@Options("--quantifier-syntax 3")
module Braces {
  module {:options "-functionSyntax:5"} Value {
  }
}
module
  {:options "-quantifierSyntax"} Without {
}
