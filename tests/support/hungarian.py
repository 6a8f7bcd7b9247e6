"""A slow oracle of the assignment problem: the Hungarian method on a dense matrix of whole numbers."""


def hungarian(weight, rows, columns):
    """The assignment with the greatest total weight, exactly; pairs without a weight are not assigned.

    Successive shortest paths with potentials (Kuhn 1955, Munkres 1957). Each row has a column of its own to stay free in.
    """
    width = columns + rows
    u, v = [0] * (rows + 1), [0] * (width + 1)
    row_of = [0] * (width + 1)  # 1-based; column 0 is where the search begins
    for start in range(1, rows + 1):
        row_of[0] = start
        least = [None] * (width + 1)
        back, done = [0] * (width + 1), [False] * (width + 1)
        column = 0
        while row_of[column]:
            done[column] = True
            row = row_of[column]
            delta, following = None, 0
            for j in range(1, width + 1):
                if done[j]:
                    continue
                gain = weight.get((row - 1, j - 1)) if j <= columns else 0 if j - columns == row else None
                if gain is not None:
                    distance = -gain - u[row] - v[j]
                    if least[j] is None or distance < least[j]:  # it is not None
                        least[j], back[j] = distance, column
                if least[j] is not None and (delta is None or least[j] < delta):
                    delta, following = least[j], j
            step = delta or 0
            for j in range(width + 1):
                if done[j]:
                    u[row_of[j]] += step
                    v[j] -= step
                elif least[j] is not None:
                    least[j] -= step
            column = following
        while column:
            row_of[column] = row_of[back[column]]
            column = back[column]
    return {(row_of[j] - 1, j - 1) for j in range(1, columns + 1) if row_of[j]}
