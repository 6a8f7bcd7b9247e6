"""From chunks to shallow trees of Universal Dependencies, by rules: `linked.tree_of_chunks`."""
