import { deflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { encodeLines } from "../../server/src/core/log-line.ts";
import { insertLogChunks } from "../../server/src/store/log-chunks.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, takePictures } from "./browser.ts";
import { runSite, shell } from "./run-site.ts";
import { openSite } from "./site.ts";

describeInBrowser("the log of a task and runs that are large", async () => {
  const site = await openSite();
  const runs = runSite(site);

  /** A run whose one task is over, and what its log says beyond what it wrote itself. */
  async function ended(script = "echo begin") {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [shell("work", script)]);
    const { tasks } = await runs.over(team.owner.token, team, id);
    const task = tasks.find(({ name }) => name === "work") as { id: string };
    return { team, token: team.owner.token, id, task, path: `${path}?task=${task.id}&tab=log&wide=true` };
  }

  /** As a worker stores it: chunks of lines, here behind those that are there. */
  async function append(teamId: string, taskRunId: string, lines: string[], linesOfChunk = 2_000, stepOf = (_index: number) => "main") {
    for (let first = 0; first < lines.length; first += linesOfChunk) {
      const part = lines
        .slice(first, first + linesOfChunk)
        .map((text, index) => ({ at: Date.UTC(2026, 0, 2) + first + index, step: stepOf(first + index), stream: "stdout" as const, text }));
      const raw = Buffer.from(encodeLines(part));
      const seq = 10 + first / linesOfChunk;
      const place = { teamId, taskRunId, attempt: 1, seq, firstLine: first, lineCount: part.length, rawBytes: raw.length };
      await insertLogChunks(site.sql, [{ ...place, data: deflateRawSync(raw, { level: 1 }) }]);
    }
  }

  const log = (page: Page) => page.getByRole("log");

  /** Whether the row with that text is wholly seen. */
  async function isInView(page: Page, text: string): Promise<boolean> {
    const [box, row] = await Promise.all([
      log(page).boundingBox(),
      log(page).locator("[data-stream]").filter({ hasText: text }).first().boundingBox(),
    ]);
    return box !== null && row !== null && row.y >= box.y - 1 && row.y + row.height <= box.y + box.height + 1;
  }

  /** What the scripts of the page hold, in MB, after cleaning up. */
  async function heapOf(page: Page): Promise<number> {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return Math.round(usedSize / 1e6);
  }

  test("a log of 100 MB shows its end at once, and any place of it, with few lines in the page and few read", async () => {
    const { team, token, task, path } = await ended();
    const filler = "x".repeat(85);
    const lines = Array.from({ length: 1_000_000 }, (_, index) =>
      index === 700_000 ? "Error: the needle broke" : `${index} ${filler}${index === 150_000 ? " needle" : ""}`,
    );
    await append(team.id, task.id, lines);
    const page = await site.open("/home", token);
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/log") && asked.push(new URL(request.url()).search));
    const took = async (what: Promise<unknown>) => {
      const startedAt = Date.now();
      await what;
      return Date.now() - startedAt;
    };
    const end = await took(page.goto(`${site.address}${path}`).then(() => log(page).getByText("999999 xxx").waitFor()));
    await page.getByText("1,000,001 lines").waitFor();
    expect(asked).toEqual(["?tail=1000&limit=1000"]);
    await log(page).evaluate((box) => box.scrollTo(0, box.scrollHeight / 2));
    const middle = await took(
      log(page)
        .getByText(/^5000\d\d xxx/)
        .first()
        .waitFor(),
    );
    await takePictures(page, "log-middle");
    expect(asked.length).toBeLessThan(5);

    await page.getByLabel("Search the log").fill("needle");
    const search = await took(page.getByText("2 found").waitFor());
    await page.getByLabel("Search the log").press("Enter");
    await page.getByText("2 of 2", { exact: true }).waitFor();
    await log(page).getByText("Error: the needle broke").waitFor();
    await page.getByLabel("Search the log").press("Shift+Enter");
    await log(page).getByText("150000 xxx").waitFor();
    await page.getByLabel("Search the log").fill("");
    const error = await took(
      page
        .getByRole("button", { name: "Next error" })
        .click()
        .then(() => page.getByText("Error 1 of 1").waitFor()),
    );
    await log(page).getByText("Error: the needle broke").waitFor();
    await page.waitForURL(/line=700002\b/);
    await page.reload();
    await log(page).getByText("Error: the needle broke").waitFor();
    expect(await log(page).locator("[data-stream]").count()).toBeLessThan(120);
    console.info(
      `100 MB, 1,000,000 lines: end ${end} ms, middle ${middle} ms, search ${search} ms, next error ${error} ms, heap ${await heapOf(page)} MB`,
    );
    // A cold page on a busy machine; the rest is a request or two.
    expect(end).toBeLessThan(6_000);
    expect(middle).toBeLessThan(3_000);
    await takePictures(page, "log-large");
    await expectAccessible(page);
  });

  test("lines are chosen, linked and searched for by keys, and what happens is said", async () => {
    const { team, token, task, path } = await ended();
    await append(
      team.id,
      task.id,
      Array.from({ length: 3_000 }, (_, index) => (index % 1_000 === 500 ? `fatal: ${index}` : `said ${index}`)),
    );
    const page = await site.open(`${path}#L1201`, token);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await log(page).getByText("said 1199", { exact: true }).waitFor();
    await log(page).focus();
    await log(page).press("ArrowDown");
    await page.getByText("Line 1,202: said 1200").waitFor();
    await page.waitForURL(/line=1202\b/);
    await log(page).press("Shift+ArrowDown");
    await log(page).press("Shift+ArrowDown");
    await page.getByText("Lines 1,202 to 1,204").waitFor();
    await page.waitForURL(/line=1202-1204\b/);
    expect(await log(page).locator("[data-chosen]").count()).toBe(3);
    await log(page).press("y");
    await page.getByRole("alert").getByText("The link to lines 1,202 to 1,204 is copied.").waitFor();
    expect(await copied()).toMatch(/line=1202-1204$/);
    await takePictures(page, "log-lines-chosen");
    await log(page).press("e");
    await page.getByText("Error 2 of 3").waitFor();
    await page.getByText("Line 1,502: fatal: 1500").waitFor();
    await log(page).press("Shift+E");
    await log(page).getByText("fatal: 500").waitFor();
    await log(page).press("End");
    await log(page).getByText("said 2999").waitFor();
    await log(page).press("Home");
    await log(page).getByText("begin", { exact: true }).waitFor();
    await log(page).press("PageDown");
    await log(page).press("Enter");
    expect(await copied()).toMatch(/line=\d\d$/);
    await log(page).press("?");
    await page.getByRole("dialog", { name: "Keys of the log" }).waitFor();
    await takePictures(page, "log-keys");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await log(page).press("/");
    await page.keyboard.type("said 17");
    await page.getByText(/^111 found$/).waitFor();
    // Somebody else opens what was copied.
    const other = await site.openAs("reader", team, `${path}&line=1202-1204`);
    await log(other).getByText("said 1201", { exact: true }).waitFor();
    expect(await log(other).locator("[data-chosen]").count()).toBe(3);
  });

  test("long lines that wrap stay in their places, at the end and in the middle", async () => {
    const { team, token, task, path } = await ended();
    await append(
      team.id,
      task.id,
      Array.from({ length: 5_000 }, (_, index) => `said ${index} ${"word ".repeat((index * 37) % 200)}`),
    );
    const page = await site.open(path, token);
    await log(page).getByText("said 4999 ").waitFor();
    await page.getByRole("button", { name: "Wrap long lines" }).click();
    await log(page).getByText("said 4999 ").waitFor();
    expect(await isInView(page, "said 4999 ")).toBe(true);
    await page.getByLabel("Search the log").fill("said 2500");
    await page.getByLabel("Search the log").press("Enter");
    await log(page).getByText("said 2500", { exact: false }).first().waitFor();
    expect(await isInView(page, "said 2500 ")).toBe(true);
    // Rows follow each other without a gap and without lying over each other.
    const gaps = await log(page).evaluate((box) => {
      const rows = [...box.querySelectorAll("[data-wrap]")].filter((row) => row !== box).map((row) => row.getBoundingClientRect());
      return rows.slice(1).map((row, index) => Math.abs(row.top - (rows[index]?.bottom ?? 0)));
    });
    expect(Math.max(...gaps)).toBeLessThan(1);
    await takePictures(page, "log-wrapped");
    await page.setViewportSize({ width: 360, height: 740 });
    await log(page).getByText("said 2500", { exact: false }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await takePictures(page, "log-narrow");
  });

  test("one step of a long log is shown by itself", async () => {
    const { team, token, task, path } = await ended();
    await append(
      team.id,
      task.id,
      Array.from({ length: 4_000 }, (_, index) => `said ${index}`),
      1_000,
      (index) => (index < 1_500 ? "lint" : "main"),
    );
    const page = await site.open(path, token);
    await log(page).getByText("said 3999").waitFor();
    await page.getByRole("combobox", { name: "Step" }).click();
    await page.getByRole("option", { name: "lint" }).click();
    await page.getByText(/^1,500 lines of lint, 4,001 in all$/).waitFor();
    await log(page).getByText("said 0", { exact: true }).waitFor();
    await page.getByRole("button", { name: "To the end" }).click();
    await log(page).getByText("said 1499").waitFor();
    expect(await log(page).getByText("said 1500").count()).toBe(0);
    await page.waitForURL(/step=lint/);
  });

  test("whatever a line says is shown as text: markup, scripts, links and colours that hide", async () => {
    const { team, token, task, path } = await ended();
    await append(team.id, task.id, [
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
      "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007",
      "\u001b[31mred\u001b[0m and \u001b[1;32mbold green\u001b[0m \u001b[8mhidden\u001b[0m \u001b[2J",
      "user \u202egnp.exe",
    ]);
    const page = await site.open(path, token);
    await log(page).getByText('<img src=x onerror="document.title=1"><script>').waitFor();
    await log(page).getByText("␛]8;;https://evil.example␇click").waitFor();
    await log(page).getByText("<U+202E>gnp.exe").waitFor();
    await log(page).getByText("hidden").waitFor();
    expect(await log(page).locator("[data-tone=red]").textContent()).toBe("red");
    expect(await log(page).locator("img, script").count()).toBe(0);
    expect(await log(page).locator("a[href*=evil]").count()).toBe(0);
    expect(await page.title()).not.toMatch(/^[12]$/);
    await takePictures(page, "log-colours");
    await expectAccessible(page);
  });

  test("a line has a link that leads to it, and standard error is marked", async () => {
    const { token, path } = await ended('i=0; while [ $i -lt 400 ]; do echo "line $i"; i=$((i+1)); done; echo oops >&2');
    const page = await site.open(path, token);
    await log(page).getByText("oops").waitFor();
    await log(page).evaluate((box) => box.scrollTo(0, 0));
    await log(page).getByRole("link", { name: "Line 3", exact: true }).click();
    await page.waitForURL(/line=3\b/);
    await log(page)
      .getByRole("link", { name: "Line 5", exact: true })
      .click({ modifiers: ["Shift"] });
    await page.waitForURL(/line=3-5\b/);
    await page.goto(`${site.address}${path}&line=300`);
    await log(page).getByText("line 299", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Next error" }).click();
    await log(page).getByText("oops").waitFor();
    await page.getByRole("button", { name: "Times" }).click();
    await page.getByRole("button", { name: "Wrap long lines" }).click();
    await expectAccessible(page);
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download the whole log" }).click();
    expect((await file).suggestedFilename()).toMatch(/\.(log|txt)$/);
  });

  test("who scrolls up stops following, and follows again from the end", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [
      shell("work", 'i=0; while [ $i -lt 900 ]; do i=$((i+1)); echo "line $i"; if [ $((i % 60)) = 0 ]; then sleep 0.5; fi; done'),
    ]);
    const page = await site.open(path, team.owner.token);
    await page.getByRole("button", { name: "work" }).click();
    await log(page)
      .getByText(/^line [1-9]\d\d$/)
      .first()
      .waitFor();
    const follow = page.getByRole("button", { name: "Follow" });
    await page.getByRole("button", { name: "Follow", pressed: true }).waitFor();
    await log(page).hover();
    await page.mouse.wheel(0, -900);
    await page.getByRole("button", { name: "Follow", pressed: false }).waitFor();
    await follow.click();
    await log(page).getByText("line 900", { exact: true }).waitFor();
    await runs.over(team.owner.token, team, id);
  });

  test("a run with 5,000 task runs answers at once in each of its views", async () => {
    const { team, token, id } = await ended();
    await site.sql`
      insert into task_run (id, team_id, run_id, node, item, name, type, status, phase, attempt, created_at, started_at, ended_at)
      select new_id(), team_id, run_id, node, n, name || '[' || n || ']', type, case when n % 50 = 0 then 'failed' else 'succeeded' end, 'completed', 1,
        created_at, started_at + make_interval(secs => n / 100.0), started_at + make_interval(secs => n / 100.0 + 2)
      from task_run, generate_series(0, 4999) n where team_id = ${team.id} and run_id = ${id} and name = 'work'`;
    const page = await site.open(`/${team.name}/activity/${id}?view=list`, token);
    await page.getByText("5,003 tasks").waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(80);
    await takePictures(page, "run-large-list");
    await page.getByLabel("Find tasks by name").fill("work[4999]");
    await page.getByText("1 of 5,003 tasks").waitFor();
    await page.getByRole("button", { name: "work[4999]" }).click();
    await page.getByRole("region", { name: "Task work[4999]" }).waitFor();
    const startedAt = Date.now();
    await page.getByText("Timeline", { exact: true }).click();
    await page.getByRole("button", { name: "5000 items of work" }).click();
    await page.getByRole("button", { name: "work[0]", exact: true }).waitFor();
    await page.getByText("Graph", { exact: true }).click();
    await page.getByText("5,000 of 5,000 over · 100 failed").waitFor();
    expect(Date.now() - startedAt).toBeLessThan(6_000);
    await takePictures(page, "run-large-graph");
    await expectAccessible(page);
  });
});
