import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { repositoryRoot } from "../../../../server/src/base/file/repository-root.ts";
import { connection, recheckConnection } from "../../api/connection.ts";
import type { Overview } from "../../api/queries/settings.ts";
import { showPage } from "../../ui/show-component.tsx";
import { InstanceOverview, OpenProblems } from "./on-call.tsx";

afterEach(cleanup);

/** The sections of the page that the remedies lead to. */
const handbook = readFileSync(join(repositoryRoot, "docs/troubleshooting.md"), "utf8")
  .match(/^## .*$/gm)
  ?.map((title) => title.slice(3).toLowerCase().replaceAll(" ", "-").replaceAll("'", ""));

const place = { teamName: "hawks", workflowName: "nightly", workflowDisplayName: "Nightly" };
const date = "2026-03-01T12:00:00.000Z";
const quiet: Overview = {
  ...{ teams: [], totalTeams: 1, actions: [], runs: [], waits: {}, failures: [], late: [], nextRuns: [], favourites: [] },
  health: { workers: 2, oldestSeconds: 0, queue: "healthy", database: "healthy" },
};
const part = (name: string) => within(screen.getByRole("region", { name }));

describe("home of a person on call", () => {
  test("says of a workflow once how often it failed, with the way to the last failed run", async () => {
    await showPage(
      <OpenProblems
        overview={{ ...quiet, failures: [{ ...place, failed: 12, run: "r1", status: "failed", message: "broke", endDate: date }] }}
      />,
    );
    const failed = part("Failed in the last day");
    expect(failed.getAllByRole("listitem")).toHaveLength(1);
    failed.getByText(/12 failed runs/);
    failed.getByText("broke");
    expect(failed.getByRole("link", { name: "Open run: the last failed one of Nightly" }).getAttribute("href")).toBe("/hawks/activity/r1");
    expect(screen.queryByRole("region", { name: "Late" })).toBeNull();
  });

  test("says which limit a late run has exceeded", async () => {
    const late = [
      { ...place, run: "r1", limit: "deadline" as const, dueDate: date },
      { ...place, run: "r2", limit: "usual" as const, dueDate: date, usualDuration: 120_000 },
      { ...place, run: "r3", limit: "expected" as const, dueDate: date, expectedDuration: 240_000 },
    ];
    await showPage(<OpenProblems overview={{ ...quiet, late }} />);
    const [one, other, third] = part("Late").getAllByRole("listitem");
    expect(one?.textContent).toMatch(/^Nightly r1Was due/);
    expect(other?.textContent).toMatch(/within 2 min$/);
    expect(third?.textContent).toMatch(/Expected to be done.*within 4 min$/);
    screen.getByText("Nothing failed in the last day.");
  });

  test.each([
    [quiet.health, ["Workers: 2 healthy", "Queue: healthy", "Database: healthy"]],
    [
      { workers: 0, oldestSeconds: 600, queue: "late", database: "full" } as const,
      [
        "Workers: noneTasks wait until a worker runs. What to do",
        "Queue: late, the oldest task has waited 10 min",
        "Database: fullChanges are refused until the disk has space. What to do",
      ],
    ],
    [
      { workers: 1, oldestSeconds: 600, queue: "late", database: "away" } as const,
      [
        "Workers: 1 healthy",
        "Queue: late, the oldest task has waited 10 minNo free slot for waiting tasks. What to do",
        "Database: unreachableRuns continue once it responds. What to do",
      ],
    ],
  ])("has a word for each part of the instance, and what to do about what is wrong: %j", async (health, words) => {
    await showPage(<InstanceOverview overview={{ ...quiet, health }} answer={{ at: Date.now(), isOutdated: false }} />);
    expect(
      part("Health")
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(words);
    const remedies = part("Health").queryAllByRole("link", { name: "What to do" });
    for (const remedy of remedies) {
      const section = (remedy.getAttribute("href") ?? "").replace("/docs/troubleshooting#", "");
      expect(handbook).toContain(section);
    }
  });

  test("does not call healthy what it can't know while the service does not answer", async () => {
    const answer = vi.fn(async (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch")));
    vi.stubGlobal("fetch", answer);
    onTestFinished(async () => {
      answer.mockResolvedValue(new Response(null, { status: 200 }));
      await vi.waitFor(() => expect(connection.get()).toBe("online"), { timeout: 5_000 });
      vi.unstubAllGlobals();
    });
    await showPage(<InstanceOverview overview={quiet} answer={{ at: Date.now() - 5 * 60_000, isOutdated: false }} />);
    const tones = () => [...document.querySelectorAll("[data-tone]")].map((mark) => mark.getAttribute("data-tone"));
    expect(tones()).toEqual(["on", "on", "on"]);
    recheckConnection();
    await part("Health").findByText(/^Not known now\./);
    expect(screen.getByRole("region", { name: "Health" }).textContent).toContain("Not known now. The last answer came 5 min ago.");
    expect(tones()).toEqual(["rest", "rest", "rest"]);
    cleanup();
    await showPage(<InstanceOverview overview={quiet} answer={{ at: Date.now(), isOutdated: true }} />);
    part("Health").getByText(/^Not known now\./);
  });

  test("counts waiting runs by what they wait for, and shows favourites with their last run", async () => {
    const favourites = [{ ...place, run: { id: "r1", status: "failed" as const, waitKinds: [], creationDate: date } }];
    await showPage(
      <InstanceOverview
        overview={{ ...quiet, waits: { action: 3, lock: 1 }, favourites }}
        answer={{ at: Date.now(), isOutdated: false }}
      />,
    );
    part("Waiting runs").getByText("3 for a person, 1 for a lock");
    part("Favourites").getByRole("link", { name: "Failed" });
  });
});
