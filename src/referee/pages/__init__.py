"""Pages in HTML: the inspector, the leaderboard, the command in a browser.

Other packages import `app`, `board` and `inspector`.
"""
