import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { repositoryRoot } from "./base/file/repository-root.ts";
import { renderMetricsPage } from "./base/metrics/metrics-page.ts";
import { createLog } from "./base/process/log.ts";
import { renderConfigurationPage } from "./config/configuration-page.ts";
import { everyEndpoint } from "./http/answer/every-endpoint.ts";
import { renderApiDocument as render } from "./http/document/openapi.ts";
import { endpoints } from "./http/routes.ts";
import { renderSettingsPage } from "./settings-page.ts";
import { createPool } from "./store/database/database.ts";
import { functionRevisionPath, renderFunctionRevision } from "./store/database/schema/database-functions.ts";
import { migrate } from "./store/database/schema/migrate.ts";
import { dumpSchema } from "./store/database/schema/schema-dump.ts";
import { EmbeddedServer } from "./store/embedded/embedded.ts";
import { renderHandbookContents, renderTaskContents } from "./task-pages.ts";

/** The files of the repository that are generated from the code, and how. `npm run generate` writes them, a test compares each. */
const generatedFiles: { path: string; render: () => string | Promise<string> }[] = [
  { path: "docs/configuration.md", render: renderConfigurationPage },
  { path: "docs/metrics.md", render: renderMetricsPage },
  { path: "docs/README.md", render: renderHandbookContents },
  { path: "docs/settings.md", render: renderSettingsPage },
  { path: "docs/tasks/README.md", render: renderTaskContents },
  { path: "packages/server/openapi.json", render: renderApiDocument },
  { path: functionRevisionPath, render: renderFunctionRevision },
  { path: "packages/server/migrations/schema.sql", render: renderSchema },
];

/** `npm run generate`, with `--check` to compare only. */
export async function main(args: readonly string[]): Promise<void> {
  const isCheck = args.includes("--check");
  const changed = await generate(isCheck);
  for (const path of changed) process.stdout.write(`${isCheck ? "not current" : "written"}: ${path}\n`);
  if (isCheck && changed.length > 0) process.exitCode = 1;
}

/** @param isCheck only compares. Returns the paths that differ (or differed). */
async function generate(isCheck: boolean): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, render } of generatedFiles) {
    const file = join(repositoryRoot, path);
    const text = await render();
    if (readOrEmpty(file) === text) continue;
    changed.push(relative(repositoryRoot, file));
    if (!isCheck) writeFileSync(file, text);
  }
  return changed;
}

function readOrEmpty(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** The API document with everything that this program serves. */
function renderApiDocument(): string {
  return render(everyEndpoint(endpoints));
}

async function renderSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-generate-"));
  const server = await EmbeddedServer.start({ folder: join(folder, "postgres"), settings: { fsync: "off" }, log: createLog("warn") });
  const sql = createPool(server.address, { maxConnections: 1 });
  try {
    await migrate(sql);
    return await dumpSchema(sql);
  } finally {
    await sql.end({ timeout: 1 });
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
