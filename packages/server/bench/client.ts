import { Agent, request } from "node:http";

/** A plain keep-alive client: on two cores the load generator must cost as little as it can. */
export class BenchClient {
  readonly team: string;
  readonly #callers: { token: string; agent: Agent }[];
  readonly #url: URL;
  #sent = 0;

  /**
   * @param tokens one caller for each, used in turn; on Linux each has its own local address
   * @param team whose workflows are created and submitted
   */
  constructor(url: string, tokens: readonly string[], team = "bench") {
    this.team = team;
    this.#url = new URL(url);
    this.#callers = tokens.map((token, index) => {
      const address = process.platform === "linux" ? { localAddress: `127.0.0.${index + 1}` } : {};
      return { token, agent: new Agent({ keepAlive: true, maxSockets: 256, ...address }) };
    });
  }

  send<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { token, agent } = this.#callers[this.#sent++ % this.#callers.length]!;
    const headers: Record<string, string | number> = { authorization: `Bearer ${token}` };
    if (text !== undefined) Object.assign(headers, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    return new Promise((resolve, reject) => {
      const call = request({ host: this.#url.hostname, port: this.#url.port, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const answer = Buffer.concat(chunks).toString();
          if (Math.floor((response.statusCode ?? 0) / 100) !== 2)
            reject(new Error(`${method} ${path}: ${response.statusCode} ${answer.slice(0, 500)}`));
          else resolve((answer === "" ? undefined : JSON.parse(answer)) as T);
        });
      });
      call.on("error", reject);
      call.end(text);
    });
  }

  /** Creates the team, with quotas that never apply. */
  async prepareTeam(): Promise<void> {
    await this.send("POST", "/api/v2/team", { name: this.team, displayName: this.team });
    const quotas = {
      maxWorkflowCount: 1_000,
      maxWorkflowRunMonthly: 1_000_000_000,
      maxConcurrentRuns: 1_000_000,
      maxWorkflowRunDuration: 600,
    };
    await this.send("PATCH", `/api/v2/team/${this.team}`, { quotas });
  }

  async createWorkflow(workflow: { name: string }): Promise<void> {
    await this.send("POST", `/api/v2/team/${this.team}/workflow`, workflow);
  }

  async createTask(task: { name: string }): Promise<void> {
    await this.send("POST", `/api/v2/team/${this.team}/task`, task);
  }

  submit(workflow: string, options: { start: boolean; params?: { name: string; value: unknown }[] }): Promise<Run> {
    const path = `/api/v2/team/${this.team}/workflow/${workflow}/submit?start=${options.start}`;
    return this.send<Run>("POST", path, { params: options.params ?? [] });
  }

  /** Resolves once the run has ended. */
  submitAndWait(workflow: string, { start }: { start: boolean }): Promise<Run> {
    return this.send<Run>("POST", `/api/v2/team/${this.team}/workflow/${workflow}/submit?start=${start}&wait=30s`, { params: [] });
  }

  getRun(id: string): Promise<Run> {
    return this.send<Run>("GET", `/api/v2/team/${this.team}/workflowrun/${id}?withTasks=false`);
  }

  /** Polls until the run has ended; the pauses grow a little, so that polling does not use up the cores. */
  async waitForEnd(run: Run): Promise<Run> {
    let seen = run;
    for (let pauseMs = 0; !isOver(seen); pauseMs = Math.min(pauseMs + 1, 10)) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      seen = await this.getRun(run.id);
    }
    if (seen.status !== "succeeded") throw new Error(`run ${seen.id} ended as ${seen.status}: ${seen.statusMessage ?? ""}`);
    return seen;
  }
}

export interface Run {
  id: string;
  status: string;
  phase: string;
  statusMessage?: string;
}

function isOver(run: Run): boolean {
  return run.phase === "completed" || run.phase === "finalized";
}
