"""Playing by machine: bots, bare playouts, and what many games say."""
