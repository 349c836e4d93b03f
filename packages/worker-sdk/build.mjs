// Makes of the sources what is published: JavaScript for Node, and the types. `npm run build` here, and before `npm pack`.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const entries = ["src/worker.ts", "src/definition-command.ts"];

rmSync(`${here}dist`, { recursive: true, force: true });
await build({
  ...{ absWorkingDir: here, entryPoints: entries, outdir: "dist", bundle: true, splitting: true },
  ...{ platform: "node", format: "esm", target: "node20.19" },
});
chmodSync(`${here}dist/definition-command.js`, 0o755);
const types = ["--declaration", "--emitDeclarationOnly", "--outDir", "dist", "--rewriteRelativeImportExtensions"];
const rules = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023", "--types", "node", "--strict", "--skipLibCheck"];
execFileSync("npx", ["tsc", "--ignoreConfig", ...types, ...rules, "src/worker.ts"], { cwd: here, stdio: "inherit" });
