"""Connected components, against their definition."""

from hypothesis import given, strategies as st

from referee.algorithms.components import components


@given(st.integers(1, 9), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=12))
def test_a_node_gets_the_smallest_node_that_a_path_leads_to(size, links):
    links = [(a, b) for a, b in links if a < size and b < size]
    expected = []
    for node in range(size):
        reached = {node}
        for _ in range(size):
            reached |= {y for a, b in links for x, y in ((a, b), (b, a)) if x in reached}
        expected.append(min(reached))
    assert components(size, links) == expected
