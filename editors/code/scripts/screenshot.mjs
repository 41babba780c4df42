// Renders the panel in headless Chromium with a stub of VS Code's webview interface, works it by keyboard, looks at what screen readers are told, and
// writes pictures to `screenshots/`. What it shows comes from the real tool (`DTEST_TOOL`, else the workspace's debug build).
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

import { start } from "./chromium.mjs";
import { THEMES } from "./themes.mjs";

const tool = process.env.DTEST_TOOL ?? resolve("../../target/debug/cargo-dtest");
if (!existsSync(tool)) throw new Error(`there is no ${tool}: build it, or set DTEST_TOOL`);
const browser = await start();
if (browser === undefined) throw new Error("there is no Chromium (Debian's package `chromium` has it; CHROMIUM names another)");

const directory = mkdtempSync(join(tmpdir(), "dtest-screenshot-"));
const core = await bundled(`export * from "./src/core/executions"; export * from "./src/core/page"; export { run } from "./src/core/process";`);
const settings = { path: tool, cargo: "cargo", environment: {}, runner: "cargo" };
const SOURCE = `class Node {
  var value: int
  var next: Node?
  constructor (v: int) ensures value == v && next == null { value := v; next := null; }
}
method Append(list: Node, value: int, tags: array<bool>) returns (last: Node)
  modifies list
  ensures last.value == value && list.next == last
{
  var node := new Node(value);
  if list.next != null && tags.Length > 1 {
    node.next := list.next;
    return list;
  }
  list.next := node;
  last := node;
}
method Sum(a: array<int>, n: nat) returns (s: int)
  requires n <= a.Length
  ensures s >= 0
{
  s := 0;
  var i := 0;
  while i < n
    invariant 0 <= i <= n
  {
    s := s + a[i];
    i := i + 1;
  }
}
`;
writeFileSync(join(directory, "list.dfy"), SOURCE);
const program = { root: directory, files: ["list.dfy"] };
mkdirSync("screenshots", { recursive: true });
const problems = [];
try {
  const asked = { of: "unit", unit: "Append", strategy: "generational", bounds: { depth: 12 } };
  const found = await core.ask(core.run, core.question(settings, program, asked));
  if (found.rows.length === 0) throw new Error(`no executions: ${found.trouble}`);
  const deepest = found.rows.reduce((a, b) => (JSON.stringify(b.inputs).length > JSON.stringify(a.inputs).length ? b : a));
  const at = { of: "line", at: "list.dfy:20" };
  const line = await core.ask(core.run, core.question(settings, program, at));
  const units = { type: "units", units: ["Append", "Sum", "Node._ctor"], file: "list.dfy" };
  const shows = (asked, { rows, summary, trouble }) => ({ type: "found", asked, rows, summary, trouble });
  for (const theme of Object.keys(THEMES)) {
    const shot = async (name, width, height, act) => {
      await browser.open(document(theme), width, height);
      await act();
      writeFileSync(join("screenshots", `${name}-${theme}.png`), await browser.screenshot());
    };
    await shot("empty", 1200, 240, () => send(units));
    await shot("executions", 1280, 820, async () => {
      await send(units);
      await send({ type: "running", asked });
      await send(shows(asked, found));
      await choose(found, deepest.number);
      await browser.evaluate("document.querySelector('.steps').focus()");
      for (let i = 0; i < 3; i++) await browser.press("ArrowDown");
      await expect("keys move from step to step", "document.querySelector('.counter').textContent.startsWith('4 of ')");
      await expect("what a step shows is told to the editor", "messages.filter((m) => m.type === 'show').length === 4");
    });
    await shot("violation", 1280, 640, async () => {
      await send(units);
      await send(shows(at, line));
      await expect("the first violation is chosen", "messages.at(-1).type === 'choose'");
      await send({ type: "trace", number: 1, trace: line.replays.get(1).trace });
      await browser.evaluate("document.querySelector('.steps').focus()");
      await browser.press("End");
      await expect("the end is said", "document.querySelector('.end') !== null");
    });
    await shot("narrow", 520, 900, async () => {
      await send(shows(asked, found));
      await choose(found, deepest.number);
    });
    await shot("trouble", 1200, 240, () => send(shows(asked, { rows: [], summary: [], trouble: "list.dfy:1:2: + cannot be used on values of types int and bool" })));
  }
  await keyboard(units, shows(asked, found));
  problems.push(...browser.complaints);
} finally {
  browser.close();
  rmSync(directory, { recursive: true, force: true });
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
} else {
  console.log("the panel is rendered, works by keyboard, and loads nothing from elsewhere: see screenshots/");
}

/** The page as the extension makes it, with colours of a theme and a stub of the editor before its script. */
function document(theme) {
  const nonce = "stub";
  const file = (name) => pathToFileURL(resolve("dist/webview", name)).href;
  const html = core.page({ script: file("executions.js"), style: file("executions.css"), source: "file:", nonce });
  const stub = `const messages = []; window.acquireVsCodeApi = () => ({ postMessage: (m) => { messages.push(m); }, getState() {}, setState() {} });`;
  const colours = Object.entries(THEMES[theme]).map(([name, value]) => `--vscode-${name}: ${value};`).join(" ");
  writeFileSync(join(directory, "theme.css"), `:root { ${colours} } body { background: var(--vscode-panel-background); }`);
  const link = `<link rel="stylesheet" href="${pathToFileURL(join(directory, "theme.css")).href}">`;
  const page = html.replace("</head>", `${link}</head>`).replace("<main", `<script nonce="${nonce}">${stub}</script>\n<main`);
  writeFileSync(join(directory, "page.html"), page);
  return pathToFileURL(join(directory, "page.html")).href;
}

/** Sends a message to the panel, as the extension does. */
async function send(message) {
  await browser.evaluate(`window.dispatchEvent(new MessageEvent("message", { data: ${JSON.stringify(message)} })); new Promise((done) => requestAnimationFrame(() => done(true)))`);
}

/** Chooses an execution in the table, and answers with its steps. */
async function choose(found, number) {
  await browser.evaluate(`document.querySelector('tr[data-number="${number}"]').click()`);
  await expect("a choice is told to the extension", `messages.at(-1).type === "choose" && messages.at(-1).number === ${number}`);
  writeFileSync(join(directory, "kept.json"), `${found.replays.get(number).record}\n`);
  const trace = await core.replay(core.run, settings, program, "kept.json");
  if (typeof trace === "string") throw new Error(trace);
  await send({ type: "trace", number, trace });
}

/** Everything is reached by keys, and has a name for those who do not see it. */
async function keyboard(units, found) {
  await browser.open(document("dark"), 1280, 820);
  await send(units);
  await send(found);
  const focused = "document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.localName";
  const seen = [];
  await browser.evaluate("document.body.focus()");
  for (let i = 0; i < 14; i++) {
    await browser.press("Tab");
    seen.push(await browser.evaluate(focused));
  }
  for (const name of ["unit", "order", "depth", "unroll", "inline", "maxSize", "unrollChoice", "Run"]) if (!seen.includes(name)) problems.push(`${name} is not reached by Tab: ${seen.join(", ")}`);
  await browser.evaluate("document.querySelector('tbody tr').focus()");
  await browser.press("ArrowDown");
  await expect("the next execution is chosen by a key", "document.querySelector('tbody tr[aria-selected=true]').rowIndex === 2 && messages.at(-1).type === 'choose'");
  await browser.evaluate("document.querySelector('#unit').focus()");
  await browser.press("Enter");
  await expect("Enter asks", "messages.at(-1).type === 'run' && messages.at(-1).asked.unit === 'Append'");
  const named = new Set(["button", "textbox", "combobox", "spinbutton", "slider", "listbox", "grid", "checkbox", "image", "img", "region"]);
  const silent = (await browser.accessible()).filter((node) => named.has(node.role) && node.name === "");
  problems.push(...silent.map((node) => `a ${node.role} has no name`));
}

async function expect(what, expression) {
  if (!(await browser.evaluate(expression))) problems.push(`not so: ${what}`);
}

async function bundled(contents) {
  const { outputFiles } = await esbuild.build({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, format: "esm", platform: "node", target: "node20" });
  const file = join(directory, "core.mjs");
  writeFileSync(file, outputFiles[0].contents);
  return import(pathToFileURL(file).href);
}
