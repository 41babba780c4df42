/** The view *Executions*: runs the tool, and shows the location of an execution in the editor. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

import { ask, question, replay, type Replay } from "../core/executions";
import { page } from "../core/page";
import { parsePlace } from "../core/places";
import { run } from "../core/process";
import { programOf, type Program } from "../core/program";
import { isFromPanel, type ToPanel } from "../core/protocol";
import type { Question } from "../core/questions";
import { unitsOf } from "./discovery";
import { disk, locationOf, settings, shown } from "./workspace";

/** The view's id in the manifest. */
export const VIEW = "dtest.executions";

/** The view. */
export class Executions implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private isReady = false;
  private waiting: ToPanel[] = [];
  private file: string | undefined;
  private program: Program | undefined;
  private replays: ReadonlyMap<number, Replay> = new Map();
  private asking: AbortController | undefined;
  private stepping: AbortController | undefined;
  private readonly directory = mkdtempSync(join(tmpdir(), "dtest-"));
  private readonly current = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });

  constructor(
    private readonly extension: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  dispose(): void {
    this.asking?.abort();
    this.stepping?.abort();
    this.current.dispose();
    rmSync(this.directory, { recursive: true, force: true });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.isReady = false;
    const root = vscode.Uri.joinPath(this.extension, "dist", "webview");
    view.webview.options = { enableScripts: true, localResourceRoots: [root] };
    const local = (name: string): string => view.webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString();
    view.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.unmark();
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.isReady = false;
      this.unmark();
    });
    view.webview.html = page({ script: local("executions.js"), style: local("executions.css"), source: view.webview.cspSource, nonce: randomBytes(18).toString("base64url") });
  }

  /**
   * Opens the view for a file, and starts the query, if there is one. Returns whether there are
   * executions.
   */
  async open(file: vscode.Uri, asked?: Question): Promise<boolean> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    if (asked !== undefined) {
      // A new query replaces the running one.
      this.asking?.abort();
      this.asking = undefined;
    }
    await this.follow(file);
    return asked !== undefined && (await this.ask(asked));
  }

  /** Selects the file whose program is queried. */
  async follow(file: vscode.Uri): Promise<void> {
    if (this.file === file.fsPath || this.asking !== undefined) return;
    this.file = file.fsPath;
    this.program = programOf(file.fsPath, disk);
    const units = await unitsOf(file.fsPath);
    if (this.file === file.fsPath) this.send({ type: "units", units: units.map((unit) => unit.unit), file: vscode.workspace.asRelativePath(file) });
  }

  private send(message: ToPanel): void {
    if (this.isReady) void this.view?.webview.postMessage(message);
    else this.waiting.push(message);
  }

  private async receive(message: unknown): Promise<void> {
    if (!isFromPanel(message)) return;
    switch (message.type) {
      case "ready": {
        this.isReady = true;
        const waiting = this.waiting;
        this.waiting = [];
        waiting.forEach((each) => {
          this.send(each);
        });
        const active = vscode.window.activeTextEditor?.document;
        if (this.file === undefined && active?.languageId === "dafny") await this.follow(active.uri);
        break;
      }
      case "run":
        await this.ask(message.asked);
        break;
      case "stop":
        this.asking?.abort();
        break;
      case "choose":
        await this.step(message.number);
        break;
      case "show":
        await this.show(message.place, message.focus);
        break;
    }
  }

  private async ask(asked: Question): Promise<boolean> {
    const program = this.program;
    if (program === undefined) {
      this.send({ type: "found", asked, rows: [], summary: [], trouble: "Open a Dafny file first." });
      return false;
    }
    // The tool reads files from disk, so unsaved changes are saved first.
    await vscode.workspace.saveAll(false);
    this.asking?.abort();
    const stop = new AbortController();
    this.asking = stop;
    this.unmark();
    this.send({ type: "running", asked });
    const command = question(settings(vscode.Uri.file(program.root)), program, asked);
    this.log.info(shown(command));
    const found = await ask(run, command, stop.signal);
    if (this.asking !== stop) return false;
    this.asking = undefined;
    this.replays = found.replays;
    this.send({ type: "found", asked, rows: found.rows, summary: found.summary, trouble: found.trouble });
    return found.rows.length > 0;
  }

  private async step(number: number): Promise<void> {
    const [known, program] = [this.replays.get(number), this.program];
    this.stepping?.abort();
    if (known === undefined || program === undefined) {
      this.send({ type: "no-trace", number, why: "This execution was not kept." });
      return;
    }
    if (known.how === "known") {
      this.send({ type: "trace", number, trace: known.trace });
      return;
    }
    const stop = new AbortController();
    this.stepping = stop;
    const file = join(this.directory, `execution-${number}.json`);
    writeFileSync(file, `${known.record}\n`);
    const trace = await replay(run, settings(vscode.Uri.file(program.root)), program, file, stop.signal);
    if (stop.signal.aborted) return;
    this.send(typeof trace === "string" ? { type: "no-trace", number, why: trace } : { type: "trace", number, trace });
  }

  /** Shows a location in the editor. */
  private async show(text: string, focus: boolean): Promise<void> {
    const place = parsePlace(text);
    if (place === undefined || this.program === undefined) return;
    const { uri, range } = locationOf(this.program.root, place);
    const column = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.fsPath === uri.fsPath)?.viewColumn ?? vscode.ViewColumn.One;
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { viewColumn: column, preserveFocus: !focus, preview: true });
    this.unmark();
    editor.setDecorations(this.current, [document.lineAt(Math.min(range.start.line, document.lineCount - 1)).range]);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    if (focus) editor.selection = new vscode.Selection(range.start, range.start);
  }

  private unmark(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.current, []);
  }
}
