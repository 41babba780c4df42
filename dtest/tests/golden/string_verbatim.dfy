function Path(): string {
  @"C:\temp ""quoted"""
}
