// A port of fixtures/expression, with its test vectors: `node expression.js VECTORS`.
'use strict';
const {main} = require('./vectors.js');

const none = {constructor: 'None', fields: {}};
const some = value => ({constructor: 'Some', fields: {value}});
const lit = value => ({constructor: 'Lit', fields: {value}});
const isLit = (e, value) => e.constructor === 'Lit' && (value === undefined || e.fields.value === value);

// Euclidean division, as in Dafny.
function div(x, y) {
  const rest = ((x % y) + (y < 0n ? -y : y)) % y;
  return (x - rest) / y;
}

const OPERATORS = {
  Add: (x, y) => some(x + y),
  Mul: (x, y) => some(x * y),
  Div: (x, y) => y === 0n ? none : some(div(x, y)),
};

function evaluate({constructor, fields}, env) {
  switch (constructor) {
    case 'Lit': return some(fields.value);
    case 'Var': return env.has(fields.name) ? some(env.get(fields.name)) : none;
    case 'IfZero': {
      const {constructor: known, fields: {value}} = evaluate(fields.cond, env);
      return known === 'None' ? none : evaluate(value === 0n ? fields.then_ : fields.else_, env);
    }
    default: {
      const [a, b] = [evaluate(fields.left, env), evaluate(fields.right, env)];
      return a === none || b === none ? none : OPERATORS[constructor](a.fields.value, b.fields.value);
    }
  }
}

function size({constructor, fields}) {
  const parts = constructor === 'Lit' || constructor === 'Var' ? [] : Object.values(fields);
  return parts.reduce((sum, part) => sum + size(part), 1n);
}

function simplify(e) {
  const {constructor, fields: {left, right, cond, then_, else_}} = e;
  if (constructor === 'Add') {
    if (isLit(left, 0n)) return right;
    if (isLit(right, 0n)) return left;
    if (isLit(left) && isLit(right)) return lit(left.fields.value + right.fields.value);
  }
  if (constructor === 'Mul') {
    if (isLit(left, 1n)) return right;
    if (isLit(right, 1n)) return left;
    if (isLit(left, 0n) && isLit(right)) return lit(0n);
  }
  if (constructor === 'IfZero' && isLit(cond)) return isLit(cond, 0n) ? then_ : else_;
  return e;
}

const units = {'Expression.Eval': evaluate, 'Expression.Size': size, 'Expression.Simplify': simplify};

process.exitCode = main(process.argv.slice(2), {units});
