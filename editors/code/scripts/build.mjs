// Bundles: the extension, the panel's page, and (--tests) the unit tests. `--production` leaves out source maps, `--watch` stays.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";

const is = (option) => process.argv.includes(option);
const common = { bundle: true, logLevel: "warning", metafile: true, sourcemap: is("--production") ? false : "linked", minify: is("--production"), legalComments: "none" };
const extension = { ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", platform: "node", format: "cjs", target: "node20", external: ["vscode"] };
const panel = { ...common, entryPoints: { executions: "src/webview/main.ts" }, outdir: "dist/webview", platform: "browser", format: "iife", target: "chrome122" };
const style = { ...common, entryPoints: { executions: "src/webview/style.css" }, outdir: "dist/webview", sourcemap: false };

if (is("--tests")) {
  rmSync("dist-test", { recursive: true, force: true });
  const entryPoints = readdirSync("test").filter((file) => file.endsWith(".test.ts")).map((file) => join("test", file));
  await esbuild.build({ ...common, entryPoints, outdir: "dist-test", platform: "node", format: "esm", target: "node20", sourcemap: "inline", outExtension: { ".js": ".mjs" } });
} else if (is("--watch")) {
  for (const options of [extension, panel, style]) await (await esbuild.context({ ...options, logLevel: "info" })).watch();
} else {
  rmSync("dist", { recursive: true, force: true });
  const built = await Promise.all([extension, panel, style].map((options) => esbuild.build(options)));
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/THIRD-PARTY-NOTICES.txt", notices(built.flatMap(({ metafile }) => Object.keys(metafile.inputs))));
}

/** The licences of the packages that were bundled, which ask to be handed on. */
function notices(inputs) {
  const packages = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const parts = Array.from(packages).sort().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    const file = readdirSync(directory).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence to hand on`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(directory, file), "utf8").replaceAll("\r\n", "\n").trim()}\n`;
  });
  return `What this extension contains of others.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
