import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { type TestAnswer, testApp } from "../../kit/app.ts";
import { makeRun, makeTask } from "../../kit/workflow-factories.ts";

/**
 * No team can reach what belongs to another: each endpoint that takes a name or an ID is called by the owner of one team with names and IDs
 * of another, below the caller's own team and by ID alone. Nothing of the other team may be returned or changed.
 */
const app = await testApp();
const marker = "MARK-OF-THE-FOREIGN-TEAM";
const own = await app.make.team();
const foreign = await app.make.team({ name: "foreign-team" });
const outsider = await app.make.member(own.id, "owner");
const references = await fillForeignTeam();

async function fillForeignTeam(): Promise<string[]> {
  const base = `/api/v2/team/${foreign.name}`;
  const group = { name: marker, approvers: [] };
  await app
    .as()
    .patch(base, { displayName: marker, labels: { marker }, parameters: [{ name: "theirs", value: marker }], approverGroups: [group] });
  const workflow = await app.as().post(`${base}/workflow`, { name: "theirs", displayName: marker, labels: { marker }, tasks: [] });
  expect(workflow.status).toBe(200);
  await makeTask(app.sql, { teamId: foreign.id, name: "theirs", script: marker });
  const run = await makeRun(app.sql, foreign.id, workflow.body.id, "running");
  const [taskRun] = await app.sql`
    insert into task_run (team_id, run_id, node, name, type, status, phase, status_message)
    values (${foreign.id}, ${run}, 0, ${marker}, 'manual', 'running', 'running', ${marker}) returning id`;
  const [action] = await app.sql`
    insert into action (team_id, workflow_id, run_id, task_run_id, type, instructions)
    values (${foreign.id}, ${workflow.body.id}, ${run}, ${taskRun!["id"]}, 'manual', ${marker}) returning id`;
  const [schedule] = await app.sql`
    insert into schedule (team_id, workflow_id, name, type, status, cron, timezone, overlap_policy, catch_up_policy, jitter_seconds)
    values (${foreign.id}, ${workflow.body.id}, ${marker}, 'cron', 'inactive', '0 0 * * *', 'UTC', 'queue', 'one', 0) returning id`;
  const subscription = await app.as().post(`${base}/subscription`, { name: marker, target: { url: `https://example.com/${marker}` } });
  expect(subscription.status).toBe(200);
  return [
    "theirs",
    workflow.body.id,
    subscription.body.id,
    schedule!["id"] as string,
    run,
    taskRun!["id"] as string,
    action!["id"] as string,
  ];
}

/** Everything that the other team has, letter by letter. */
async function foreignState(): Promise<unknown> {
  return app.sql`
    select (select json_agg(t) from team t where id = ${foreign.id}) as team,
      (select json_agg(w order by w.id) from workflow w where team_id = ${foreign.id}) as workflows,
      (select json_agg(s order by s.id) from schedule s where team_id = ${foreign.id}) as schedules,
      (select json_agg(s order by s.id) from subscription s where team_id = ${foreign.id}) as subscriptions,
      (select json_agg(d order by d.id) from delivery d where team_id = ${foreign.id}) as deliveries,
      (select json_agg(t order by t.id) from task t where team_id = ${foreign.id}) as tasks,
      (select json_agg(r order by r.id) from run r where team_id = ${foreign.id}) as runs,
      (select json_agg(r order by r.id) from task_run r where team_id = ${foreign.id}) as task_runs,
      (select json_agg(a order by a.id) from action a where team_id = ${foreign.id}) as actions,
      (select count(*)::int from action_vote where team_id = ${foreign.id}) as votes,
      (select json_agg(g order by g.id) from approver_group g where team_id = ${foreign.id}) as groups`;
}

const withReference = endpoints.filter(({ path, permission }) => permission !== "open" && /:(?!team\b)\w+/.test(path));

/** PUT by name creates something in the caller's own team; every other request finds nothing. */
function expectNothing(answer: TestAnswer, { method, path }: Endpoint): void {
  const what = `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 300)}`;
  const isDone = answer.status >= 200 && answer.status < 300 && answer.status !== 204;
  expect(isDone && method !== "PUT", what).toBe(false);
  expect(answer.status < 500, what).toBe(true);
  expect(answer.text.includes(marker) || answer.text.includes(foreign.id), what).toBe(false);
}

describe("by name or id", () => {
  test.each(withReference.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))("%s", async (_, endpoint) => {
    const before = await foreignState();
    const team = await app.make.team();
    const { token } = await app.make.member(team.id, "owner");
    for (const reference of references) {
      const path = endpoint.path.replace(":team", team.name).replace(/:\w+/g, reference);
      expectNothing(await app.as(token).send(endpoint.method, path, endpoint.body === undefined ? undefined : {}), endpoint);
    }
    expect(await foreignState()).toEqual(before);
  });
});

describe("by query", () => {
  // Endpoints below a thing of the team are called above.
  const queries = endpoints.filter(
    ({ path, method }) => method === "GET" && /\/(?:query|summary|count)$/.test(path) && !/:(?!team\b)\w+/.test(path),
  );

  test.each(queries.map((endpoint) => [endpoint.path, endpoint]))("%s", async (path, endpoint) => {
    const isOfInstance = !path.includes("/:team") && endpoint.permission.includes("/");
    const { properties = {} } = (endpoint.query ?? {}) as { properties?: Record<string, { type?: string; items?: { enum?: unknown } }> };
    const lists = Object.entries(properties).filter(([, { type, items }]) => type === "array" && items?.enum === undefined);
    for (const filter of [
      "",
      ...lists.map(
        ([name]) => `&${name}=${name === "labels" ? `marker%3D${marker}` : [foreign.name, foreign.id, ...references].join(",")}`,
      ),
    ]) {
      const answer = await app.as(outsider.token).get(`${path.replace(":team", own.name)}?limit=100&page=0${filter}`);
      expect({ filter, status: answer.status, isForeign: answer.text.includes(marker) || answer.text.includes(foreign.id) }).toEqual({
        filter,
        status: isOfInstance ? 403 : 200,
        isForeign: false,
      });
    }
  });
});
