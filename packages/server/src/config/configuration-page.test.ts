import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../base/file/repository-root.ts";
import { renderConfigurationPage } from "./configuration-page.ts";

test("docs/configuration.md has every setting, as the table has it (npm run generate)", () => {
  expect(readFileSync(join(repositoryRoot, "docs/configuration.md"), "utf8")).toBe(renderConfigurationPage());
});
