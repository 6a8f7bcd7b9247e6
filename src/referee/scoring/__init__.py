"""From a key and a response to an `Evaluation`."""
