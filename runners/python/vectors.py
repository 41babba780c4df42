"""Runs the test vectors of `cargo dtest gen --emit vectors` on a port: `main(files, units, classes, datatypes)`.

units: path -> function; several results are a tuple, and a constructor returns its object.
classes: path -> (read, new, write): read(object) returns a dict of fields; new() and write(object, fields) create
objects that no calls lead to, and may be missing. datatypes: path -> (make, take): make(constructor, fields) and
take(value), its inverse; others are `Data`. Values: bool, int, str (`char`, `seq<char>`), Fraction, list (`seq`,
array), frozenset, Counter (`multiset`), dict (`map`), tuple, None, functions."""
import collections, contextlib, fractions, io, json

Data = collections.namedtuple("Data", "constructor fields")  # fields: a tuple of pairs
LAWS = {"identity": lambda x: x, "less": lambda x, y: x < y, "at most": lambda x, y: x <= y,
        "equal": lambda x, y: x == y, "add": lambda x, y: x + y, "successor": lambda x: x + 1,
        "mix": lambda x, y: x + x + y, "odd": lambda x: x % 2 == 1}
NotRun = type("NotRun", (Exception,), {})  # The port lacks something that the test needs.
hashable = lambda v: tuple(map(hashable, v)) if type(v) in (list, tuple) else v


def main(files, units, classes={}, datatypes={}):
    counts = {"passed": 0, "FAILED": 0, "not run": 0}
    for path in files:
        with open(path, encoding="utf-8") as file:
            header, *tests = map(json.loads, file)
        if header.get("schema") != 1:
            raise SystemExit(f"{path}: this runner reads schema 1, not {header.get('schema')}")
        for test in tests:
            verdict, reason = "passed", ""
            try:
                Run(test, units, classes, datatypes).run()
            except NotRun as why:
                verdict, reason = "not run", f" ({why})"
            except Exception as why:  # A difference, or an exception of the port.
                verdict, reason = "FAILED", f" ({type(why).__name__}: {why})"
            counts[verdict] += 1
            print(f"{test['test']}: {verdict}{reason}")
    print(", ".join(f"{n} {verdict.lower()}" for verdict, n in counts.items()))
    return 1 if counts["FAILED"] or not counts["passed"] else 0


class Run:
    def __init__(self, test, units, classes, datatypes):
        self.test, self.units, self.classes, self.datatypes = test, units, classes, datatypes
        self.before, self.after = ({o["id"]: o for o in test.get(k, [])} for k in ("objects", "objects_after"))
        self.objects, self.compared = {}, set()  # The port's objects by id; the ids of those already compared.

    def run(self):
        test, output = self.test, io.StringIO()
        if test["answers"]:
            raise NotRun("it needs the answers of external code or of a mock")
        unit, args = self.unit(test["unit"]), [self.value(i["value"]) for i in test["inputs"]]
        try:
            with contextlib.redirect_stdout(output):
                got = unit(*args)
        except Exception:
            if test["outcome"] != "returns": return
            raise
        assert test["outcome"] != "halts", f"it returns, but the expectation at {test.get('halts_at')} fails"
        wanted = test.get("results", [])
        for want, value in zip(wanted, got if len(wanted) > 1 else [got], strict=True) if wanted else ():
            self.compare(want["value"], value, want["name"])
        for id in self.after:
            self.state(id, f"object {id}")
        self.check(test.get("output", output.getvalue()), output.getvalue(), "output")

    def unit(self, path):
        if path not in self.units:
            raise NotRun(f"the port has no unit {path}")
        return self.units[path]

    def value(self, v):
        if not isinstance(v, dict):
            return int(v) if isinstance(v, str) else v
        (kind, of), *_ = v.items()
        many = lambda: [self.value(x) for x in of]
        match kind:
            case "char" | "chars": return "".join(map(chr, of if kind == "chars" else [of]))
            case "real": return fractions.Fraction(*many())
            case "bv" | "ordinal": return int(of)
            case "seq" | "tuple": return many() if kind == "seq" else tuple(many())
            case "set": return frozenset(map(hashable, many()))
            case "multiset": return collections.Counter({hashable(self.value(e)): int(n) for e, n in of})
            case "map": return {hashable(self.value(k)): self.value(x) for k, x in of}
            case "newtype": return self.value(v["value"])
            case "ref": return self.objects[of] if of in self.objects else self.create(self.before[of])
            case "function": return self.function(**of)
            case "constructor":
                make, _ = self.datatypes.get(v["datatype"], (lambda c, fs: Data(c, tuple(fs.items())), None))
                return make(of, {k: self.value(x) for k, x in v["fields"].items()})
        return None  # Anything may stand here.

    def function(self, law=None, partial=None, unit=None, receiver=None, table=(), default=None, **_):
        if law or partial:
            return LAWS[law] if law else self.function(**partial)
        if unit:
            return lambda *args: self.unit(unit)(*([self.value(receiver)] if receiver else []), *args)
        rows = [([self.value(a) for a in args], self.value(r)) for args, r in table]
        return lambda *args: next((r for a, r in rows if a == list(args)), self.value(default))

    def create(self, o):
        id, fields, by = o["id"], o.get("fields", {}), o.get("made_by")
        read, new, write = (*self.classes.get(o.get("class"), ()), None, None, None)[:3]
        if "array" in o:
            self.objects[id] = array = []  # It is there before its elements, which may refer to it.
            array += [self.value(e) for e in o["elements"]]
            for n in o["array"][:0:-1]: array[:] = [array[i:i + n] for i in range(0, len(array), n or 1)]
        elif by:
            self.objects[id] = made = self.unit(by["unit"])(*map(self.value, by["args"]))
            for call in by.get("then", []): self.unit(call["unit"])(made, *map(self.value, call["args"]))
            for name, v in fields.items():  # Objects that the calls created.
                if read and isinstance(v, dict) and "ref" in v:
                    self.objects.setdefault(v["ref"], read(made)[name])
        elif write:
            self.objects[id] = made = new()
            write(made, {k: self.value(v) for k, v in fields.items()})
        else:
            raise NotRun(f"the port cannot create objects of {o.get('class', o.get('trait'))}")
        return self.objects[id]

    def compare(self, want, got, place):
        kind, of = next(iter(want.items())) if isinstance(want, dict) else ("", want)
        if kind == "ref":
            same = self.objects.setdefault(of, got) is got
            assert same and all(o is not got or i == of for i, o in self.objects.items()), f"{place} is another object"
            self.state(of, place)
        elif kind == "constructor":
            _, take = self.datatypes.get(want["datatype"], (None, lambda d: (d.constructor, dict(d.fields))))
            name, fields = take(got)
            self.check(of, name, place)
            for k, v in want["fields"].items():
                self.compare(v, fields[k], f"{place}.{k}")
        elif kind in ("seq", "tuple", "map"):
            pairs = [(hashable(self.value(k)), v) for k, v in of] if kind == "map" else list(enumerate(of))
            self.check({k for k, _ in pairs}, set(got if kind == "map" else range(len(got))), f"indices of {place}")
            for k, v in pairs:
                self.compare(v, got[k], f"{place}[{k!r}]")
        elif kind not in ("any", "function"):
            got = frozenset(map(hashable, got)) if kind == "set" else got
            self.check(self.value(want), got, place) if kind != "newtype" else self.compare(want["value"], got, place)

    def check(self, want, got, place):
        assert want == got and isinstance(want, bool) == isinstance(got, bool), f"{place}: {got!r} instead of {want!r}"

    def state(self, id, place):
        o, got = self.after[id], self.objects.get(id)
        read = self.classes.get(o.get("class"), (None,))[0]
        if id not in self.compared and got is not None and ("array" in o or read):
            self.compared.add(id)
            for _ in o.get("array", [])[1:]: got = [e for row in got for e in row]
            fields = dict(enumerate(got)) if "array" in o else read(got)
            for k, v in o.get("fields", dict(enumerate(o.get("elements", [])))).items():
                self.compare(v, fields[k], f"{place}.{k}")
