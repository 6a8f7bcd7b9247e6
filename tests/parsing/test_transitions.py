"""The states of a parser, and the oracle that says which moves lose nothing."""

import numpy as np
from hypothesis import given, strategies as st

from referee.parsing.oracle import Oracle
from referee.parsing.transitions import DETAILS, LEFT, PLACES, RIGHT, SHIFT, States, detail_codes
from referee.parsing.treebank import projective


def projective_trees(longest=8):
    """Trees of which no arcs cross: any tree is built by moves, as `States` allows them."""

    def built(choices):
        size = len(choices) // 2 + 1
        states = States(np.array([1]), np.array([size + 1]), 1)
        for choice in [*choices, *[0] * size]:
            if not states.active():
                break
            places = states.places(1)
            possible = np.flatnonzero(states.possible(places)[:, 0])
            states.take(places, possible[[choice % len(possible)]], np.array([1]))
        return states.head[1:].tolist()

    return st.lists(st.integers(0, 2), max_size=2 * longest).map(built)


def losses(head, moves):
    """How many arcs of a tree are lost after some moves, whatever comes next: tried out, by the definition."""
    states = States(np.array([1]), np.array([len(head) + 1]), 1)
    for move in moves:
        states.take(states.places(1), np.array([move]), np.array([1]))
    return best(head, states.done, int(states.top[0]), states.below.tolist(), int(states.next[0]), states.head.tolist())


def best(head, done, top, below, after, found):
    size = len(head)
    if done == 2 * size - 1:
        return sum(a != b for a, b in zip(head, found[1:], strict=True))
    results = []
    if after <= size:
        results.append(best(head, done + 1, after, [*below[:after], top, *below[after + 1 :]], after + 1, found))
        if top:
            results.append(best(head, done + 1, below[top], below, after, [*found[:top], after, *found[top + 1 :]]))
    if top and below[top]:
        results.append(best(head, done + 1, below[top], below, after, [*found[:top], below[top], *found[top + 1 :]]))
    return min(results)


@given(projective_trees(4), st.lists(st.integers(0, 2), max_size=9))
def test_a_move_is_lossless_if_and_only_if_as_many_arcs_can_be_had_after_it(head, choices):
    states, oracle = States(np.array([1]), np.array([len(head) + 1]), 1), Oracle(np.array([0, *head]))
    moves = []
    for choice in choices:
        if not states.active():
            break
        places = states.places(1)
        possible, told = states.possible(places)[:, 0], oracle.lossless(states, places)[:, 0]
        now = losses(head, moves)
        for move in (SHIFT, LEFT, RIGHT):
            wanted = bool(possible[move]) and losses(head, [*moves, move]) == now
            # Where the root is lost already, all that is left may be said to lose it.
            assert told[move] == wanted or (not told.any() and wanted), (head, moves, move)
        move = np.flatnonzero(possible)[[choice % possible.sum()]]
        oracle.take(places, move)
        states.take(places, move, np.array([1]))
        moves += move.tolist()


@given(projective_trees())
def test_lossless_moves_give_the_tree(head):
    states, oracle = States(np.array([1]), np.array([len(head) + 1]), 1), Oracle(np.array([0, *head]))
    while states.active():
        places = states.places(1)
        move = np.flatnonzero(oracle.lossless(states, places)[:, 0])[:1]
        oracle.take(places, move)
        states.take(places, move, np.array([1]))
    assert states.head[1:].tolist() == head


@given(
    st.lists(st.integers(1, 7), min_size=1, max_size=5),
    st.lists(st.integers(0, 2), min_size=70, max_size=70),
    st.integers(1, 4),
)
def test_any_moves_give_trees_with_one_root_each(sizes, choices, labels):
    sizes = sorted(sizes, reverse=True)
    end = np.cumsum(sizes) + 1
    begin = end - sizes
    states = States(begin, end, labels)
    step = 0
    while n := states.active():
        places = states.places(n)
        details = states.details(places)
        assert places.shape == (n, PLACES) and details.shape == (n, DETAILS)
        assert details.min() >= 0 and details.max() < detail_codes(labels)
        possible = states.possible(places)
        allowed = [np.flatnonzero(possible[:, column]) for column in range(n)]
        move = np.array([moves[choices[(step + column) % 70] % len(moves)] for column, moves in enumerate(allowed)])
        states.take(places, move, np.full(n, labels))
        step += 1
    for a, b in zip(begin.tolist(), end.tolist(), strict=True):
        head = [h - a + 1 if h else 0 for h in states.head[a:b].tolist()]
        assert all(0 <= h <= b - a for h in head)
        assert head.count(0) == 1
        assert projective(head)
        for word in range(1, len(head) + 1):
            steps, above = 0, word
            while above:
                above, steps = head[above - 1], steps + 1
                assert steps <= len(head)


def test_a_crossing_arc_is_found():
    assert projective([0])
    assert projective([2, 0, 2])
    assert projective([0, 1, 1, 3])
    assert not projective([3, 4, 0, 3])
    assert not projective([4, 4, 1, 0])
    assert not projective([2, 0, 1])  # the root is inside an arc
