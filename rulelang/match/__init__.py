"""One game under way: what is asked, what is answered, what came of it, and what each seat may see of it."""
