ghost function F(ghost x: int): int { 3 }
