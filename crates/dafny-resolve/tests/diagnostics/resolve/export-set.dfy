module Names {
  export provides Make
  datatype Shape = Round | Square
  function Make(): Shape { Round }
}
