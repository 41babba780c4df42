// A browser without a window: Chromium by its DevTools protocol over a pipe.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds that an answer may take. */
const PATIENCE = 30_000;

/** Where Chromium is, by the names that it goes by. */
const NAMES = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter((name) => name);

/** A browser; `undefined` where there is none. */
export async function start() {
  for (const name of NAMES) {
    const browser = new Browser(name);
    if (await browser.isThere) return browser;
    browser.close();
  }
  return undefined;
}

class Browser {
  /** What pages complained of: exceptions, errors on the console, requests that were refused. */
  complaints = [];
  #directory = mkdtempSync(join(tmpdir(), "dtest-chromium-"));
  #waiting = new Map();
  #loaded = [];
  #last = 0;
  #rest = "";
  #session;
  #child;

  constructor(name) {
    const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe", `--user-data-dir=${this.#directory}`];
    this.#child = spawn(name, options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.isThere = new Promise((resolve) => {
      this.#child.on("error", () => resolve(false));
      this.#child.on("spawn", () => resolve(true));
    });
    this.#child.stdio[3].on("error", () => {});
    this.#child.stdio[4].on("data", (chunk) => {
      const messages = (this.#rest + chunk).split("\0");
      this.#rest = messages.pop();
      messages.forEach((text) => this.#receive(JSON.parse(text)));
    });
  }

  /** Opens a page of this size. */
  async open(url, width, height) {
    if (this.#session === undefined) {
      const { targetId } = await this.#send("Target.createTarget", { url: "about:blank" }, undefined);
      this.#session = (await this.#send("Target.attachToTarget", { targetId, flatten: true }, undefined)).sessionId;
      for (const domain of ["Page", "Runtime", "Log", "Accessibility"]) await this.call(`${domain}.enable`);
    }
    await this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const loaded = new Promise((resolve) => this.#loaded.push(resolve));
    await this.call("Page.navigate", { url });
    await loaded;
  }

  /** The value of an expression in the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** Presses a key. */
  async press(key, code = key) {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const codes = { Enter: 13, Tab: 9, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35 };
    for (const type of ["keyDown", "keyUp"]) await this.call("Input.dispatchKeyEvent", { type, key, code, text: type === "keyDown" ? text : undefined, windowsVirtualKeyCode: codes[key] });
  }

  /** The page as PNG. */
  async screenshot() {
    const { data } = await this.call("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  /** What a screen reader is told: role, name of every node that has both. */
  async accessible() {
    const { nodes } = await this.call("Accessibility.getFullAXTree");
    return nodes.filter((node) => !node.ignored).map((node) => ({ role: node.role?.value, name: node.name?.value ?? "", focusable: node.properties?.some((p) => p.name === "focusable" && p.value.value) }));
  }

  /** A command of the protocol. */
  call(method, params = {}) {
    return this.#send(method, params, this.#session);
  }

  close() {
    this.#child.kill("SIGKILL");
    this.#child.on("close", () => rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 }));
  }

  #send(method, params, sessionId) {
    const id = ++this.#last;
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE);
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(late);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
    });
  }

  #receive(message) {
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
    const { method, params } = message;
    if (method === "Page.loadEventFired") this.#loaded.splice(0).forEach((resolve) => resolve());
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") this.complaints.push(params.args.map((a) => a.value ?? a.description).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") this.complaints.push(params.entry.text);
  }
}
