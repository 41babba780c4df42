import java.math.BigInteger;
import java.util.*;

/** The inputs of a test: values, and objects by their ids. */
abstract class Inputs {
    /** The port lacks something that the test needs. */
    static class NotRun extends Exception { NotRun(String message) { super(message); } }
    static final Vectors.Datatype PLAIN = new Vectors.Datatype(d -> d, v -> (Vectors.Data) v);
    static final Map<String, Vectors.Unit> LAWS = Map.of("identity", a -> a[0], "less", a -> order(a) < 0,
        "at most", a -> order(a) <= 0, "equal", a -> a[0].equals(a[1]), "add", a -> integer(a[0]).add(integer(a[1])),
        "successor", a -> integer(a[0]).add(BigInteger.ONE), "odd", a -> integer(a[0]).testBit(0),
        "mix", a -> integer(a[0]).shiftLeft(1).add(integer(a[1])));

    static BigInteger integer(Object v) { return (BigInteger) v; }
    @SuppressWarnings("unchecked") static int order(Object[] a) { return ((Comparable<Object>) a[0]).compareTo(a[1]); }
    @SuppressWarnings("unchecked") static List<Object> list(Object v) { return v == null ? List.of() : (List<Object>) v; }
    @SuppressWarnings("unchecked") static Map<String, Object> map(Object v) { return v == null ? Map.of() : (Map<String, Object>) v; }

    final Vectors port;
    final Map<String, Object> test;
    final Map<Object, Map<String, Object>> before = new HashMap<>(), after = new HashMap<>();
    final Map<Object, Object> objects = new HashMap<>(); // The port's objects by their ids.

    Inputs(Vectors port, Map<String, Object> test) {
        this.port = port;
        this.test = test;
        for (Object o : list(test.get("objects"))) before.put(map(o).get("id"), map(o));
        for (Object o : list(test.get("objects_after"))) after.put(map(o).get("id"), map(o));
    }

    Vectors.Unit unit(Object path) throws NotRun {
        if (!port.units().containsKey(path)) throw new NotRun("the port has no unit " + path);
        return port.units().get(path);
    }

    Vectors.Kind kind(Map<String, Object> o) { return o.containsKey("class") ? port.classes().get(o.get("class")) : null; }

    Object value(Object v) throws Exception {
        if (v instanceof String digits) return new BigInteger(digits);
        if (!(v instanceof Map)) return v;
        String kind = map(v).keySet().iterator().next();
        Object of = map(v).get(kind);
        switch (kind) {
            case "char": return Character.toString(integer(of).intValue());
            case "chars": return String.join("", list(of).stream().map(c -> Character.toString(integer(c).intValue())).toList());
            case "bv": case "ordinal": case "newtype": return value(kind.equals("newtype") ? map(v).get("value") : of);
            case "seq": case "tuple": case "real": return all(of);
            case "set": return new HashSet<>(all(of));
            case "map": case "multiset":
                var pairs = new HashMap<>();
                for (Object pair : list(of)) pairs.put(value(list(pair).get(0)), value(list(pair).get(1)));
                return pairs;
            case "constructor": return port.datatypes().getOrDefault(map(v).get("datatype"), PLAIN).make().apply(new Vectors.Data((String) of, fields(map(v).get("fields"))));
            case "ref": return objects.containsKey(of) ? objects.get(of) : create(of, before.get(of));
            case "function": return function(map(of));
            default: return null; // Anything may stand here.
        }
    }

    List<Object> all(Object of) throws Exception {
        var values = new ArrayList<>();
        for (Object v : list(of)) values.add(value(v));
        return values;
    }

    Map<String, Object> fields(Object of) throws Exception {
        var fields = new LinkedHashMap<String, Object>();
        for (var field : map(of).entrySet()) fields.put(field.getKey(), value(field.getValue()));
        return fields;
    }

    Vectors.Unit function(Map<String, Object> f) throws Exception {
        if (f.containsKey("law") || f.containsKey("partial")) return f.containsKey("law") ? LAWS.get(f.get("law")) : function(map(f.get("partial")));
        List<Object> first = f.containsKey("receiver") ? all(List.of(f.get("receiver"))) : List.of();
        if (f.containsKey("unit")) return args -> { var all = new ArrayList<>(first); all.addAll(Arrays.asList(args)); return unit(f.get("unit")).call(all.toArray()); };
        var rows = new HashMap<Object, Object>();
        for (Object row : list(f.get("table"))) rows.put(all(list(row).get(0)), value(list(row).get(1)));
        Object other = value(f.get("default"));
        return args -> rows.getOrDefault(Arrays.asList(args), other);
    }

    Object create(Object id, Map<String, Object> o) throws Exception {
        Vectors.Kind kind = kind(o);
        Map<String, Object> by = map(o.get("made_by"));
        if (o.containsKey("array")) { // It is there before its elements, which may refer to it.
            var array = new ArrayList<Object>();
            objects.put(id, array);
            List<Object> rows = all(o.get("elements")), lengths = list(o.get("array"));
            for (int d = lengths.size() - 1; d > 0; d--) { // Several dimensions are lists of lists.
                var chunks = new ArrayList<Object>();
                int n = integer(lengths.get(d)).intValue();
                for (int i = 0; i < rows.size(); i += n) chunks.add(new ArrayList<>(rows.subList(i, i + n)));
                rows = chunks;
            }
            array.addAll(rows);
        } else if (!by.isEmpty()) {
            Object made = unit(by.get("unit")).call(all(by.get("args")).toArray());
            objects.put(id, made);
            for (Object call : list(by.get("then"))) {
                List<Object> args = all(map(call).get("args"));
                args.add(0, made);
                unit(map(call).get("unit")).call(args.toArray());
            }
            if (kind != null) for (var field : map(o.get("fields")).entrySet()) // Objects that the calls created.
                if (field.getValue() instanceof Map<?, ?> v && v.containsKey("ref")) objects.putIfAbsent(v.get("ref"), kind.read().apply(made).get(field.getKey()));
        } else if (kind != null && kind.write() != null) {
            objects.put(id, kind.make().get());
            kind.write().accept(objects.get(id), fields(o.get("fields")));
        } else throw new NotRun("the port cannot create objects of " + o.getOrDefault("class", o.get("trait")));
        return objects.get(id);
    }
}
