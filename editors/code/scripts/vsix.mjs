// Packs what `build.mjs --production` made as a .vsix, which is a zip with a manifest. Nothing is fetched; the same files give the same bytes.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const files = new Map([
  ["package.json", installed(manifest)],
  ["readme.md", readFileSync("README.md")],
  ["changelog.md", readFileSync("CHANGELOG.md")],
  ["LICENSE-MIT.txt", readFileSync("../../LICENSE-MIT")],
  ["LICENSE-APACHE.txt", readFileSync("../../LICENSE-APACHE")],
  ["LICENSE.txt", Buffer.from("Licensed under either of the Apache License, Version 2.0 (LICENSE-APACHE.txt) or the MIT license (LICENSE-MIT.txt), at your choice.\n")],
  ["language-configuration.json", readFileSync("language-configuration.json")],
  ...["media", "dist"].flatMap(below).map((path) => [path, readFileSync(path)]),
]);
check();
const name = `${manifest.name}-${manifest.version}.vsix`;
const parts = [
  ["extension.vsixmanifest", Buffer.from(gallery())],
  ["[Content_Types].xml", Buffer.from(types())],
  ...Array.from(files, ([path, content]) => [`extension/${path}`, content]),
];
const bytes = zip(parts);
writeFileSync(name, bytes);
console.log(`${name}: ${parts.length} files, ${Math.ceil(bytes.length / 1024)} KiB`);

/** The files below a directory, with slashes, sorted. */
function below(directory) {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => (entry.isDirectory() ? below(`${directory}/${entry.name}`) : [`${directory}/${entry.name}`]));
}

/** The manifest as it is installed: without what only development needs. */
function installed(manifest) {
  const left = new Set(["scripts", "dependencies", "devDependencies", "private"]);
  return Buffer.from(`${JSON.stringify(Object.fromEntries(Object.entries(manifest).filter(([key]) => !left.has(key))), null, 2)}\n`);
}

/** What the manifest names has to be there. */
function check() {
  const { contributes, main } = manifest;
  const icons = [...Object.values(contributes.viewsContainers), ...Object.values(contributes.views)].flat().map((each) => each.icon);
  const named = [main, ...contributes.languages.map((l) => l.configuration), ...icons].map((path) => path.replace(/^\.\//, ""));
  const missing = named.filter((path) => !files.has(path));
  const commands = new Set(contributes.commands.map((c) => c.command));
  const unknown = Object.values(contributes.menus).flat().map((m) => m.command).filter((c) => !commands.has(c));
  const code = files.get("dist/extension.js")?.toString() ?? "";
  const idle = Array.from(commands).filter((c) => !code.includes(`"${c}"`));
  const wrong = [...missing.map((m) => `there is no ${m}`), ...unknown.map((c) => `menus name ${c}, which is no command`), ...idle.map((c) => `nothing registers ${c}`)];
  if (wrong.length > 0) throw new Error(wrong.join("; "));
}

/** The manifest of the package. */
function gallery() {
  const { name, version, publisher, displayName, description, keywords, categories, engines } = manifest;
  const property = (id, value) => `<Property Id="Microsoft.VisualStudio.Code.${id}" Value="${escaped(value)}" />`;
  const asset = (type, path) => `<Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true" />`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped([...keywords, "__ext_dfy"].join(","))}</Tags>
    <Categories>${escaped(categories.join(","))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE.txt</License>
    <Properties>
      ${property("Engine", engines.vscode)}
      ${property("ExtensionDependencies", "")}
      ${property("ExtensionPack", "")}
      ${property("ExtensionKind", "workspace")}
      ${property("LocalizedLanguages", "")}
      ${property("ExecutesCode", "true")}
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    ${asset("Code.Manifest", "package.json")}
    ${asset("Services.Content.Details", "readme.md")}
    ${asset("Services.Content.Changelog", "changelog.md")}
    ${asset("Services.Content.License", "LICENSE.txt")}
  </Assets>
</PackageManifest>
`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The types of what is in the package, by extension. */
function types() {
  const known = { ".json": "application/json", ".md": "text/markdown", ".txt": "text/plain", ".js": "application/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".vsixmanifest": "text/xml" };
  const there = new Set([".vsixmanifest", ...Array.from(files.keys(), (path) => extname(path))]);
  const lines = Array.from(there).sort().map((extension) => {
    if (!(extension in known)) throw new Error(`files ending in ${extension} have no type`);
    return `<Default Extension="${extension}" ContentType="${known[extension]}"/>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${lines.join("")}</Types>\n`;
}

/** A zip: for each file a header and its bytes, then a directory of them all. All times are the format's first. */
function zip(parts) {
  const [records, directory] = [[], []];
  let offset = 0;
  for (const [path, content] of parts) {
    const [name, packed] = [Buffer.from(path), deflateRawSync(content, { level: 9 })];
    const common = Buffer.alloc(26);
    // Version 2.0, names in UTF-8, deflate, 1980-01-01.
    [20, 0x800, 8, 0, 0x21].forEach((value, i) => common.writeUInt16LE(value, 2 * i));
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const record = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, packed]);
    const rest = Buffer.alloc(14);
    // Regular files that their owner may write and all may read, as Unix has it.
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, rest, name]));
    records.push(record);
    offset += record.length;
  }
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...records, all, end]);
}
