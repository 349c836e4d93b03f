/** One of the ten jobs, as docs/design.md shows it. */
export interface JobRow {
  name: string;
  from: string;
  until: string;
  /** Clicks, drags, keys and words, counted while the job is played. */
  ours: number;
  /** The same, counted in the same way on the real product; docs/design.md says how. */
  peer: { product: string; count: number; remark?: string };
}

export const table: readonly JobRow[] = [
  {
    name: "build",
    from: "author, an empty canvas",
    until: "five nodes are saved: a script, a switch by its result, an approval and a script on one way, a script on the other",
    ours: 23,
    peer: { product: "n8n", count: 34, remark: "with a wait as the approval" },
  },
  {
    name: "try-step",
    from: "author, the design of a workflow that has run",
    until: "a changed script was run alone with the results of the last run, and its output is shown",
    ours: 6,
    peer: { product: "n8n", count: 6 },
  },
  {
    name: "go-back",
    from: "author, the page of the workflow",
    until: "the version before is the current one",
    ours: 3,
    peer: { product: "n8n", count: 3, remark: "or 4 where it is published" },
  },
  {
    name: "find",
    from: "operator, the list of 100,000 runs",
    until: "yesterday's failed run with the parameter A-2345 is open",
    ours: 3,
    peer: { product: "Airflow", count: 4, remark: "among 21 runs" },
  },
  {
    name: "fix-and-rerun",
    from: "operator, a failed run",
    until: "its script is corrected and saved, and a new run that reuses what had succeeded has succeeded",
    ours: 5,
    peer: { product: "n8n", count: 6, remark: "or 9 where another session made the run" },
  },
  {
    name: "read-why",
    from: "operator, the home page",
    until: "the line of the log that says why a run failed is shown",
    ours: 2,
    peer: { product: "Airflow", count: 2 },
  },
  {
    name: "rerun-all",
    from: "operator, the list of runs",
    until: "all 20 failed runs were started again",
    ours: 4,
    peer: { product: "Airflow", count: 7 },
  },
  {
    name: "decide",
    from: "approver, the home page on a phone",
    until: "the approval that waits is approved",
    ours: 2,
    peer: { product: "Airflow", count: 2 },
  },
  {
    name: "invite",
    from: "owner, the list of workflows",
    until: "a colleague is invited as an editor, and the link is shown",
    ours: 5,
    peer: { product: "n8n", count: 6, remark: "as a member" },
  },
  {
    name: "schedule",
    from: "author, the page of schedules",
    until: "a workflow runs each day at 02:30 on the clocks of New York",
    ours: 14,
    peer: { product: "n8n", count: 17 },
  },
];

/** Its line in docs/design.md. */
export function lineOf({ name, from, until, ours, peer: { product, count, remark } }: JobRow): string {
  const peer = `${product}: ${count}${remark === undefined ? "" : `, ${remark}`}`;
  return `| ${name} | ${from} | ${until} | ${ours} | ${peer} |`;
}
