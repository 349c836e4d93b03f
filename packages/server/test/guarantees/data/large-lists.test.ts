import { beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { testApp } from "../../kit/app.ts";
import { fillDatabase } from "../../kit/data/fill-database.ts";
import { fillDeliveries } from "../../kit/data/fill-deliveries.ts";

/**
 * Lists stay fast as rows grow: with many runs, actions, tokens, users and audit records and a tenth as many workflows and tasks, each
 * statement that a query endpoint sends finds its rows by an index, whatever the filter. The statements are those that were really sent,
 * with their parameters; the plans are the database's. A tenth of the rows belongs to the team of the request. The long tests create
 * 100,000 rows, which takes a minute of processor time; plans are the same from some thousand rows on.
 */
const rows = Number(process.env["MILLRACE_TEST_ROWS"] ?? 20_000);
const rowsOfTeam = rows / 10;
let seen: Statement[] = [];
const app = await testApp({ database: { onStatement: (text, parameters) => void seen.push({ text, parameters }) } });
const sql = app.sql;
const large = await app.make.team({ name: "large" });
const others = await Promise.all(
  ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].map((name) => app.make.team({ name })),
);
const owner = await app.make.member(large.id, "owner");
/** A table with at least this many rows must not be read completely. */
const largeTable = rows / 20;

beforeAll(async () => {
  const teams = [large, ...others].map(({ id }) => id);
  await fillDatabase(sql, teams, { workflows: rows / 10, runs: rows, tasks: rows / 10, actions: rows, others: rows });
  await fillDeliveries(sql, [null, ...teams], rows * 1.1);
}, 300_000);

interface Property {
  type?: string;
  enum?: string[];
  items?: { enum?: string[] };
  default?: unknown;
}

const lists = endpoints.filter(({ method, path }) => method === "GET" && /\/(?:query|summary|count)$/.test(path));

/** Something that exists, for each parameter that takes a name or an ID. */
const known: Record<string, string> = {
  labels: "stage%3Ds1",
  workflows: "workflow-7,workflow-4711",
  names: "task-7",
  teams: "team-7",
  principals: "large",
  ids: "00000000-0000-7000-8000-000000000000",
  workflowruns: "00000000-0000-7000-8000-000000000000",
  fromDate: String(Date.now() - 3_600_000),
  toDate: String(Date.now() - 3_600_000),
  withRuns: "20",
};

/** Fields that a list can be sorted by while it is read from an index; for other fields the rows found are sorted. */
const sorts = ["creationDate", "name"];

/** Queries about the task runs of given runs, which are refused without these parameters. */
const ofRuns = ["sort=task", "itemsOf=deploy", "search=deploy"].map((one) => `${one}&workflowruns=${known["workflowruns"]}`);

/** No filter, then each filter alone, with each of its known values, then the end of the list. */
function questions({ path, query }: Endpoint): string[] {
  const isOfTaskRuns = path.endsWith("/taskrun/query");
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, Property> };
  const page = "limit" in properties ? "limit=20&page=0" : "";
  const words = (name: string, { enum: values, items }: Property) => values ?? items?.enum ?? (name in known ? [known[name]!] : []);
  const single = Object.entries(properties).flatMap(([name, property]) => {
    if (name === "limit" || name === "page" || (isOfTaskRuns && name === "sort")) return [];
    if (name === "sort" && property.enum === undefined)
      return sorts.filter((field) => field === property.default).map((field) => `sort=${field}`);
    return words(name, property).map((word) => `${name}=${word}`);
  });
  if (isOfTaskRuns) single.push(...ofRuns);
  return [page, ...single.map((one) => [page, one].filter(Boolean).join("&")), ...(page === "" ? [] : ["limit=20&page=400"])];
}

interface Statement {
  text: string;
  parameters: readonly unknown[];
}

/** The statements that are sent to the database meanwhile, without begin and commit. */
async function capture(work: () => Promise<unknown>): Promise<Statement[]> {
  seen = [];
  await work();
  return seen.filter(({ text }) => /^\s*(?:select|with)\b/i.test(text));
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

/** Tables that the plan reads from one end to the other. */
function scanned(node: PlanNode): string[] {
  const own = node["Node Type"] === "Seq Scan" ? [node["Relation Name"] ?? ""] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scanned)];
}

async function largeTables(): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`select relname as name from pg_class where relkind = 'r' and reltuples >= ${largeTable}`;
  return new Set(rows.map(({ name }) => name));
}

describe("finds its rows by an index", () => {
  test.each(lists.map((endpoint) => [endpoint.path, endpoint]))("%s", { timeout: 60_000 }, async (path, endpoint) => {
    const tables = await largeTables();
    // Administrators query everything on the instance: the total needs a count of all rows.
    const isOfInstance = !path.includes("/:team") && endpoint.permission.includes("/");
    const client = app.as(isOfInstance ? undefined : owner.token);
    expect(tables.size).toBeGreaterThan(9);
    const found: string[] = [];
    for (const question of questions(endpoint)) {
      const statements = await capture(async () => {
        const answer = await client.get(`${path.replace(":team", "large").replace(":subscription", "all")}?${question}`);
        expect({ question, status: answer.status, text: answer.text.slice(0, 200) }).toMatchObject({ status: 200 });
      });
      expect(statements.length).toBeGreaterThan(0);
      for (const { text, parameters } of statements.filter(({ text }) => !isOfInstance || !/^\s*select count\(/.test(text))) {
        const [row] = await sql.unsafe(`explain (format json) ${text}`, parameters as never[]);
        const [{ Plan }] = row!["QUERY PLAN"] as [{ Plan: PlanNode }];
        const names = scanned(Plan).filter((name) => tables.has(name));
        if (names.length > 0) found.push(`${question}: reads all of ${names.join(", ")}: ${text.replace(/\s+/g, " ").trim()}`);
      }
    }
    expect(found).toEqual([]);
  });
});

describe("the total of a long list", () => {
  const at = "/api/v2/team/large/workflowrun/query?limit=1&page=0";
  const total = async (query = "") => (await app.as().get(at + query)).body.totalElements as number;

  test("is exact while runs are added and workflows deleted", async () => {
    const before = await total();
    expect(before).toBe(rowsOfTeam);
    expect(await total()).toBe(before);
    const [workflow] = await sql<{ id: string }[]>`select id from workflow where team_id = ${large.id} and name = 'workflow-3'`;
    await sql`
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count)
      select ${large.id}, ${workflow!.id}, new_id(), 1, '{}', 'ready', 'pending', 'manual', '{}', 1 from generate_series(1, 7)`;
    expect(await total()).toBe(before + 7);
    await sql`update workflow set deleted_at = db_now() where team_id = ${large.id} and id = ${workflow!.id}`;
    expect(await total()).toBe(before - 10);
    expect(await total("&workflows=workflow-4")).toBe(10);
    await sql`update workflow set deleted_at = null where team_id = ${large.id} and id = ${workflow!.id}`;
    expect(await total()).toBe(before + 7);
  });

  test("is right for each phase", async () => {
    const of = (phases: string) => total(`&phase=${phases}`);
    const [running, failed] = [rowsOfTeam / 1_000, rowsOfTeam / 20];
    expect(await of("running")).toBe(running);
    expect(await of("completed")).toBe(rowsOfTeam - running);
    expect(await of("completed,running")).toBe(rowsOfTeam);
    expect(await of("completed&statuses=failed")).toBe(failed);
    const [run] = await sql<
      { id: string }[]
    >`select id from run where team_id = ${large.id} and phase = 'completed' and status = 'failed' limit 1`;
    await sql`update run set phase = 'finalized' where team_id = ${large.id} and id = ${run!.id}`;
    expect([await of("finalized"), await of("completed"), await of("completed&statuses=failed")]).toEqual([
      1,
      rowsOfTeam - running - 1,
      failed - 1,
    ]);
  });

  test("counts its own filter and team only", async () => {
    expect(await total("&triggers=webhook")).toBe(Math.round(rowsOfTeam / 3));
    expect(await total("&labels=stage%3Ds1")).toBe(rowsOfTeam / 10);
    const elsewhere = await app.as().get("/api/v2/team/two/workflowrun/query?limit=1&page=0");
    expect(elsewhere.body.totalElements).toBe(rowsOfTeam);
  });
});
