import type { TestApp, TestClient } from "../app.ts";

/** A request of the API: method, path and body; of the administrator, unless it names another client. */
export type RaceRequest = readonly [method: string, path: string, body?: unknown, by?: TestClient];

/** A team with one of everything that a request can delete, made over the API. Each member is made when it is first asked for. */
export class RaceWorld {
  readonly app: TestApp;
  readonly team: string;
  readonly name: string;
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(app: TestApp, { id, name }: { id: string; name: string }) {
    this.app = app;
    this.team = `/api/v2/team/${id}`;
    this.name = name;
  }

  /** Sends a request that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  async must(...[method, path, body, by = this.app.as()]: RaceRequest): Promise<any> {
    const answer = await by.send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /** The path of the workflow `flow`, which asks for an approval of nobody in particular. */
  workflow = () =>
    this.#once("workflow", async () => {
      await this.must("POST", `${this.team}/workflow`, flow());
      return `${this.team}/workflow/flow`;
    });

  /** The path of an open run of that workflow. */
  run = () =>
    this.#once("run", async () => {
      const { id } = await this.must("POST", `${await this.workflow()}/submit?start=true`, {});
      return `${this.team}/workflowrun/${id}`;
    });

  /** The path of a run of that workflow that has ended. */
  endedRun = () =>
    this.#once("endedRun", async () => {
      const path = await this.run();
      await this.must("DELETE", `${path}/cancel`);
      return path;
    });

  /** The id of the open action of that run. */
  action = () =>
    this.#once("action", async () => {
      await this.run();
      return (await this.must("GET", `${this.team}/action/query`)).content[0].id as string;
    });

  comment = () =>
    this.#once("comment", async () => {
      const path = await this.run();
      const { id } = await this.must("POST", `${path}/comment`, { text: "down" });
      return `${path}/comment/${id}`;
    });

  schedule = () =>
    this.#once("schedule", async () => {
      await this.workflow();
      return (await this.must("POST", `${this.team}/schedule`, hourly)).id as string;
    });

  subscription = (path = this.team) =>
    this.#once(`subscription of ${path}`, async () => {
      const { id } = await this.must("POST", `${path}/subscription`, subscription(`s-${this.name}`));
      return `${path}/subscription/${id}`;
    });

  view = () =>
    this.#once("view", async () => `${this.team}/workflowrun/view/${(await this.must("POST", `${this.team}/workflowrun/view`, view)).id}`);

  /** A task of the team that no workflow uses. */
  task = () =>
    this.#once("task", async () => {
      await this.must("POST", `${this.team}/task`, greet);
      return `${this.team}/task/greet`;
    });

  /** A member with a client that acts as them. */
  member = () =>
    this.#once("member", async () => {
      await this.#owner();
      const made = await this.app.make.member(this.team.split("/").at(-1)!, "owner");
      return { ...made, as: this.app.as(made.token) };
    });

  #owner = () => this.#once("owner", () => this.app.make.member(this.team.split("/").at(-1)!, "owner"));

  /** An administrator, who is in no team. */
  person = () =>
    this.#once("person", async () => {
      const made = await this.app.make.user({ type: "admin" });
      return { ...made, as: this.app.as(await this.app.make.userToken(made.id)) };
    });

  /** A user outside of the team. */
  user = () => this.#once("user", () => this.app.make.user());

  /** The approver group `leads` with that member. */
  group = () =>
    this.#once("group", async () => {
      const { id } = await this.member();
      await this.must("PATCH", this.team, { approverGroups: [{ name: "leads", approvers: [id] }] });
      return "leads";
    });

  secret = () =>
    this.#once("secret", async () => {
      await this.must("PATCH", this.team, { parameters: [password] });
      return `${this.team}/parameters/${password.name}`;
    });

  instanceSecret = () =>
    this.#once("instanceSecret", async () => {
      const name = `p-${this.name}`;
      await this.must("POST", "/api/v2/parameters", { ...password, name });
      return `/api/v2/parameters/${name}`;
    });

  invitation = () =>
    this.#once("invitation", async () => {
      const made = await this.must("POST", `${this.team}/invitation`, { email: `i-${this.name}@example.com`, role: "editor" });
      return { path: `${this.team}/invitation/${made.id}`, token: String(made.token ?? new URL(made.link ?? made.url).hash.slice(1)) };
    });

  test = () =>
    this.#once("test", async () => {
      const path = `${await this.workflow()}/test/greets`;
      await this.must("PUT", path, workflowTest);
      return path;
    });

  token = () => this.#once("token", async () => await this.must("POST", "/api/v2/token", token(this.name)));

  template = () =>
    this.#once("template", async () => {
      await this.must("POST", "/api/v2/workflowtemplate", { ...flow(), name: `t-${this.name}` });
      return `/api/v2/workflowtemplate/t-${this.name}`;
    });

  #once<T>(name: string, make: () => Promise<T>): Promise<T> {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as Promise<T>;
  }
}

const work = { name: "work", taskRef: "work" };
export const approval = { name: "ask", type: "approval", taskRef: "manual-approval" };
export const flow = (description = "") => ({
  name: "flow",
  description,
  tasks: [approval, work],
  triggers: { schedule: { enabled: true } },
});
export const hourly = { name: "hourly", workflowRef: "flow", type: "cron", cronSchedule: "0 * * * *", timezone: "UTC" };
export const view = { name: "Failed", scope: "team", filter: { statuses: ["failed"] } };
export const greet = { name: "greet", type: "template", spec: { script: "echo hello" } };
export const password = { name: "key", type: "password", value: "a-long-secret" };
export const workflowTest = { name: "greets", expect: { status: "succeeded" } };
export const token = (team: string) => ({ type: "team", name: "pipeline", principal: team, permissions: ["workflow/read"] });
export const subscription = (name: string) => ({
  name,
  channel: "webhook",
  filters: [{ exact: { type: "dev.millrace.workflowrun.failed" } }],
  target: { url: "https://example.com/hooks/millrace" },
});
