import { type TestAnswer, type TestApp, testApp } from "../app.ts";
import { makeTriggered } from "../integration-kit.ts";

/** The real app, and CloudEvents to send to it. */
export const eventPath = "/api/v2/event";
export const structured = { "content-type": "application/cloudevents+json; charset=utf-8" };
/** A trigger that matches every event. */
export const onEvent = { event: { enabled: true } };

export interface TestEvent {
  id: string;
  [member: string]: unknown;
}

export interface EventKit {
  app: TestApp;
  /** A team with a workflow of that name, and a token that may send it events. */
  teamWith(name: string, more?: Record<string, unknown>, triggers?: Parameters<typeof makeTriggered>[3]): Promise<EventTeam>;
  /** A new event, different from all earlier ones. */
  newEvent(more?: Record<string, unknown>): TestEvent;
  /** Sends a structured event; as administrator without a token, without a credential for null. */
  send(event: unknown, query?: string, token?: string | null): Promise<TestAnswer>;
  runsOf(teamId: string): Promise<{ id: string; trigger: string }[]>;
}

export interface EventTeam {
  team: { id: string; name: string };
  /** Of the workflow. */
  id: string;
  token: string;
}

export async function eventKit(): Promise<EventKit> {
  const app = await testApp();
  let count = 0;
  return {
    app,
    async teamWith(name, more = {}, triggers = onEvent) {
      const team = await app.make.team();
      const id = await makeTriggered(app, team.id, name, triggers, more);
      return { team, id, token: await app.make.teamToken(team.id, ["webhook/action"]) };
    },
    newEvent: (more = {}) => ({ specversion: "1.0", id: `event-${count++}`, source: "/shop", type: "order.placed", ...more }),
    send: (event, query = "", token) => app.as(token).post(eventPath + query, event, structured),
    async runsOf(teamId) {
      const rows = await app.sql<{ id: string; trigger: string }[]>`select id, trigger from run where team_id = ${teamId} order by id`;
      return rows.map((row) => ({ ...row }));
    },
  };
}
