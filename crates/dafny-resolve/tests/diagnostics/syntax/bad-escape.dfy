const Letter := "\q"
