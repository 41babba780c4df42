/** The Test Explorer: packages, units and tests, and running, debugging and covering them. */

import { join, relative } from "node:path";
import * as vscode from "vscode";

import { ofTest, parseLcov, testsIn, type FileCoverage } from "../core/coverage";
import { run, type Ended } from "../core/process";
import { packageOf } from "../core/program";
import { parseRecord, type UnitRecord } from "../core/records";
import { inWords } from "../core/suite";
import { buildCommand, executableOf, failure, reader, testCommand, type TestOutcome } from "../core/testing";
import { records, tool } from "../core/tool";
import { tree, type FoundTest, type UnitNode } from "../core/tree";
import { debug } from "./debug";
import * as discovery from "./discovery";
import { disk, fileOf, linesOf, locationOf, settings, shown, stopOf, type Lines } from "./workspace";

/** The object that an item represents. */
type Item = { readonly is: "package"; readonly root: string } | { readonly is: "unit"; readonly root: string; readonly unit: string } | { readonly is: "test"; readonly root: string; readonly test: FoundTest };

/** Quiet period after changes of files, in milliseconds, before they are read. */
const REST = 400;

/** The coverage of a file, with the data for showing it per test. */
class Coverage extends vscode.FileCoverage {
  constructor(
    readonly of: FileCoverage,
    readonly units: readonly UnitRecord[],
    uri: vscode.Uri,
    tests: vscode.TestItem[],
  ) {
    const [lines, branches] = [Array.from(of.lines.values()), Array.from(of.branches.values()).flat()];
    const count = (counts: readonly number[]): vscode.TestCoverageCount => new vscode.TestCoverageCount(counts.filter((n) => n > 0).length, counts.length);
    super(uri, count(lines), count(branches.map((b) => b.count)), count(of.units.map((u) => u.count)), tests);
  }
}

/** The test controller with its state. */
export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("dtest", "Dafny (cargo dtest)");
  private readonly items = new WeakMap<vscode.TestItem, Item>();
  private readonly subscriptions: { dispose(): unknown }[] = [this.controller];
  private readonly changed = new Set<string>();
  private readonly known = new Map<string, readonly UnitRecord[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.controller.refreshHandler = () => this.refresh();
    this.controller.resolveHandler = (item) => (item === undefined ? this.refresh() : undefined);
    this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.createRunProfile("Debug", vscode.TestRunProfileKind.Debug, (request, token) => this.debug(request, token), true);
    const profile = this.controller.createRunProfile("Coverage of the Dafny code", vscode.TestRunProfileKind.Coverage, (request, token) => this.cover(request, token), true);
    profile.loadDetailedCoverage = (_, file) => Promise.resolve(file instanceof Coverage ? details(file.of) : []);
    profile.loadDetailedCoverageForTest = (_, file, item) => Promise.resolve(file instanceof Coverage ? this.detailsOf(file, item) : []);
    for (const pattern of ["**/*.dfy", "**/dtest.toml", "**/tests/{dtest,violations}/**/*.rs"]) {
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      const changed = (uri: vscode.Uri): void => {
        this.touch(uri);
      };
      this.subscriptions.push(watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed));
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.subscriptions) each.dispose();
  }

  /** Discovers packages, units and tests again. */
  async refresh(): Promise<void> {
    const roots = await discovery.packages();
    this.controller.items.replace([]);
    this.known.clear();
    for (const root of roots) await this.load(root);
  }

  /** Returns the known units of a package. */
  unitsOf(root: string): readonly UnitRecord[] | undefined {
    return this.known.get(root);
  }

  /** Runs the tests of a unit, for its code lens. Returns whether there are any. */
  async runUnit(file: vscode.Uri, unit: string): Promise<boolean> {
    const root = packageOf(file.fsPath, disk);
    const item = root === undefined ? undefined : this.all().find((each) => each.of.is === "unit" && each.of.root === root && each.of.unit === unit)?.item;
    if (item === undefined || item.children.size === 0) return false;
    const token = new vscode.CancellationTokenSource();
    await this.run(new vscode.TestRunRequest([item]), token.token);
    return true;
  }

  /** Writes the suite of a package, and shows its tests. */
  async generate(root: string, token: vscode.CancellationToken): Promise<void> {
    const command = tool(settings(vscode.Uri.file(root)), root, ["gen", "--color", "never"]);
    this.log.info(shown(command));
    const line = (text: string): void => {
      this.log.info(text);
    };
    const ended = await run(command, { out: line, err: line }, stopOf(token));
    await this.load(root);
    if (ended.how === "stopped" || (ended.how === "exited" && ended.code === 0)) return;
    const why = ended.how === "not-started" ? ended.why : ended.code === 7 ? "inputs were found that violate an obligation of the program" : `it ended with exit code ${ended.code}`;
    const chosen = await vscode.window.showWarningMessage(`cargo dtest gen: ${why}.`, "Show the Log");
    if (chosen !== undefined) this.log.show();
  }

  private touch(uri: vscode.Uri): void {
    if (/[\\/](?:target|node_modules)[\\/]/.test(uri.fsPath)) return;
    const root = packageOf(uri.fsPath, disk);
    if (root === undefined) return;
    this.changed.add(root);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const roots = Array.from(this.changed);
      this.changed.clear();
      void (async () => {
        for (const root of roots) await this.load(root);
      })();
    }, REST);
  }

  /** Creates the items of a package. */
  private async load(root: string): Promise<void> {
    const [{ units, trouble }, tests] = [await discovery.units(root), await discovery.tests(root)];
    const top = this.controller.createTestItem(root, vscode.workspace.asRelativePath(root, true), vscode.Uri.file(root));
    this.items.set(top, { is: "package", root });
    // While a program has errors, the known items stay.
    const known = trouble === undefined ? units : (this.known.get(root) ?? units);
    this.known.set(root, known);
    if (trouble !== undefined) top.error = trouble;
    const lines = linesOf();
    top.children.replace(tree(known, tests).map((node) => this.unit(root, node, lines)));
    if (top.children.size > 0 || trouble !== undefined) this.controller.items.add(top);
    else this.controller.items.delete(root);
  }

  private unit(root: string, node: UnitNode, lines: Lines): vscode.TestItem {
    const at = node.place === undefined ? undefined : locationOf(root, node.place, lines);
    const item = this.controller.createTestItem(`${root} ${node.unit}`, node.unit, at?.uri);
    if (at !== undefined) item.range = at.range;
    if (node.place !== undefined) item.sortText = [node.place.path, ...[node.place.line, node.place.column].map((n) => String(n).padStart(7, "0"))].join(":");
    if (node.tests.length === 0) item.description = `no tests yet, ${node.goals} goal${node.goals === 1 ? "" : "s"}`;
    item.children.replace(node.tests.map((test) => this.test(root, test)));
    this.items.set(item, { is: "unit", root, unit: node.unit });
    return item;
  }

  private test(root: string, test: FoundTest): vscode.TestItem {
    const item = this.controller.createTestItem(`${root} ${test.target} ${test.id}`, inWords(test.name), vscode.Uri.file(test.file));
    item.range = new vscode.Range(test.line, 0, test.line, 0);
    item.description = test.about.split("\n")[0] ?? "";
    this.items.set(item, { is: "test", root, test });
    return item;
  }

  /** Returns all items. */
  private all(): readonly { readonly item: vscode.TestItem; readonly of: Item }[] {
    const found: { item: vscode.TestItem; of: Item }[] = [];
    const visit = (item: vscode.TestItem): void => {
      const of = this.items.get(item);
      if (of !== undefined) found.push({ item, of });
      item.children.forEach(visit);
    };
    this.controller.items.forEach(visit);
    return found;
  }

  /** Returns the requested tests, by package and target, with their names. */
  private asked(request: vscode.TestRunRequest): ReadonlyMap<string, { readonly root: string; readonly target: string; readonly items: Map<string, vscode.TestItem> }> {
    const groups = new Map<string, { root: string; target: string; items: Map<string, vscode.TestItem> }>();
    const excluded = new Set(request.exclude ?? []);
    const visit = (item: vscode.TestItem): void => {
      if (excluded.has(item)) return;
      const of = this.items.get(item);
      if (of?.is === "test") {
        const { root, test } = of;
        const key = `${root} ${test.target}`;
        const group = groups.get(key) ?? { root, target: test.target, items: new Map<string, vscode.TestItem>() };
        group.items.set(test.id, item);
        groups.set(key, group);
      }
      item.children.forEach(visit);
    };
    if (request.include === undefined) this.controller.items.forEach(visit);
    else request.include.forEach(visit);
    return groups;
  }

  /** Whether these are all tests of a target. */
  private isWhole(root: string, target: string, items: ReadonlyMap<string, vscode.TestItem>): boolean {
    return this.all().every(({ of }) => of.is !== "test" || of.root !== root || of.test.target !== target || items.has(of.test.id));
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const running = this.controller.createTestRun(request);
    const groups = Array.from(this.asked(request).values());
    for (const { items } of groups) for (const item of items.values()) running.enqueued(item);
    for (const { root, target, items } of groups) {
      if (token.isCancellationRequested) break;
      const of = settings(vscode.Uri.file(root));
      const results = new Results(running, root, items);
      const read = reader(of.runner, results.on);
      const command = testCommand(of, root, target, this.isWhole(root, target, items) ? undefined : Array.from(items.keys()));
      results.say(`${shown(command)}\n`);
      for (const item of items.values()) running.started(item);
      const line = (text: string): void => {
        results.say(`${text}\n`);
        results.hear(text);
        read.line(text);
      };
      const ended = await run(command, { out: line, err: line }, stopOf(token));
      const { ran } = read.end();
      results.close(ran, ended);
    }
    running.end();
  }

  private async debug(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const running = this.controller.createTestRun(request);
    for (const { root, target, items } of this.asked(request).values()) {
      if (token.isCancellationRequested) break;
      const of = settings(vscode.Uri.file(root));
      const results = new Results(running, root, items);
      const command = buildCommand(of, root, target);
      results.say(`${shown(command)}\n`);
      let program: string | undefined;
      const out = (line: string): void => {
        program = executableOf(line, target) ?? program;
      };
      const err = (line: string): void => {
        results.say(`${line}\n`);
        results.hear(line);
      };
      const built = await run(command, { out, err }, stopOf(token));
      if (program === undefined) {
        results.close(false, built);
        continue;
      }
      for (const item of items.values()) running.started(item);
      // Tests are debugged one at a time, without a time limit.
      const args = ["--exact", ...items.keys(), "--test-threads", "1"];
      const environment = { ...of.environment, DUNIT_TIMEOUT: "0" };
      const read = reader("cargo", results.on);
      let rest = "";
      const print = (text: string): void => {
        results.say(text);
        const lines = (rest + text).split(/\r?\n/);
        rest = lines.pop() ?? "";
        lines.forEach((line) => {
          read.line(line);
        });
      };
      const trouble = await debug({ program, args, cwd: root, environment }, vscode.workspace.getWorkspaceFolder(vscode.Uri.file(root)), print, token);
      read.end();
      if (trouble !== undefined) {
        results.say(`${trouble}\n`);
        void vscode.window.showErrorMessage(trouble);
      }
      results.close(true, { how: "exited", code: 0 });
    }
    running.end();
  }

  private async cover(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const running = this.controller.createTestRun(request);
    const groups = Array.from(this.asked(request).values()).filter((group) => group.target === "dtest");
    for (const { items } of groups) for (const item of items.values()) running.enqueued(item);
    for (const { root, target, items } of groups) {
      if (token.isCancellationRequested) break;
      const results = new Results(running, root, items);
      const units: UnitRecord[] = [];
      const report = join("target", "dtest", "coverage");
      const filters = this.isWhole(root, target, items) ? [] : ["--", "--exact", ...items.keys()];
      const command = records(settings(vscode.Uri.file(root)), { root, files: [] }, ["cover", "--coverage-report", report, "--", ...filters]);
      results.say(`${shown(command)}\n`);
      for (const item of items.values()) running.started(item);
      const read = reader("cargo", results.on);
      const out = (line: string): void => {
        const record = parseRecord(line);
        if (record?.kind === "unit") units.push(record);
        else if (record?.kind === "diagnostic") err(`${record.severity}: ${record.message}`);
      };
      const err = (line: string): void => {
        results.say(`${line}\n`);
        results.hear(line);
        read.line(line);
      };
      const ended = await run(command, { out, err }, stopOf(token));
      const { ran } = read.end();
      // The tool runs the tests quietly, so tests that passed are not listed.
      if (ran) results.rest();
      results.close(ran, ended);
      this.addCoverage(running, root, units, disk.read(join(root, report, "lcov.info")), ran);
    }
    running.end();
  }

  private addCoverage(running: vscode.TestRun, root: string, units: readonly UnitRecord[], lcov: string | undefined, ran: boolean): void {
    if (lcov === undefined || !ran) return;
    const tests = this.all().flatMap(({ item, of }) => (of.is === "test" && of.root === root ? [{ item, id: of.test.id }] : []));
    for (const file of parseLcov(lcov)) {
      const came = testsIn(units, file.path);
      running.addCoverage(new Coverage(file, units, fileOf(root, file.path), tests.filter(({ id }) => came.has(id)).map(({ item }) => item)));
    }
  }

  private detailsOf(file: Coverage, item: vscode.TestItem): vscode.FileCoverageDetail[] {
    const of = this.items.get(item);
    if (of?.is !== "test") return [];
    const text = disk.read(file.uri.fsPath)?.split(/\r?\n/) ?? [];
    const lines = ofTest(file.units, of.test.id).lines(file.of, text);
    return Array.from(lines, ([line, isReached]) => new vscode.StatementCoverage(isReached, range(line)));
  }
}

/**
 * Returns the details of a file's coverage: lines with the outcomes of their decisions, and units.
 */
function details(file: FileCoverage): vscode.FileCoverageDetail[] {
  const lines = Array.from(file.lines, ([line, count]) => {
    const branches = file.branches.get(line)?.map((branch) => new vscode.BranchCoverage(branch.count, undefined, branch.label));
    return new vscode.StatementCoverage(count, range(line), branches);
  });
  return [...lines, ...file.units.map(({ line, name, count }) => new vscode.DeclarationCoverage(name, count, new vscode.Position(line - 1, 0)))];
}

function range(line: number): vscode.Range {
  return new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
}

/** Reports the results of tests to a test run. */
class Results {
  private readonly open: Set<vscode.TestItem>;
  private error: string | undefined;

  constructor(
    private readonly running: vscode.TestRun,
    private readonly root: string,
    private readonly items: ReadonlyMap<string, vscode.TestItem>,
  ) {
    this.open = new Set(items.values());
  }

  /** Shows text in the output of the run. */
  say(text: string): void {
    this.running.appendOutput(text.replace(/\r?\n/g, "\r\n"));
  }

  /** Finds the first error in the output, which explains why tests did not run. */
  hear(line: string): void {
    if (/^error(?:\[\w+\])?: /.test(line)) this.error ??= line;
  }

  /** Reports the end of a test. */
  readonly on = (id: string, outcome: TestOutcome): void => {
    const item = this.items.get(id);
    if (item === undefined || !this.open.delete(item)) return;
    switch (outcome.outcome) {
      case "passed":
        this.running.passed(item, milliseconds(outcome.seconds));
        break;
      case "skipped":
        this.running.skipped(item);
        break;
      case "failed":
        this.running.failed(item, this.message(outcome.said), milliseconds(outcome.seconds));
        break;
    }
  };

  /** Reports the tests without a result as passed. */
  rest(): void {
    for (const item of this.open) this.running.passed(item);
    this.open.clear();
  }

  /** Ends the report. */
  close(ran: boolean, ended: Ended): void {
    const why = ended.how === "not-started" ? ended.why : (this.error ?? "see the output");
    for (const item of this.open) {
      if (ran || ended.how === "stopped") this.running.skipped(item);
      else this.running.errored(item, new vscode.TestMessage(`The tests did not run: ${why}`));
    }
    this.open.clear();
  }

  /** Returns the failure, located at the clause in the Dafny code. */
  private message(said: string): vscode.TestMessage {
    const { message, clause, got, want, test } = failure(said);
    const shown = got === undefined || want === undefined ? new vscode.TestMessage(message) : vscode.TestMessage.diff(message, want, got);
    const place = clause ?? test;
    if (place !== undefined) shown.location = locationOf(this.root, place);
    return shown;
  }
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Returns the readable path of a package. */
export function nameOf(root: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(root));
  return folder === undefined ? root : relative(folder.uri.fsPath, root) || folder.name;
}
