// Holds the licences of all dependencies, also of those that only build the extension, to a list of permissive ones.
import { readFileSync } from "node:fs";

const ALLOWED = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "Python-2.0"]);
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const refused = Object.entries(packages).filter(([path, { license }]) => path !== "" && !ALLOWED.has(license));
for (const [path, { license }] of refused) console.error(`${path}: ${license ?? "no licence"} is not among ${Array.from(ALLOWED).join(", ")}`);
if (refused.length > 0) process.exit(1);
console.log(`${Object.keys(packages).length - 1} dependencies, all under permissive licences`);
