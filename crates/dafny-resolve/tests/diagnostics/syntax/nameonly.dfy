datatype Pair = Pair(nameonly int, b: int)
