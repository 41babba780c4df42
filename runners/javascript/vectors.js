// Runs the test vectors of `cargo dtest gen --emit vectors` on a port: `main(files, {units, classes, datatypes})`.
//
// units: path -> function; several results are an array, and a constructor returns its object. classes: path ->
// {read, make, write}: read(object) returns its fields; make() and write(object, fields) create objects that no calls
// lead to. datatypes: path -> {make, take}: make(constructor, fields), and take(value) -> [constructor, fields].
// Values: boolean, BigInt, string (`char`, `seq<char>`), {numerator, denominator}, arrays (`seq`, array, tuple), Set,
// Map (`map`, `multiset` with counts), null, functions. Sets and maps are compared by the text of their elements.
'use strict';
const fs = require('fs');

class NotRun extends Error {} // The port lacks something that the test needs.
const notRun = message => { throw new NotRun(message); };
const plain = {make: (constructor, fields) => ({constructor, fields}), take: v => [v.constructor, v.fields]};
// The text of a value, equal for equal values.
const key = v => v instanceof Map || v instanceof Set ? `{${[...v].map(key).sort()}}` :
  Array.isArray(v) ? `[${v.map(key)}]` : typeof v === 'string' ? JSON.stringify(v) :
  v === null || typeof v !== 'object' ? `${typeof v} ${v}` : `{${Object.entries(v).map(key)}}`;
const LAWS = {
  identity: x => x, less: (x, y) => x < y, 'at most': (x, y) => x <= y, equal: (x, y) => key(x) === key(y),
  add: (x, y) => x + y, successor: x => x + 1n, mix: (x, y) => x + x + y, odd: x => x % 2n !== 0n,
};

class Run {
  constructor(test, {units, classes = {}, datatypes = {}}) {
    const [before, after] = [test.objects, test.objects_after ?? []].map(all => new Map(all.map(o => [o.id, o])));
    Object.assign(this, {test, units, classes, datatypes, before, after, objects: new Map(), compared: new Set()});
  }

  run() {
    const {test} = this;
    if (test.answers.length) notRun('it needs the answers of external code or of a mock');
    const unit = this.unit(test.unit), args = test.inputs.map(i => this.value(i.value));
    const {write} = process.stdout;
    let output = '', got;
    process.stdout.write = text => { output += text; return true; };
    try { got = unit(...args); } catch (error) { // Any exception is a halt of the unit.
      if (test.outcome !== 'returns') return;
      throw error;
    } finally { process.stdout.write = write; }
    if (test.outcome === 'halts') throw new Error(`it returns, but the expectation at ${test.halts_at} fails`);
    const wanted = test.results ?? [];
    wanted.forEach((want, i) => this.compare(want.value, wanted.length > 1 ? got[i] : got, want.name));
    for (const id of this.after.keys()) this.state(id, `object ${id}`);
    if ('output' in test) this.check(test.output, output, 'output');
  }

  value(v) {
    if (v === null || typeof v === 'boolean') return v;
    if (typeof v !== 'object') return BigInt(v);
    const kind = Object.keys(v)[0], of = v[kind], many = vs => vs.map(x => this.value(x));
    switch (kind) {
      case 'char': case 'chars': return String.fromCodePoint(...[of].flat());
      case 'real': return {numerator: BigInt(of[0]), denominator: BigInt(of[1])};
      case 'bv': case 'ordinal': return BigInt(of);
      case 'seq': case 'tuple': return many(of);
      case 'set': return new Set(many(of));
      case 'map': case 'multiset': return new Map(of.map(many));
      case 'newtype': return this.value(v.value);
      case 'ref': return this.objects.has(of) ? this.objects.get(of) : this.create(this.before.get(of));
      case 'function': return this.function(of);
      case 'constructor': return (this.datatypes[v.datatype] ?? plain).make(of, this.all(v.fields));
      default: return null; // Anything may stand here.
    }
  }

  unit(path) { return this.units[path] ?? notRun(`the port has no unit ${path}`); }
  all(fields) { return Object.fromEntries(Object.entries(fields).map(([k, x]) => [k, this.value(x)])); }

  function(f) {
    if (f.law) return LAWS[f.law];
    if (f.partial) return this.function(f.partial);
    if (f.unit) return (...args) => this.unit(f.unit)(...(f.receiver ? [this.value(f.receiver)] : []), ...args);
    const rows = new Map(f.table.map(([args, r]) => [key(args.map(a => this.value(a))), this.value(r)]));
    return (...args) => rows.has(key(args)) ? rows.get(key(args)) : this.value(f.default);
  }

  create(o) {
    const {read, make, write} = this.classes[o.class] ?? {};
    let made = []; // An array is there before its elements, which may refer to it.
    if (o.array) {
      this.objects.set(o.id, made);
      let rows = o.elements.map(e => this.value(e));
      for (const n of o.array.slice(1).reverse()) rows = rows.flatMap((_, i) => i % n ? [] : [rows.slice(i, i + n)]);
      made.push(...rows);
    } else if (o.made_by) {
      this.objects.set(o.id, made = this.unit(o.made_by.unit)(...o.made_by.args.map(a => this.value(a))));
      for (const call of o.made_by.then ?? []) this.unit(call.unit)(made, ...call.args.map(a => this.value(a)));
      const created = Object.entries(read ? o.fields : {}).filter(([, v]) => v?.ref !== undefined);
      for (const [k, {ref}] of created) if (!this.objects.has(ref)) this.objects.set(ref, read(made)[k]);
    } else if (write) {
      this.objects.set(o.id, made = make());
      write(made, this.all(o.fields));
    } else notRun(`the port cannot create objects of ${o.class ?? o.trait}`);
    return made;
  }

  compare(want, got, place) {
    const kind = want !== null && typeof want === 'object' ? Object.keys(want)[0] : '', of = want?.[kind];
    const parts = (all, found) => Object.keys(all).forEach(k => this.compare(all[k], found[k], `${place}.${k}`));
    if (kind === 'any' || kind === 'function') return;
    if (kind === 'ref') {
      if (!this.objects.has(of)) this.objects.set(of, got);
      this.check(true, [...this.objects].every(([id, o]) => (id === of) === (o === got)), `${place} is object ${of}`);
      this.state(of, place);
    } else if (kind === 'constructor') {
      const [name, fields] = (this.datatypes[want.datatype] ?? plain).take(got);
      this.check(of, name, place), parts(want.fields, fields);
    } else if (kind === 'map') {
      const found = new Map([...got].map(([k, v]) => [key(k), v])), keys = of.map(([k]) => key(this.value(k)));
      this.check(new Set(keys), new Set(found.keys()), `keys of ${place}`);
      of.forEach(([, v], i) => this.compare(v, found.get(keys[i]), `${place}[${keys[i]}]`));
    } else if (kind === 'seq' || kind === 'tuple') {
      this.check(of.length, got.length, `length of ${place}`);
      parts(of, got);
    } else if (kind === 'newtype') this.compare(want.value, got, place);
    else this.check(this.value(want), got, place);
  }

  check(want, got, place) {
    if (key(want) !== key(got)) throw new Error(`${place}: ${key(got)} instead of ${key(want)}`);
  }

  state(id, place) {
    const o = this.after.get(id), got = this.objects.get(id), {read} = this.classes[o.class] ?? {};
    if (this.compared.has(id) || got === undefined || !(o.array || read)) return;
    this.compared.add(id);
    const fields = o.array ? got.flat(o.array.length - 1) : read(got);
    for (const [k, v] of Object.entries(o.array ? o.elements : o.fields)) this.compare(v, fields[k], `${place}.${k}`);
  }
}

function main(files, port) {
  const counts = {passed: 0, FAILED: 0, 'not run': 0};
  for (const path of files) {
    const [header, ...tests] = fs.readFileSync(path, 'utf8').trim().split('\n').map(line => JSON.parse(line));
    if (header.schema !== 1) throw new Error(`${path}: this runner reads schema 1, not ${header.schema}`);
    for (const test of tests) {
      let verdict = 'passed', reason = '';
      try { new Run(test, port).run(); } catch (error) {
        [verdict, reason] = [error instanceof NotRun ? 'not run' : 'FAILED', ` (${error.message})`];
      }
      counts[verdict] += 1;
      console.log(`${test.test}: ${verdict}${reason}`);
    }
  }
  console.log(`${counts.passed} passed, ${counts.FAILED} failed, ${counts['not run']} not run`);
  return counts.FAILED || !counts.passed ? 1 : 0;
}

module.exports = {main};
