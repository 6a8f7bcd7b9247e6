"""A corpus of annotated documents as columns, and what makes and changes one."""
