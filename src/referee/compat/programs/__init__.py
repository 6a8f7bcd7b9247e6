"""Other programs' command lines and outputs, with the scores of this one."""
