import { expect, test } from "vitest";
import { describeInBrowser } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";
import { authorJobs } from "./author-jobs.ts";
import { table } from "./job-table.ts";
import { operatorJobs } from "./operator-jobs.ts";
import { peopleJobs } from "./people-jobs.ts";

const jobs = [...authorJobs, ...operatorJobs, ...peopleJobs];

test("each job of the table is played", () => {
  expect(jobs.map(({ name }) => name).sort()).toEqual(table.map(({ name }) => name).sort());
});

describeInBrowser("ten jobs", async () => {
  const site = await openSite();

  test.each(jobs)("$name takes as many clicks, keys and words as the table says", async ({ name, play }) => {
    const hand = await play(site);
    expect(hand.sum(), JSON.stringify(hand.count())).toBe(table.find((row) => row.name === name)?.ours);
  });
});
