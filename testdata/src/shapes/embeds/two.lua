return 2
