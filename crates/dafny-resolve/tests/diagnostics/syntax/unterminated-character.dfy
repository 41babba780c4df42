const NewLine := '\n
