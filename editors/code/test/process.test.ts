import assert from "node:assert/strict";
import { test } from "node:test";

import { lines, run } from "../src/core/process";

const node = (script: string): { program: string; args: string[]; cwd: string; environment: Record<string, string> } => ({ program: process.execPath, args: ["-e", script], cwd: process.cwd(), environment: { GREETING: "hello" } });

test("lines come as they are printed, and the code at the end", async () => {
  const [out, err]: [string[], string[]] = [[], []];
  const ended = await run(node("console.log('ä\\r\\nb'); console.error(process.env.GREETING); process.stdout.write('c'); process.exitCode = 7"), { out: (l) => out.push(l), err: (l) => err.push(l) });
  assert.deepEqual([ended, out, err], [{ how: "exited", code: 7 }, ["ä", "b", "c"], ["hello"]]);
});

test("what is not there is not started", async () => {
  const ended = await run({ ...node(""), program: "/no/such/program" }, {});
  assert.equal(ended.how, "not-started");
});

test("a stop ends it, and what it started", { skip: process.platform === "win32" }, async () => {
  const stop = new AbortController();
  const child = "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'inherit'}).pid";
  const running = run(node(`console.log(${child}); setInterval(() => {}, 1000)`), { out: () => { stop.abort(); } }, stop.signal);
  // The grandchild holds the same pipe, so the output ends only when it has ended too.
  assert.deepEqual(await running, { how: "stopped" });
});

test("a stop that came before keeps it from being started", async () => {
  assert.deepEqual(await run(node("process.exit(1)"), {}, AbortSignal.abort()), { how: "stopped" });
});

test("characters may come in pieces", () => {
  const seen: string[] = [];
  const cut = lines((line) => seen.push(line));
  for (const byte of Buffer.from("ä😀\nz")) cut.write(Buffer.from([byte]));
  cut.end();
  assert.deepEqual(seen, ["ä😀", "z"]);
});
