"""`Memo`: what is kept of an instance, and what is not."""

import pickle
from dataclasses import dataclass, fields, replace

import pytest

from referee.basics.memo import Memo


@dataclass(frozen=True, eq=False)
class Number(Memo):
    value: int


def test_a_function_is_called_once_for_each_instance():
    calls = []

    def double(number):
        calls.append(number.value)
        return 2 * number.value

    two, three = Number(2), Number(3)
    assert [two.memo_call(double), two.memo_call(double), three.memo_call(double)] == [4, 4, 6]
    assert two.memo("half", lambda: 1) == two.memo("half", pytest.fail) == 1
    assert calls == [2, 3]


def test_a_copy_and_a_pickle_begin_with_nothing():
    two = Number(2)
    two.memo("what", lambda: lambda: None)  # which could not be pickled
    for copy in (replace(two, value=5), pickle.loads(pickle.dumps(two))):
        assert copy.memo("what", lambda: 7) == 7
    assert repr(two) == "Number(value=2)"
    assert [field.name for field in fields(two) if field.init] == ["value"]
