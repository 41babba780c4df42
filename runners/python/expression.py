"""A port of fixtures/expression, with its test vectors: `python3 expression.py VECTORS`."""
import dataclasses
import sys

import vectors


@dataclasses.dataclass(frozen=True)
class Lit:
    value: int


@dataclasses.dataclass(frozen=True)
class Var:
    name: str


@dataclasses.dataclass(frozen=True)
class Binary:
    operator: str  # Add, Mul or Div
    left: object
    right: object


@dataclasses.dataclass(frozen=True)
class IfZero:
    cond: object
    then_: object
    else_: object


def divide(x, y):
    """Euclidean division, as in Dafny: the rest is not negative."""
    return x // y if y > 0 else -(x // -y)


def evaluate(e, env):
    match e:
        case Lit(n):
            return n
        case Var(x):
            return env.get(x)
        case Binary(operator, left, right):
            a, b = evaluate(left, env), evaluate(right, env)
            if a is None or b is None or operator == "Div" and b == 0:
                return None
            return a + b if operator == "Add" else a * b if operator == "Mul" else divide(a, b)
        case IfZero(cond, then_, else_):
            value = evaluate(cond, env)
            return None if value is None else evaluate(else_ if value else then_, env)


def size(e):
    match e:
        case Lit() | Var():
            return 1
        case Binary(_, left, right):
            return 1 + size(left) + size(right)
        case IfZero(cond, then_, else_):
            return 1 + size(cond) + size(then_) + size(else_)


def simplify(e):
    match e:
        case Binary("Add", Lit(0), x) | Binary("Add", x, Lit(0)):
            return x
        case Binary("Add", Lit(a), Lit(b)):
            return Lit(a + b)
        case Binary("Mul", Lit(1), x) | Binary("Mul", x, Lit(1)):
            return x
        case Binary("Mul", Lit(0), Lit()):
            return Lit(0)
        case IfZero(Lit(n), then_, else_):
            return else_ if n else then_
    return e


def make(constructor, fields):
    kinds = {"Lit": Lit, "Var": Var, "IfZero": IfZero}
    return kinds[constructor](**fields) if constructor in kinds else Binary(constructor, **fields)


def take(e):
    fields = dict(vars(e))
    return fields.pop("operator", type(e).__name__), fields


UNITS = {"Expression.Eval": evaluate, "Expression.Size": size, "Expression.Simplify": simplify}
DATATYPES = {
    "Expression.Expr": (make, take),
    "Expression.Option": (
        lambda constructor, fields: fields.get("value"),
        lambda v: ("None", {}) if v is None else ("Some", {"value": v}),
    ),
}

if __name__ == "__main__":
    sys.exit(vectors.main(sys.argv[1:], UNITS, {}, DATATYPES))
