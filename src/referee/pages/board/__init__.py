"""A leaderboard: `write_board` makes a static site of systems that were scored against one key."""

from referee.pages.board.site import write_board

__all__ = ["write_board"]
