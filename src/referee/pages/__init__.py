"""Pages in HTML: the inspector, the leaderboard, the command in a browser."""
