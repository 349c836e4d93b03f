import { expect, test } from "vitest";
import { startClock } from "../../../server/test/kit/processor-ms.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { logSite } from "../kit/log-site.ts";
import { runSite, shell } from "../kit/run-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("the log of a task and runs that are large", async () => {
  const site = await openSite();
  const runs = runSite(site);

  const { ended, append, log } = logSite(site);

  test("every line is shown as text, including markup, scripts, links and colours that hide text", async () => {
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

  test("each line has a link; an error is marked, can be jumped to, and is shown where it was written", async () => {
    const { token, path } = await ended(
      'i=0; while [ $i -lt 400 ]; do echo "line $i"; [ $i != 350 ] || echo "error: oops" >&2; [ $i != 360 ] || echo progress >&2; i=$((i+1)); done',
    );
    const page = await site.open(path, token);
    await log(page).getByText("line 399", { exact: true }).waitFor();
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
    await page.getByText("Error 1 of 1").waitFor();
    const marked = log(page)
      .locator("div")
      .filter({ has: page.getByTitle("Looks like an error") });
    await log(page).getByText("error: oops").waitFor();
    expect(await log(page).getByTitle("Looks like an error").count()).toBe(1);
    expect(await marked.last().textContent()).toBe("352!error: oops");
    await log(page).getByText("line 351", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Timestamps" }).click();
    await page.getByRole("button", { name: "Wrap long lines" }).click();
    await expectAccessible(page);
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download log" }).click();
    expect((await file).suggestedFilename()).toMatch(/\.(log|txt)$/);
  });

  test("scrolling up stops following, and scrolling to the end resumes it", async () => {
    const team = await runs.team();
    // Ten minutes, so that it is still running at the end, however slow the machine is.
    const { id, path } = await runs.start(team.owner.token, team, [
      shell("work", 'i=0; while [ $i -lt 72000 ]; do i=$((i+1)); echo "line $i"; if [ $((i % 60)) = 0 ]; then sleep 0.5; fi; done'),
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
    await page.getByRole("button", { name: "Follow", pressed: true }).waitFor();
    await expect.poll(() => log(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)).toBeLessThan(100);
    await site.call(team.owner.token, "DELETE", `${team.api}/workflowrun/${id}/cancel`);
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
    const expectWithin = startClock();
    await page.getByText("Timeline", { exact: true }).click();
    await page.getByRole("button", { name: "5,000 items of work" }).click();
    await page.getByRole("button", { name: "work[0]", exact: true }).waitFor();
    await page.getByText("Graph", { exact: true }).click();
    await page.getByText("5,000 of 5,000 finished · 100 failed").waitFor();
    expectWithin(6_000);
    await takePictures(page, "run-large-graph");
    await expectAccessible(page);
  });
});
