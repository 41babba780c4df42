const Name := "Dafny
