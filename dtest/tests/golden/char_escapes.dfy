function Lines(): string {
  "tab\t, quote\", unicode \U{1F600}\n"
}
