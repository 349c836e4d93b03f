import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./base/file/repository-root.ts";
import { renderSettingsPage } from "./settings-page.ts";

test("docs/settings.md has every setting of the instance, as the catalogue has it (npm run generate)", () => {
  expect(readFileSync(join(repositoryRoot, "docs/settings.md"), "utf8")).toBe(renderSettingsPage());
});
