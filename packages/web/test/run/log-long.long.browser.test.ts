import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { logSite } from "../kit/log-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("logs that are long", async () => {
  const site = await openSite();
  const { ended, append, log } = logSite(site);

  /** Whether the row with that text is completely visible. */
  async function isInView(page: Page, text: string): Promise<boolean> {
    const [box, row] = await Promise.all([
      log(page).boundingBox(),
      log(page).locator("[data-line]").filter({ hasText: text }).first().boundingBox(),
    ]);
    return box !== null && row !== null && row.y >= box.y - 1 && row.y + row.height <= box.y + box.height + 1;
  }

  /** The number of the first visible line. */
  async function firstInView(page: Page): Promise<number> {
    return log(page).evaluate((box) => {
      const top = box.getBoundingClientRect().top;
      const rows = [...box.querySelectorAll("a")].filter((link) => link.getBoundingClientRect().bottom > top + 1);
      return Number(rows[0]?.textContent);
    });
  }

  /** Memory of the page's scripts, in MB, after garbage collection. */
  async function heapOf(page: Page): Promise<number> {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return Math.round(usedSize / 1e6);
  }

  test("a log of 100 MB shows its end at once, and any place of it, with few lines in the page and few read", {
    timeout: 240_000,
  }, async () => {
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
    // The wheel moves by lines even if a pixel of the scrollbar stands for more than one line.
    const before = await firstInView(page);
    await log(page).hover();
    await page.mouse.wheel(0, 200);
    await expect.poll(() => firstInView(page)).toBe(before + 10);
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
        // The service reads the whole log, which takes long beside other work.
        .then(() => page.getByText("Error 1 of 1").waitFor({ timeout: 90_000 })),
    );
    await log(page).getByText("Error: the needle broke").waitFor();
    await page.waitForURL(/line=700002\b/);
    await page.reload();
    await log(page).getByText("Error: the needle broke").waitFor();
    expect(await log(page).locator("[data-line]").count()).toBeLessThan(120);
    console.info(
      `100 MB, 1,000,000 lines: end ${end} ms, middle ${middle} ms, search ${search} ms, next error ${error} ms, heap ${await heapOf(page)} MB`,
    );
    // A cold page on a busy machine; the rest is a request or two.
    expect(end).toBeLessThan(6_000);
    expect(middle).toBeLessThan(3_000);
    await takePictures(page, "log-large");
    await expectAccessible(page);
  });

  test("lines can be selected, linked and searched by keyboard, and each result is announced", async () => {
    const { team, token, task, path } = await ended();
    await append(
      team.id,
      task.id,
      Array.from({ length: 3_000 }, (_, index) => (index % 1_000 === 500 ? `fatal: ${index}` : `said ${index}`)),
    );
    const page = await site.open(`${path}#L1201`, token);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
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
    await page.getByRole("alert").getByText("Link to lines 1,202 to 1,204 copied.").waitFor();
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
    await page.getByRole("dialog", { name: "Log shortcuts" }).waitFor();
    await takePictures(page, "log-keys");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await log(page).press("/");
    await page.keyboard.type("said 17");
    await page.getByText(/^111 found$/).waitFor();
    // Another user opens the copied URL.
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
    // Rows follow each other without gaps and without overlapping.
    const gaps = await log(page).evaluate((box) => {
      const rows = [...box.querySelectorAll("[data-wrap]")].filter((row) => row !== box).map((row) => row.getBoundingClientRect());
      return rows.slice(1).map((row, index) => Math.abs(row.top - (rows[index]?.bottom ?? 0)));
    });
    expect(Math.max(...gaps)).toBeLessThan(1);
    await takePictures(page, "log-wrapped");
    await page.setViewportSize({ width: 360, height: 740 });
    await log(page).getByText("said 2500", { exact: false }).first().waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
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
    await page.getByText(/^1,500 lines of lint, 4,001 in total$/).waitFor();
    await log(page).getByText("said 0", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Jump to end" }).click();
    await log(page).getByText("said 1499").waitFor();
    expect(await log(page).getByText("said 1500").count()).toBe(0);
    await page.waitForURL(/step=lint/);
  });
});
