import { expect, test } from "vitest";
import { describeInBrowser } from "./browser.ts";
import { openSite } from "./site.ts";
import { authorJobs } from "./ten-jobs/author-jobs.ts";
import { table } from "./ten-jobs/job-table.ts";
import { operatorJobs } from "./ten-jobs/operator-jobs.ts";
import { peopleJobs } from "./ten-jobs/people-jobs.ts";

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
