/** The language server: `cargo dtest lsp`. */

import * as vscode from "vscode";
import { LanguageClient, type ExecuteCommandSignature, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { run } from "../core/process";
import { server, tool } from "../core/tool";
import { settings, shown } from "./workspace";

/** Commands of the server's code lenses and code actions that the extension handles itself. */
export interface Handlers {
  /** `dtest.run`: runs the tests of a unit. Returns whether there are any. */
  run(file: vscode.Uri, unit: string): Promise<boolean>;
  /** `dtest.executionAt`: shows an execution for the first of these 0-based lines that has one. */
  executionAt(file: vscode.Uri, lines: readonly number[]): Promise<void>;
}

/** The language client, which can be restarted. */
export class Client implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly answers = new Answers();

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly handlers: Handlers,
  ) {}

  /** Starts the server if the tool is installed and has one; otherwise shows a remedy. */
  async start(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const cwd = folder?.fsPath ?? process.cwd();
    const [of, configured] = [settings(folder), vscode.workspace.getConfiguration("dtest", folder)];
    if (!(await this.isThere(cwd))) return;
    const command = server(of, cwd);
    this.log.info(shown(command));
    const executable = { command: command.program, args: [...command.args], options: { cwd, env: { ...process.env, ...command.environment } } };
    const serverOptions: ServerOptions = executable;
    const clientOptions: LanguageClientOptions = {
      documentSelector: [{ scheme: "file", language: "dafny" }],
      // Servers that never request the configuration receive it by this notification.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      synchronize: { configurationSection: "dtest", fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.dfy,dtest.toml,dfyconfig.toml}") },
      initializationOptions: { diagnostics: configured.get("diagnostics"), check: configured.get("check"), showsAnswers: true },
      outputChannel: this.log,
      middleware: { executeCommand: (name, args: unknown[], next) => this.execute(name, args, next) },
    };
    this.client = new LanguageClient("dtest", "cargo dtest", serverOptions, clientOptions);
    try {
      await this.client.start();
    } catch (e) {
      this.log.error(`the language server did not start: ${String(e)}`);
      this.client = undefined;
    }
  }

  /** Restarts the server. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops the server. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  dispose(): void {
    this.answers.dispose();
    void this.stop();
  }

  private async isThere(cwd: string): Promise<boolean> {
    const of = settings();
    const said: string[] = [];
    const ended = await run(tool(of, cwd, ["lsp", "--help"]), { err: (line) => said.push(line) });
    if (ended.how === "exited" && ended.code === 0) return true;
    const isMissing = ended.how === "not-started" || said.some((line) => line.includes("no such command"));
    if (!isMissing) {
      this.log.warn(`cargo dtest lsp: ${said.join("\n")}`);
      void this.offer("This version of cargo dtest has no language server: tests and executions work, diagnostics need a newer one (`cargo install dtest`).");
    } else {
      void this.offer("cargo dtest is not installed (`cargo install dtest`), or the setting dtest.path does not name it.");
    }
    return false;
  }

  private async offer(message: string): Promise<void> {
    const chosen = await vscode.window.showWarningMessage(message, "Settings", "Try Again");
    if (chosen === "Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "dtest.path");
    if (chosen === "Try Again") await this.restart();
  }

  /** Handles the server's commands: some locally, for others the server's answer is shown. */
  private async execute(name: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
    const [file, second, , more] = args;
    const uri = typeof file === "string" ? vscode.Uri.parse(file) : undefined;
    if (name === "dtest.run" && uri !== undefined && typeof second === "string" && (await this.handlers.run(uri, second))) return undefined;
    if (name === "dtest.executionAt" && uri !== undefined && typeof second === "number") {
      const others = Array.isArray(more) ? more.flatMap((place: unknown) => (Array.isArray(place) && typeof place[0] === "number" ? [place[0]] : [])) : [];
      await this.handlers.executionAt(uri, Array.from(new Set([second, ...others])));
      return undefined;
    }
    const title = `cargo dtest ${name.replace("dtest.", "")}`;
    const answer: unknown = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => Promise.resolve(next(name, args)));
    if (typeof answer === "string" && answer.trim() !== "") await this.answers.show(title, answer);
    return answer;
  }
}

/** Texts of the server that are shown as read-only documents. */
const SCHEME = "dtest-answer";

/** Maximum length of a text that is shown as a message. */
const SHORT = 240;

/** The provider of documents with answers. */
class Answers implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString())),
  ];
  private count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Shows an answer: a short one as a message, a long one as a document. */
  async show(title: string, text: string): Promise<void> {
    const lines = text.trim().split(/\r?\n/);
    if (text.length <= SHORT && lines.length <= 3) {
      void vscode.window.showInformationMessage(lines.join(" · "));
      return;
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: String(++this.count) });
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
  }
}
