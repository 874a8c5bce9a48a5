"""Who may know what: words for some eyes only, what each seat knows of each thing, names that tell no more than that."""
