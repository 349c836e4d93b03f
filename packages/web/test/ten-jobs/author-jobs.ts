import { expect } from "vitest";
import { runSite, shell } from "../kit/run-site.ts";
import { type Job, jobTeam, nodeOf } from "./job.ts";

interface Task {
  name: string;
  dependencies?: { taskRef: string; decisionCondition?: string | null }[];
  params?: { name: string; value: unknown }[];
}

/** Five nodes from an empty canvas: a script with a result, a switch on it, an approval and a script on one path, a script on the other. */
const build: Job = {
  name: "build",
  async play(site) {
    const { call, open } = await jobTeam(site);
    await call("POST", "/workflow", { name: "orders", tasks: [] });
    const hand = await open("/workflows/orders/design");
    const { page } = hand;
    const add = (name: string) => hand.click(page.getByRole("button", { name: `Add ${name}`, exact: true }));
    /** A new task moves the focus to its first field, whose form is loaded with the first task of its kind. */
    const focusIsIn = (label: string) =>
      page
        .locator(`[data-panel] :focus`)
        .and(page.getByLabel(label, { exact: true }))
        .waitFor();

    await add("Execute Shell");
    await focusIsIn("Script");
    await hand.type("echo large > $(results.size.path)");
    await hand.click(page.getByRole("tab", { name: "Results" }));
    await hand.click(page.getByLabel("Add result"));
    await hand.type("size");
    await hand.press("Enter");
    await add("Switch");
    await focusIsIn("Value");
    await hand.type("$(tasks.execute-shell.results.size)");
    await add("Manual Approval");
    await nodeOf(page, "manual-approval").waitFor();
    await add("Execute Shell");
    await focusIsIn("Script");
    await hand.type("echo ship");
    await hand.click(nodeOf(page, "switch"));
    await add("Execute Shell");
    await focusIsIn("Script");
    await hand.type("echo note");
    // The label of the link lets the pointer through to the link.
    await hand.click(page.getByTitle("otherwise").first(), { force: true });
    await hand.click(page.getByLabel("Condition (value matches)"));
    await hand.type("large");
    await hand.press("ControlOrMeta+s");
    await page.getByText("Saved as version 2.").first().waitFor();

    const { tasks } = await call<{ tasks: Task[] }>("GET", "/workflow/orders");
    const links = tasks.flatMap(({ name, dependencies = [] }) =>
      dependencies.map(({ taskRef, decisionCondition }) => `${taskRef}>${name} ${decisionCondition ?? ""}`.trim()),
    );
    expect(links.sort()).toEqual([
      "execute-shell-2>end",
      "execute-shell-3>end",
      "execute-shell>switch",
      "manual-approval>execute-shell-2",
      "start>execute-shell",
      "switch>execute-shell-3",
      "switch>manual-approval large",
    ]);
    const scripts = tasks.flatMap(({ params = [] }) => params.filter(({ name }) => name === "script").map(({ value }) => value));
    expect(scripts).toEqual(["echo large > $(results.size.path)", "echo ship", "echo note"]);
    return hand;
  },
};

/** Runs a changed step alone, with the input from the last run. */
const tryStep: Job = {
  name: "try-step",
  async play(site) {
    const { call, open, team, token } = await jobTeam(site);
    const runs = runSite(site);
    const price = shell("price", "echo $(tasks.fetch.results.amount)", { dependencies: [{ taskRef: "fetch" }] });
    const fetch = shell("fetch", "echo 41 > $(results.amount.path)", { results: [{ name: "amount" }] });
    const { id } = await runs.start(token, team, [fetch, price], { name: "orders" });
    await runs.over(token, team, id);
    const hand = await open("/workflows/orders/design");
    const { page } = hand;
    await hand.doubleClick(nodeOf(page, "price"));
    const dialog = page.getByRole("dialog", { name: "price" });
    const script = dialog.getByRole("textbox", { name: "Script", exact: true });
    await hand.click(script);
    await hand.press("ControlOrMeta+a");
    await hand.type("echo $(($(tasks.fetch.results.amount)+1))");
    await hand.press("ControlOrMeta+Enter");
    await dialog.getByRole("region", { name: "Output" }).getByText("42", { exact: true }).waitFor();
    expect((await call<{ version: number }>("GET", "/workflow/orders")).version, "nothing is saved").toBe(1);
    return hand;
  },
};

/** Restores the previous version, in a hurry. */
const goBack: Job = {
  name: "go-back",
  async play(site) {
    const { call, open } = await jobTeam(site);
    await call("POST", "/workflow", { name: "orders", tasks: [shell("work", "echo good")] });
    await call("PUT", "/workflow", { name: "orders", tasks: [shell("work", "echo bad")] });
    const hand = await open("/workflows/orders");
    const { page } = hand;
    await hand.click(page.getByRole("link", { name: "Versions", exact: true }));
    await hand.click(page.getByRole("button", { name: "Restore version 1" }));
    await page.getByRole("dialog").waitFor();
    await hand.press("Enter");
    await page.getByText("Restored version 1").waitFor();
    const { version, tasks } = await call<{ version: number; tasks: Task[] }>("GET", "/workflow/orders");
    expect(version).toBe(3);
    expect(tasks.find(({ name }) => name === "work")?.params).toContainEqual({ name: "script", value: "echo good" });
    return hand;
  },
};

export const authorJobs: readonly Job[] = [build, tryStep, goBack];
