import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPages } from "../../ui/show-component.tsx";
import { InsightsPage } from "./insights-page.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const percentiles = { p50: 1_000, p90: 2_000, p95: 2_000, p99: 3_000, max: 3_000 };
const day = (date: string, succeeded: number, failed: number) => ({
  ...{ date, total: succeeded + failed, succeeded, failed, medianDuration: 1_000 },
});
const group = { workflowRef: "w1", workflowName: "import", workflowDisplayName: "The import", isDeleted: false };

/** The service's numbers for the time and the zone that it is asked for. */
async function showInsights(search: string, totalRuns = 7) {
  service.byEnd.set("/insights", (_, { searchParams }) => {
    const [from, to] = ["fromDate", "toDate"].map((name) => new Date(Number(searchParams.get(name))).toISOString());
    return {
      status: 200,
      body: {
        ...{
          totalRuns,
          concurrentRuns: 0,
          totalDuration: 9_000,
          durations: percentiles,
          queueTimes: percentiles,
          fromDate: from,
          toDate: to,
        },
        ...{ timezone: searchParams.get("timezone"), statuses: { succeeded: 5, failed: 2 } },
        days: [day("2026-03-01", 3, 0), day("2026-03-02", 2, 1)],
        workflows: [{ ...group, total: 7, succeeded: 5, failed: 2, medianDuration: 1_000, p95Duration: 2_000 }],
      },
    };
  });
  return showPages(
    { "/$team/insights": InsightsPage },
    [[callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: ["insights/read"], teams: [] }]],
    `/owls/insights${search}`,
  );
}

const searchAt = (address: string) => Object.fromEntries(new URL(address, "http://here").searchParams);
const searchOf = (link: HTMLElement) => new URL(link.getAttribute("href") ?? "", "http://here").searchParams;

test("the failed runs of a workflow lead to these runs", async () => {
  await showInsights("?range=7d");
  const failing = within(await screen.findByRole("region", { name: "Top failing workflows" }));
  const search = searchOf(failing.getByRole("link", { name: /failed runs of import/ }));
  expect(JSON.parse(search.get("statuses") ?? "")).toEqual(["failed", "timedout", "invalid"]);
  expect(JSON.parse(search.get("workflows") ?? "")).toEqual(["import"]);
  expect(Date.parse(search.get("to") ?? "") - Date.parse(search.get("from") ?? "")).toBeCloseTo(7 * 86_400_000, -8);
});

test("each chart is shown as a table, whose numbers lead to the runs of the day", async () => {
  const { user } = await showInsights('?workflows=["import"]');
  const chart = within(await screen.findByRole("region", { name: "Runs per day" }));
  await user.click(chart.getByRole("button", { name: "Show as table" }));
  const row = within(chart.getAllByRole("row")[1] as HTMLElement);
  row.getByRole("link", { name: "1" });
  const search = searchOf(row.getByRole("link", { name: "2" }));
  expect([search.get("statuses"), search.get("workflows"), search.get("span")]).toEqual(['["succeeded"]', '["import"]', "custom"]);
});

test("period, workflows and time zone are in the address, and are restored from it", async () => {
  const { user, address } = await showInsights("?timezone=Asia%2FTokyo");
  await screen.findByText(/in Asia\/Tokyo/);
  await user.click(screen.getByText("Custom"));
  fireEvent.change(await screen.findByLabelText("First day"), { target: { value: "2026-03-01" } });
  expect((await screen.findByLabelText<HTMLInputElement>("First day")).value).toBe("2026-03-01");
  expect(searchAt(address())).toMatchObject({ range: "custom", from: "2026-03-01", timezone: "Asia/Tokyo" });
  await user.click(screen.getByText("90 days"));
  await expect.poll(() => searchAt(address())).toEqual({ range: "90d", timezone: "Asia/Tokyo" });
});

test("a time without runs says so", async () => {
  await showInsights("?range=custom&from=2001-01-01&to=2001-01-02", 0);
  await screen.findByRole("heading", { name: "No runs in this period" });
});
