import java.math.BigInteger;
import java.util.*;

/** A port of fixtures/expression, with its test vectors: `java Expression VECTORS`. */
sealed interface Expression {
    record Lit(BigInteger value) implements Expression {}
    record Var(String name) implements Expression {}
    record Binary(String operator, Expression left, Expression right) implements Expression {}
    record IfZero(Expression cond, Expression yes, Expression no) implements Expression {}

    static Optional<BigInteger> eval(Expression e, Map<?, ?> env) {
        if (e instanceof Lit lit) return Optional.of(lit.value);
        if (e instanceof Var v) return Optional.ofNullable((BigInteger) env.get(v.name));
        if (e instanceof IfZero i) return eval(i.cond, env).flatMap(c -> eval(c.signum() == 0 ? i.yes : i.no, env));
        Binary b = (Binary) e;
        return eval(b.left, env).flatMap(x -> eval(b.right, env).flatMap(y -> apply(b.operator, x, y)));
    }

    static Optional<BigInteger> apply(String operator, BigInteger x, BigInteger y) {
        if (operator.equals("Add")) return Optional.of(x.add(y));
        if (operator.equals("Mul")) return Optional.of(x.multiply(y));
        if (y.signum() == 0) return Optional.empty();
        return Optional.of(x.subtract(x.mod(y.abs())).divide(y)); // Euclidean division, as in Dafny.
    }

    static BigInteger size(Expression e) {
        BigInteger parts = BigInteger.ZERO;
        if (e instanceof Binary b) parts = size(b.left).add(size(b.right));
        if (e instanceof IfZero i) parts = size(i.cond).add(size(i.yes)).add(size(i.no));
        return parts.add(BigInteger.ONE);
    }

    static boolean isLit(Expression e, int value) {
        return e.equals(new Lit(BigInteger.valueOf(value)));
    }

    static Expression simplify(Expression e) {
        if (e instanceof IfZero i && i.cond instanceof Lit c) return c.value.signum() == 0 ? i.yes : i.no;
        if (!(e instanceof Binary b)) return e;
        int unit = b.operator.equals("Add") ? 0 : 1;
        if (b.operator.equals("Div")) return e;
        if (isLit(b.left, unit)) return b.right;
        if (isLit(b.right, unit)) return b.left;
        if (unit == 0 && b.left instanceof Lit x && b.right instanceof Lit y) return new Lit(x.value.add(y.value));
        return unit == 1 && isLit(b.left, 0) && b.right instanceof Lit ? b.left : e;
    }

    private static Object make(Vectors.Data d) {
        Map<String, Object> f = d.fields();
        return switch (d.constructor()) {
            case "Lit" -> new Lit((BigInteger) f.get("value"));
            case "Var" -> new Var((String) f.get("name"));
            case "IfZero" -> new IfZero((Expression) f.get("cond"), (Expression) f.get("then_"), (Expression) f.get("else_"));
            default -> new Binary(d.constructor(), (Expression) f.get("left"), (Expression) f.get("right"));
        };
    }

    private static Vectors.Data take(Object e) {
        if (e instanceof Lit lit) return new Vectors.Data("Lit", Map.of("value", lit.value));
        if (e instanceof Var v) return new Vectors.Data("Var", Map.of("name", v.name));
        if (e instanceof IfZero i) return new Vectors.Data("IfZero", Map.of("cond", i.cond, "then_", i.yes, "else_", i.no));
        Binary b = (Binary) e;
        return new Vectors.Data(b.operator, Map.of("left", b.left, "right", b.right));
    }

    private static Vectors.Data option(Object v) {
        return ((Optional<?>) v).map(x -> new Vectors.Data("Some", Map.of("value", x))).orElse(new Vectors.Data("None", Map.of()));
    }

    static void main(String[] files) throws Exception {
        Map<String, Vectors.Unit> units = Map.of(
            "Expression.Eval", args -> eval((Expression) args[0], (Map<?, ?>) args[1]),
            "Expression.Size", args -> size((Expression) args[0]),
            "Expression.Simplify", args -> simplify((Expression) args[0]));
        Map<String, Vectors.Datatype> datatypes = Map.of(
            "Expression.Expr", new Vectors.Datatype(Expression::make, Expression::take),
            "Expression.Option", new Vectors.Datatype(d -> Optional.ofNullable(d.fields().get("value")), Expression::option));
        System.exit(new Vectors(units, Map.of(), datatypes).run(files));
    }
}
