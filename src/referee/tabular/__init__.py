"""Tables of records: what their columns mean, whatever holds them. Labels are items with entities, pairs are two records."""
