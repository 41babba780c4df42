import java.math.BigInteger;
import java.util.*;

/** A port of fixtures/bounded-queue, with its test vectors: `java BoundedQueue VECTORS`. */
final class BoundedQueue {
    private List<Object> data = new ArrayList<>();
    private int first, size;

    private BoundedQueue(int capacity) {
        data.addAll(Collections.nCopies(capacity, BigInteger.ZERO));
    }

    private boolean isFull() {
        return size == data.size();
    }

    private boolean enqueue(Object x) {
        if (isFull()) return false;
        int at = first + size;
        if (at >= data.size()) at -= data.size();
        data.set(at, x);
        size++;
        return true;
    }

    private Object dequeue() {
        Object x = data.get(first);
        first++;
        if (first == data.size()) first = 0;
        size--;
        return x;
    }

    private boolean wrapsAround(Object x) {
        int behind = first + size - data.size();
        return data.subList(0, Math.max(behind, 0)).contains(x);
    }

    private Map<String, Object> read() {
        return Map.of("data", data, "first", BigInteger.valueOf(first), "size", BigInteger.valueOf(size));
    }

    @SuppressWarnings("unchecked")
    private void write(Map<String, Object> fields) {
        data = (List<Object>) fields.get("data");
        first = number(fields.get("first"));
        size = number(fields.get("size"));
    }

    private static int number(Object n) {
        return ((BigInteger) n).intValueExact();
    }

    private static BoundedQueue queue(Object o) {
        return (BoundedQueue) o;
    }

    public static void main(String[] files) throws Exception {
        Map<String, Vectors.Unit> units = Map.of(
            "Queues.Queue._ctor", args -> new BoundedQueue(number(args[0])),
            "Queues.Queue.Count", args -> BigInteger.valueOf(queue(args[0]).size),
            "Queues.Queue.IsFull", args -> queue(args[0]).isFull(),
            "Queues.Queue.Enqueue", args -> queue(args[0]).enqueue(args[1]),
            "Queues.Queue.Dequeue", args -> queue(args[0]).dequeue(),
            "Queues.Queue.WrapsAround", args -> queue(args[0]).wrapsAround(args[1]));
        var queues = new Vectors.Kind(o -> queue(o).read(), () -> new BoundedQueue(0), (o, fields) -> queue(o).write(fields));
        System.exit(new Vectors(units, Map.of("Queues.Queue", queues), Map.of()).run(files));
    }
}
