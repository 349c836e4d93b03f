import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { testApp } from "../../kit/app.ts";
import { growth, readSeries } from "../../kit/metric-reader.ts";
import { runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { scheduleEngine, scheduleTeam } from "../../kit/schedule-kit.ts";

/** What the metrics and the log report about runs: each event once, after its commit. */
const lines: Record<string, unknown>[] = [];
const { app, kit, team } = await runKit();
Object.assign(app.context, { log: createLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) }) });
beforeEach(() => {
  lines.length = 0;
});

const works = workflow(node("work", "script", ["start"]));
/** How a submission without a trigger is counted. */
const startedBySubmit = 'millrace_runs_started_total{trigger="engine"}';
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test("a run is counted when it begins and when it ends, with its tasks and attempts, and is two lines in the log", async () => {
  const made = await team();
  await made.workflow("works", works);
  const worker = await kit.worker();
  const before = await readSeries(app);
  const { id } = await made.submit("works");
  const started = await readSeries(app);
  expect(growth(before, started, startedBySubmit)).toBe(1);
  expect(growth(before, started, 'millrace_run_duration_seconds_count{status="succeeded"}')).toBe(0);
  expect(growth(before, started, 'millrace_task_run_duration_seconds_count{type="start",status="succeeded"}')).toBe(1);
  const claim = await made.claim(worker);
  await kit.end(claim, { executor: "process" });
  await kit.settle();
  const ended = await readSeries(app);
  expect(growth(started, ended, startedBySubmit)).toBe(0);
  expect(growth(started, ended, 'millrace_run_duration_seconds_count{status="succeeded"}')).toBe(1);
  expect(growth(started, ended, 'millrace_task_run_duration_seconds_count{type="script",status="succeeded"}')).toBe(1);
  expect(growth(started, ended, 'millrace_attempts_total{executor="process",status="succeeded"}')).toBe(1);
  expect(growth(started, ended, 'millrace_task_run_queue_seconds_count{executor="process"}')).toBe(1);
  const ids = { runId: id, teamId: made.id, workflowId: expect.any(String), level: "info" };
  expect(lines).toEqual([
    expect.objectContaining({ ...ids, msg: "run started", trigger: "engine" }),
    expect.objectContaining({ ...ids, msg: "run ended", status: "succeeded", ms: expect.any(Number) }),
  ]);
});

test("a run that is over when it is submitted is counted whole, and one that is cancelled in the queue never began", async () => {
  const made = await team();
  await made.workflow("pure", workflow(node("choose", "setwfproperty", ["start"])));
  const before = await readSeries(app);
  await made.submit("pure");
  const after = await readSeries(app);
  expect(growth(before, after, startedBySubmit)).toBe(1);
  const ended = [...after.keys()].filter((key) => key.startsWith("millrace_run_duration_seconds_count"));
  expect(ended.reduce((sum, key) => sum + growth(before, after, key), 0)).toBe(1);
  const full = await team({ maxConcurrentRuns: 0 });
  await full.workflow("works", works);
  const { id } = await full.submit("works", {}, "");
  expect((await app.as().delete(`${full.path}/workflowrun/${id}/cancel`)).status).toBe(200);
  await kit.settle();
  const cancelled = await readSeries(app);
  expect(growth(after, cancelled, 'millrace_runs_not_started_total{status="cancelled"}')).toBe(1);
});

test("an attempt that is lost is counted and warned of, with the ids to look for", async () => {
  const made = await team();
  await made.workflow("works", works);
  const worker = await kit.worker();
  const { id } = await made.submit("works");
  const claim = await made.claim(worker);
  const before = await readSeries(app);
  await kit.driver.advance([{ teamId: made.id, id, events: [{ kind: "lost", taskRunId: claim.id, attempt: claim.attempt }] }]);
  const after = await readSeries(app);
  expect(growth(before, after, 'millrace_attempts_total{executor="process",status="lost"}')).toBe(1);
  expect(lines).toContainEqual(expect.objectContaining({ level: "warn", msg: "attempt lost", runId: id, taskRunId: claim.id, attempt: 1 }));
});

test("queued runs, unclaimed task runs, workers and late schedules are counted for the instance", async () => {
  const made = await team({ maxConcurrentRuns: 1 });
  await made.workflow("works", works);
  await made.submit("works");
  const before = await readSeries(app);
  await made.submit("works", {}, "");
  const after = await readSeries(app);
  expect(growth(before, after, "millrace_queued_runs")).toBe(1);
  expect(after.get('millrace_ready_task_runs{executor="process"}')).toBeGreaterThan(0);
  expect(after.get('millrace_ready_task_runs_oldest_seconds{executor="process"}')).toBeGreaterThanOrEqual(0);
  expect(after.get("millrace_workers")).toBeGreaterThan(0);
  expect(after.get("millrace_schedule_late_seconds")).toBe(0);
  expect(after.get("millrace_schema_version")).toBeGreaterThan(1);
});

test("a firing is counted by its outcome, with how late it was; one that should have fired shows as late", async () => {
  const { at, clock } = scheduleEngine(app);
  const { schedule } = await scheduleTeam(app);
  await clock("2030-01-01T00:59:50Z");
  await schedule();
  const before = await readSeries(app);
  await clock("2030-01-01T01:00:30Z");
  expect((await readSeries(app)).get("millrace_schedule_late_seconds")).toBeGreaterThanOrEqual(30);
  await at("2030-01-01T01:00:30Z");
  const after = await readSeries(app);
  expect(growth(before, after, 'millrace_schedules_fired_total{outcome="submitted"}')).toBe(1);
  expect(growth(before, after, "millrace_schedule_delay_seconds_sum")).toBeGreaterThanOrEqual(30);
  expect(after.get("millrace_schedule_late_seconds")).toBe(0);
});

test("a hanging database is reported as down before Prometheus times out", async () => {
  const own = await testApp();
  await own.sql.begin(async (tx) => {
    await tx`lock table delivery in access exclusive mode`;
    expect((await readSeries(own)).get("millrace_database_up")).toBe(0);
  });
  expect((await readSeries(own)).get("millrace_database_up")).toBe(1);
});

test("while the database is away, a process still answers its own metrics, and says so", async () => {
  const own = await testApp();
  expect((await readSeries(own)).get("millrace_database_up")).toBe(1);
  await own.sql.end({ timeout: 1 });
  const away = await readSeries(own);
  expect(away.get("millrace_database_up")).toBe(0);
  expect(away.get("process_resident_memory_bytes")).toBeGreaterThan(0);
  expect(away.has("millrace_workers")).toBe(false);
});

test.skipIf(!hasPromtool)("Prometheus' own tool finds nothing wrong with the metrics, the alert rules and their tests", async () => {
  const { text } = await app.as().get("/metrics");
  expect(spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  const folder = join(repositoryRoot, "deploy/prometheus");
  expect(execFileSync("promtool", ["check", "rules", join(folder, "alerts.yaml")], { encoding: "utf8" })).toContain("SUCCESS");
  expect(execFileSync("promtool", ["test", "rules", join(folder, "alerts-test.yaml")], { encoding: "utf8" })).toContain("SUCCESS");
});

test("alert rules and the dashboard use no metric that does not exist", async () => {
  const { text } = await app.as().get("/metrics");
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) => (type === "histogram" ? ends(name) : [name])),
  );
  for (const file of ["deploy/prometheus/alerts.yaml", "deploy/grafana/millrace.json"]) {
    const used = readFileSync(join(repositoryRoot, file), "utf8").match(/\bmillrace_[a-z_]+\b/g) ?? [];
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  }
});

function ends(name: string | undefined): string[] {
  return ["_bucket", "_sum", "_count"].map((end) => `${name}${end}`);
}
