import fc, { type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { everyEndpoint } from "../../../src/http/answer/every-endpoint.ts";
import { makeApiDocument } from "../../../src/http/document/openapi.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { seedCatalog } from "../../../src/services/seed-catalog.ts";
import { type TestAnswer, testApp } from "../../kit/app.ts";
import { fromSchema } from "../../kit/data/arbitrary-from-schema.ts";
import { learn, mark, newPlayer, type Player, pathFor } from "../../kit/data/fuzz-world.ts";
import { documentSchemas } from "../../kit/documents/document-schemas.ts";

/**
 * Two owners of two teams create, change, run and delete whatever the API document allows, in any order, with names from earlier responses,
 * and occasionally with names from the other owner's responses. Throughout: no 5xx, every response fits the schema that the document gives
 * for its status, no secret is returned, and neither team ever sees anything of the other. MILLRACE_FUZZ_SEED repeats a run,
 * MILLRACE_FUZZ_RUNS sets the number of sequences, MILLRACE_FUZZ_SECONDS limits the time (default: 60).
 */
const runs = Number(process.env["MILLRACE_FUZZ_RUNS"] ?? 40);
const seed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_120);
const limitMs = Number(process.env["MILLRACE_FUZZ_SECONDS"] ?? 60) * 1000;

const app = await testApp();
await seedCatalog(app.sql);
const document = makeApiDocument(everyEndpoint(endpoints));
const { schemas, faultsAt } = documentSchemas(document);

/** Without what describes the process, and without what belongs to the instance as a whole. */
const played = endpoints.filter(({ path }) => path.startsWith("/api/") && !path.endsWith("/activate"));

const byName = new Map(played.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

interface Step {
  /** Method and path, to print a sequence that failed. */
  name: string;
  player: 0 | 1;
  /** Occasionally a player uses the other player's team or things. */
  isForeign: boolean;
  query: string;
  body: unknown;
  dice: number[];
}

function stepOf(endpoint: Endpoint): Arbitrary<Step> {
  return fc.record({
    name: fc.constant(`${endpoint.method} ${endpoint.path}`),
    player: fc.constantFrom(0 as const, 1 as const),
    isForeign: fc.nat(9).map((die) => die === 0),
    query: queryOf(endpoint),
    body: bodyOf(endpoint),
    dice: fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }),
  });
}

function queryOf({ query, path }: Endpoint): Arbitrary<string> {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, object> };
  const values = Object.entries(properties).map(([name, schema]) =>
    fc.tuple(fc.nat(2), fromSchema(schema, false)).map(([die, value]) => {
      if (name === "limit" || name === "page") return `${name}=${name === "limit" ? 20 : 0}`;
      // A followed log ends with its task.
      if (path.endsWith("/log")) return name === "follow" ? "follow=false" : "";
      const text = [value].flat().map((one) => encodeURIComponent(String(one).replace(/\p{Surrogate}/gu, "?")).slice(0, 200));
      return die === 0 ? `${name}=${text.join(",")}` : "";
    }),
  );
  return values.length === 0 ? fc.constant("") : fc.tuple(...values).map((pairs) => `?${pairs.filter(Boolean).join("&")}`);
}

/** Mostly valid input: an example of the document, or a value that its schema accepts; sometimes with one invalid place. */
function bodyOf({ body }: Endpoint): Arbitrary<unknown> {
  if (body === undefined) return fc.constant(undefined);
  const name = (body as { $ref?: string; $id?: string }).$ref ?? (body as { $id?: string }).$id ?? "";
  const examples = [...(schemas[name]?.examples ?? []), ...useful(name)];
  const fitting = { weight: 4, arbitrary: fromSchema(body, false) };
  const nearly = { weight: 1, arbitrary: fromSchema(body, true) };
  return examples.length === 0
    ? fc.oneof(fitting, nearly)
    : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...examples) }, fitting, nearly);
}

/** Workflows that end in every possible way at once, or wait, so that there are runs, task runs and actions. */
function useful(name: string): object[] {
  const set = {
    name: "set",
    taskRef: "set-result-parameter",
    params: [
      { name: "output", value: "out" },
      { name: "value", value: "$(params.word)" },
    ],
  };
  const approve = { name: "approve", taskRef: "manual-approval" };
  const secret = { name: "word", type: "password", default: "replaced by the secret" };
  const triggers = { schedule: { enabled: true } };
  const workflow = (tasks: object[], params: object[] = []) => ({ name: "alpha", displayName: "A", tasks, params, triggers });
  if (name === "Workflow")
    return [
      workflow([set], [secret]),
      workflow([set, { ...approve, dependencies: [{ taskRef: "set" }] }], [{ name: "word" }]),
      workflow([approve]),
    ];
  const script = { script: "echo $(params.word)", params: [secret] };
  if (name === "Task") return [{ name: "alpha", spec: script }];
  if (name === "TaskTryRequest")
    return [{ params: [] }, { draft: { spec: script } }, { draftDocument, params: [{ name: "word", value: "given" }] }];
  if (name === "WorkflowSchedule")
    return [
      { ...daily, workflowRef: "w0" },
      { ...daily, workflowRef: "w1", status: "inactive" },
    ];
  if (name === "ScheduleBackfillRequest") return [{ ...someDays }, { ...someDays, preview: true }];
  if (name === "TeamRequest") return [{ name: "alpha" }, { parameters: [secret] }, { labels: { stage: "x" }, description: "x" }];
  return name === "WorkflowSubmitRequest" ? [{ params: [] }, { params: [{ name: "word", value: "given" }] }] : [];
}

const daily = { cronSchedule: "0 6 * * *", timezone: "UTC" };
const someDays = { from: "2026-05-01T00:00:00Z", to: "2026-05-03T23:59:59Z" };
const draftDocument = `apiVersion: tekton.dev/v1
kind: Task
metadata: { name: alpha }
spec: { params: [{ name: word }], steps: [{ name: one, image: "alpine:3.20", script: "echo $(params.word)" }] }
`;

const weights = (endpoint: Endpoint) =>
  /submit$|try$|backfill$|\/workflow$|\/action$/.test(endpoint.path) ? 4 : endpoint.method === "DELETE" ? 1 : 2;
const steps = fc.array(fc.oneof(...played.map((endpoint) => ({ weight: weights(endpoint), arbitrary: stepOf(endpoint) }))), {
  minLength: 40,
  maxLength: 80,
  size: "max",
});

async function newGame(): Promise<[Player, Player]> {
  const player = async (name: string) => {
    const team = await app.make.team();
    const member = await app.make.member(team.id, "owner");
    return newPlayer(member, team.id, name);
  };
  return [await player("ONE"), await player("TWO")];
}

async function play(players: [Player, Player], step: Step, journal: string[], statuses: Map<number, number>): Promise<void> {
  const { isForeign, query, dice } = step;
  const endpoint = byName.get(step.name)!;
  const me = players[step.player];
  const other = players[1 - step.player]!;
  const path = pathFor(endpoint, isForeign ? other : me, isForeign && dice[2]! % 2 === 0 ? other.teamId : me.teamId, dice) + query;
  const marked = mark(step.body, endpoint, me, dice[0]!);
  const type = endpoint.consumes?.includes("application/json") === false ? endpoint.consumes[0]! : "application/json";
  // JSON is YAML, too.
  const sent = marked === undefined ? undefined : JSON.stringify(marked);
  const answer = await app.as(me.token).send(endpoint.method, path, sent, { "content-type": type });
  journal.push(`${step.player} ${endpoint.method} ${path} ${JSON.stringify(marked)?.slice(0, 300) ?? ""} -> ${answer.status}`);
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  // The player has deleted the token that was in use.
  if (answer.status === 401) me.token = await app.make.userToken(me.userId);
  if (answer.text.includes(me.marker)) statuses.set(0, (statuses.get(0) ?? 0) + 1);
  checkAnswer(endpoint, answer);
  checkSecrets(answer, me, other, path + JSON.stringify(marked));
  learn(me, endpoint, answer);
}

/** Gives each player something to find from the start: workflows that end and that wait, runs of them, and a query of what they created. */
async function open(players: [Player, Player], journal: string[], statuses: Map<number, number>): Promise<void> {
  const step = { isForeign: false, query: "", body: undefined as unknown, dice: [0, 1, 2] };
  const at = "/api/v2/team/:team";
  for (const player of [0, 1] as const) {
    const first = async (name: string, more: Partial<Step>) => {
      await play(players, { ...step, player, name, ...more }, journal, statuses);
      if (/-> [45]/.test(journal.at(-1) ?? "")) throw new Error("what the game begins with is refused");
    };
    for (const [index, body] of useful("Workflow").entries()) await first(`POST ${at}/workflow`, { body: { ...body, name: `w${index}` } });
    const submit = { query: "?start=true", body: {} };
    for (const die of [0, 2, 4]) await first(`POST ${at}/workflow/:workflow/submit`, { ...submit, dice: [die, 0, 0] });
    await first(`POST ${at}/task`, { body: useful("Task")[0] });
    for (const body of useful("TaskTryRequest")) await first(`POST ${at}/task/:name/try`, { body });
    await first(`POST ${at}/schedule`, { body: useful("WorkflowSchedule")[0] });
    for (const body of useful("ScheduleBackfillRequest")) await first(`POST ${at}/schedule/:scheduleId/backfill`, { body });
    await first(`POST ${at}/schedule/:scheduleId/submit`, {});
    for (const kind of ["workflowrun", "taskrun", "action"]) await first(`GET ${at}/${kind}/query`, {});
  }
}

function checkAnswer(endpoint: Endpoint, answer: TestAnswer): void {
  if (answer.status >= 500) throw new Error(`a ${answer.status}: ${answer.text.slice(0, 500)}`);
  const template = endpoint.path.replace(/:(\w+)/g, "{$1}");
  const { responses } = document.paths[template]![endpoint.method.toLowerCase()]!;
  const isListed = responses[answer.status] !== undefined;
  if (!isListed && answer.status < 400) throw new Error(`${answer.status} is not in the document`);
  if (answer.status >= 400) return expectFit("/components/schemas/ErrorBody", answer);
  const type = String(answer.headers["content-type"] ?? "").split(";")[0]!;
  const { content } = responses[answer.status] as { content?: Record<string, object> };
  if (content === undefined) expect(answer.text).toBe("");
  else if (type.endsWith("json"))
    expectFit(
      `/paths/${pointerPart(template)}/${endpoint.method.toLowerCase()}/responses/${answer.status}/content/${pointerPart(type)}/schema`,
      answer,
    );
  else expect(Object.keys(content)).toContain(type);
}

const pointerPart = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1");

function expectFit(pointer: string, { body, text }: TestAnswer): void {
  const faults = faultsAt(pointer, body);
  if (faults.length > 0) throw new Error(`the answer does not fit its schema: ${faults.join("; ")}: ${text.slice(0, 500)}`);
}

/** The response may repeat what the request itself names, but nothing else of the other player. */
function checkSecrets(answer: TestAnswer, me: Player, other: Player, sent: string): void {
  const text = `${answer.text} ${JSON.stringify(answer.headers)}`;
  for (const hidden of [me.secret, other.secret, other.marker])
    if (text.includes(hidden)) throw new Error(`shows ${hidden}: ${text.slice(0, 500)}`);
  for (const [kind, ids] of other.known) {
    // Users don't belong to a team: both players may have the same one.
    if (kind === "user") continue;
    for (const id of ids) {
      const isOwnId = /^[0-9a-f-]{36}$/.test(id) && !isShared(id, me);
      if (isOwnId && text.includes(id) && !sent.includes(id)) throw new Error(`shows ${id} of the other: ${text.slice(0, 500)}`);
    }
  }
}

/** Everyone may see global tasks and similar. */
function isShared(id: string, me: Player): boolean {
  return globalIds.has(id) || [...me.known.values()].some((ids) => ids.has(id));
}

const globalIds = new Set((await app.sql<{ id: string }[]>`select id from task where team_id is null`).map(({ id }) => id));

test(`whatever two teams do, seed ${seed}`, { timeout: limitMs + 120_000 }, async () => {
  const statuses = new Map<number, number>();
  process.stdout.write(`stateful fuzz: MILLRACE_FUZZ_SEED=${seed}\n`);
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const players = await newGame();
      const journal: string[] = [];
      try {
        await open(players, journal, statuses);
        for (const step of sequence) await play(players, step, journal, statuses);
      } catch (error) {
        throw new Error(`${(error as Error).message}\nafter\n${journal.slice(-15).join("\n")}`, { cause: error });
      }
    }),
    { numRuns: runs, seed, endOnFailure: true, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: false },
  );
  // If the markers never appeared at all, the checks above would prove nothing.
  expect(statuses.get(0) ?? 0).toBeGreaterThan(10);
  statuses.delete(0);
  const share = (from: number, to: number) =>
    [...statuses].reduce((sum, [status, count]) => sum + (status >= from && status < to ? count : 0), 0);
  process.stdout.write(`stateful fuzz: ${share(0, 600)} requests, by status ${JSON.stringify(Object.fromEntries([...statuses].sort()))}\n`);
  expect(share(200, 300) / share(0, 600)).toBeGreaterThan(0.35);
});
