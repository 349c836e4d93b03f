import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../server/test/kit/until.ts";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

interface Labelled {
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
}

describeInBrowser("a removed label is gone after saving", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "labelled" });
  const api = "/api/v2/team/labelled";
  const labels = { area: "money", stage: "test" };
  const annotations = { owner: "ada", since: "2030" };
  const read = (path: string) => site.call<Labelled>(site.adminToken, "GET", path);
  const without = async (field: Locator, lines: readonly string[]) => {
    const text = await field.locator(".cm-line").allTextContents();
    const kept = text.filter((line) => !lines.some((gone) => line.trim().startsWith(gone)));
    await field.fill(kept.join("\n"));
  };

  test("in the text of a task, in the code of a workflow and in its configuration, and the other labels stay", async () => {
    await site.call(site.adminToken, "PUT", `${api}/task/weigh`, { labels, annotations, spec: { script: "x" } });
    const page = await site.openAs("editor", team, "/labelled/task-manager/weigh");
    const yaml = page.getByRole("textbox", { name: "Definition as YAML" });
    await yaml.getByText("stage: test").waitFor();
    await without(yaml, ["stage:", "owner:"]);
    await page.getByRole("button", { name: "Save" }).click();
    // What is about to be saved is shown, which moves the buttons below it.
    await page.getByRole("dialog").getByText("stage: test").first().waitFor();
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.getByText("Version 2 saved").waitFor();
    const saved = await read(`${api}/task/weigh`);
    expect(saved.labels).toEqual({ area: "money" });
    expect(saved.annotations).toEqual({ since: "2030" });

    await site.call(site.adminToken, "PUT", `${api}/workflow`, { name: "import", labels, annotations, tasks: [] });
    await page.goto(`${site.address}/labelled/workflows/import/code`);
    const code = page.getByRole("textbox", { name: "Workflow as YAML" });
    await code.getByText("stage: test").waitFor();
    await without(code, ["stage:", "owner:"]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    // Labels and annotations of a workflow belong to no version.
    await page.getByText("Saved.", { exact: true }).first().waitFor();
    expect(await read(`${api}/workflow/import`)).toMatchObject({ labels: { area: "money" }, annotations: { since: "2030" } });
    expect((await read(`${api}/workflow/import`)).labels).toEqual({ area: "money" });
    await page.getByRole("link", { name: "Configure", exact: true }).click();
    await page.getByText("area=money").waitFor();
    await page
      .getByRole("combobox", { name: "Labels" })
      .or(page.getByRole("textbox", { name: "Labels" }))
      .focus();
    await page.keyboard.press("Backspace");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await until(async () => Object.keys((await read(`${api}/workflow/import`)).labels ?? {}).length === 0, "the last label is gone");
    await expectAccessible(page);
  });
});
