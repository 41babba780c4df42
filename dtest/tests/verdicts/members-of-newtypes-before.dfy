// refused: 3, 5
newtype Plain = int { const Floor: int }
newtype Half = real { const Floor: int }
newtype Quarter = Half { const half: int }
newtype Eighth = q: Quarter | true { const half: int }
