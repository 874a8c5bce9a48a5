"""IR -> layout -> executable code."""
