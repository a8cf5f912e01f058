"""Quaternions [x, y, z, w], and the few functions of matrices that a skeleton needs."""

import math

IDENTITY = [0.0, 0.0, 0.0, 1.0]


def multiply(a, b):
    """The rotation b, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz]


def product(*rotations):
    result = rotations[0]
    for rotation in rotations[1:]:
        result = multiply(result, rotation)
    return result


def inverse(q):
    """The inverse of a unit quaternion."""
    return [-q[0], -q[1], -q[2], q[3]]


def normalised(q):
    length = math.sqrt(sum(c * c for c in q))
    return [c / length for c in q]


def rotate(q, v):
    x, y, z, _ = product(q, [*v, 0.0], inverse(q))
    return [x, y, z]


def about_y(angle):
    return [0.0, math.sin(angle / 2), 0.0, math.cos(angle / 2)]


def power(q, share):
    """The rotation q by a share of its angle, the shorter way."""
    if q[3] < 0:
        q = [-c for c in q]
    sine = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2])
    if sine < 1e-12:
        return IDENTITY
    half = share * math.atan2(sine, q[3])
    return [math.sin(half) * c / sine for c in q[:3]] + [math.cos(half)]


def between(a, b, share):
    """The rotation at a share of the way from a to b, the shorter way (slerp)."""
    return multiply(a, power(multiply(inverse(a), b), share))


def mix(a, b, share):
    return [x + (y - x) * share for x, y in zip(a, b)]


def matrix(q):
    """The rows of the rotation's 3 x 3 matrix."""
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def times(a, b):
    """The product of two 3 x 3 matrices."""
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(a, v):
    return [row[0] * v[0] + row[1] * v[1] + row[2] * v[2] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]


def determinant(a):
    return sum(a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3])
               for i in range(3))


def inverted(a):
    """The inverse of a matrix, or None where it has none."""
    d = determinant(a)
    if abs(d) < 1e-12:
        return None
    return [[(a[(j + 1) % 3][(i + 1) % 3] * a[(j + 2) % 3][(i + 2) % 3]
              - a[(j + 1) % 3][(i + 2) % 3] * a[(j + 2) % 3][(i + 1) % 3]) / d for j in range(3)]
            for i in range(3)]


def polar_rotation(a):
    """The rotation nearest to an invertible matrix: the limit of (X + X to the power -T) / 2."""
    for _ in range(100):
        other = transposed(inverted(a))
        following = [[(x + y) / 2 for x, y in zip(*rows)] for rows in zip(a, other)]
        change = max(abs(x - y) for rows in zip(a, following) for x, y in zip(*rows))
        a = following
        if change < 1e-14:
            break
    if determinant(a) < 0:
        a = [[-row[0], row[1], row[2]] for row in a]
    return a


def from_matrix(a):
    """The quaternion of a rotation matrix."""
    squares = [1 + a[0][0] - a[1][1] - a[2][2], 1 - a[0][0] + a[1][1] - a[2][2],
               1 - a[0][0] - a[1][1] + a[2][2], 1 + a[0][0] + a[1][1] + a[2][2]]
    index = max(range(4), key=lambda i: squares[i])
    w = [a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]]
    if index == 3:
        return normalised([*w, squares[3]])
    q = [a[index][j] + a[j][index] if j != index else squares[index] for j in range(3)]
    return normalised([*q, w[index]])
