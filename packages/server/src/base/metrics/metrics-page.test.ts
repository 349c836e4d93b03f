import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../file/repository-root.ts";
import { renderMetricsPage } from "./metrics-page.ts";

test("docs/metrics.md has every metric, as the code has it (npm run generate)", () => {
  expect(readFileSync(join(repositoryRoot, "docs/metrics.md"), "utf8")).toBe(renderMetricsPage());
});
