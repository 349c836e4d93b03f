import { expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { chooseTests } from "../../../../../scripts/changed-tests.mjs";

const texts: Record<string, string> = {
  "packages/contract/src/errors.ts": "",
  "packages/server/src/core/plan.ts": 'import type { Reason } from "@millrace/contract/errors.ts";',
  "packages/server/src/core/plan.test.ts": 'import { plan } from "./plan.ts";',
  "packages/server/src/store/runs.ts": "await db`select * from claim_runs(${count})`;",
  "packages/server/src/store/runs.test.ts": 'import { claim } from "./runs.ts";',
  "packages/server/src/store/functions/claim-runs.sql": "create or replace function claim_runs(count integer)",
  "packages/server/src/engine/engine.ts": 'import { plan } from "../core/plan.ts";\nimport { claim } from "../store/runs.ts";',
  "packages/server/src/engine/engine.test.ts": 'const { engine } = await import("./engine.ts");',
  "packages/server/test/errors-page.test.ts": 'readFileSync("docs/errors.md")',
  "docs/errors.md": "",
  "packages/web/src/ui/table.tsx": "",
  "packages/web/src/pages/runs/runs-page.tsx": 'import { Table } from "../../ui/table.tsx";',
  "packages/web/test/overlays/dialogs-of-runs.long.browser.test.ts": "",
  "packages/web/test/home.browser.test.ts": "",
};

function choose(changed: string[], secondsOf = (_test: string) => 1) {
  const { tests, further } = chooseTests({ files: Object.keys(texts), changed, read: (file) => texts[file] ?? "", secondsOf });
  return { tests: tests.map((path) => path.slice(path.lastIndexOf("/") + 1)), further };
}

test("a change chooses the tests that reach it, those with the fewest imports between first", () => {
  expect(choose(["packages/server/src/core/plan.ts"]).tests).toEqual(["plan.test.ts", "engine.test.ts"]);
  expect(choose(["packages/contract/src/errors.ts"]).tests).toEqual(["plan.test.ts", "engine.test.ts"]);
  expect(choose(["packages/server/src/engine/engine.ts"]).tests).toEqual(["engine.test.ts"]);
});

test("a test that was changed is chosen itself", () => {
  expect(choose(["packages/server/src/engine/engine.test.ts"]).tests).toEqual(["engine.test.ts"]);
});

test("a function of the database chooses the tests of what calls it", () => {
  expect(choose(["packages/server/src/store/functions/claim-runs.sql"]).tests).toEqual(["runs.test.ts", "engine.test.ts"]);
});

test("a page of the docs chooses the tests that read it", () => {
  expect(choose(["docs/errors.md"]).tests).toEqual(["errors-page.test.ts"]);
});

test("a part of the interface chooses the browser tests of the pages that show it", () => {
  expect(choose(["packages/web/src/ui/table.tsx"]).tests).toEqual(["dialogs-of-runs.long.browser.test.ts"]);
});

test("slow and distant tests are left to the whole suite, and counted; the nearest test runs however long it takes", () => {
  const slow = (test: string) => (test.endsWith("engine.test.ts") ? 40 : 1);
  expect(choose(["packages/server/src/core/plan.ts"], slow)).toEqual({ tests: ["plan.test.ts"], further: 1 });
  expect(choose(["packages/server/src/engine/engine.ts"], slow)).toEqual({ tests: ["engine.test.ts"], further: 0 });
});
