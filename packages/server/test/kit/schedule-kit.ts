import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { createLog } from "../../src/base/process/log.ts";
import { ScheduleDriver } from "../../src/engine/schedule-driver.ts";
import { createScheduleService } from "../../src/services/engine-services.ts";
import type { TestApp } from "./app.ts";
import { setTestTime } from "./database.ts";

/** Months ahead of any time to which a test moves the clock. */
export const farAway = "2090-01-31T08:00:00.000Z";

/** A team with a workflow `nightly` that schedules may trigger, and the paths of its schedules. */
export async function scheduleTeam(app: TestApp, workflow: Partial<WorkflowInput> = {}) {
  const team = await app.make.team();
  const base = `/api/v2/team/${team.name}`;
  const document = { name: "nightly", tasks: [], triggers: { schedule: { enabled: true } }, ...workflow };
  const saved = await app.as().post(`${base}/workflow`, document);
  if (saved.status !== 200) throw new Error(`the workflow was answered ${saved.status}: ${saved.text}`);
  const path = `${base}/schedule`;
  return {
    ...team,
    base,
    path,
    workflowId: saved.body.id as string,
    /** Makes a schedule as the administrator. */
    async schedule(body: Record<string, unknown> = {}) {
      const answer = await app.as().post(path, { ...everyHour, ...body });
      if (answer.status !== 200) throw new Error(`the schedule was answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    read: async (id: string) => (await app.as().get(`${path}/${id}`)).body,
    /** The outcomes of its scheduled times, oldest first. */
    firings: async (id: string) => (await app.as().get(`${path}/${id}/firings?limit=1000`)).body.content.reverse(),
    /** Saves the workflow again. */
    apply: async (change: Partial<WorkflowInput>) => app.as().put(`${base}/workflow`, { ...document, ...change }),
    runs: async () => (await app.as().get(`${base}/workflowrun/query?limit=1000`)).body.content,
  };
}

export const everyHour = { workflowRef: "nightly", cronSchedule: "0 * * * *", timezone: "UTC" };

/** The engine's side of schedules: sets the database's clock to each moment, and lets the engine check its schedules. */
export function scheduleEngine(app: TestApp) {
  const log = createLog("silent");
  const driver = new ScheduleDriver({ sql: app.sql, context: app.context, bus: app.bus, log });
  const service = createScheduleService(driver, app.bus, log);
  const clock = (text: string) => setTestTime(app.sql, Date.parse(text) - Date.now());
  const at = async (text: string) => {
    await clock(text);
    await service.tick();
  };
  return { driver, service, clock, at };
}

/** The times of firings, without milliseconds. */
export function timesOf(firings: { scheduledDate: string }[]): string[] {
  return firings.map(({ scheduledDate }) => scheduledDate.replace(".000Z", "Z"));
}

/** Their outcomes, and the number of times that each stands for. */
export function outcomesOf(firings: { outcome: string; count: number }[]): [string, number][] {
  return firings.map(({ outcome, count }) => [outcome, count]);
}
