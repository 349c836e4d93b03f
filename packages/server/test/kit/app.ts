import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { afterAll, onTestFinished } from "vitest";
import type { Endpoint, Services } from "../../src/api/endpoint.ts";
import { BackgroundJobs } from "../../src/base/process/background-jobs.ts";
import { EventBus } from "../../src/base/process/event-bus.ts";
import { createLog, type Log } from "../../src/base/process/log.ts";
import { Keyring } from "../../src/base/secret/keyring.ts";
import { type ExternalParts, openExternalParts } from "../../src/domain/external/external-parts.ts";
import { createRunContext } from "../../src/domain/run/create-run-context.ts";
import type { RunContext } from "../../src/domain/run/run-context.ts";
import { RunDriver } from "../../src/engine/run-driver.ts";
import { buildApp, type HttpConfig } from "../../src/http/server.ts";
import { CodehostClients } from "../../src/integrations/codehost/codehost-client.ts";
import type { Database, PoolOptions } from "../../src/store/database/database.ts";
import type { DatabaseAddress } from "../../src/store/database/database-address.ts";
import { activateInstance } from "../../src/store/settings/instance.ts";
import { engineTaskTypes } from "../../src/tasks/registry.ts";
import { cheapPasswordCost } from "./cheap-password.ts";
import { testDatabase } from "./database.ts";
import { createFactories, type Factories } from "./factories.ts";
import { platformFetch } from "./platform-fetch.ts";

/** A response. `body` is the parsed JSON, or the text of any other type, or undefined without a body. */
export interface TestAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  body: any;
  text: string;
}

type Headers = Record<string, string>;
type Call = (path: string, headers?: Headers) => Promise<TestAnswer>;
type CallWithBody = (path: string, body?: unknown, headers?: Headers) => Promise<TestAnswer>;

/** The API as seen by one caller. A string body is sent unchanged; any other value as JSON. */
export interface TestClient {
  get: Call;
  post: CallWithBody;
  put: CallWithBody;
  patch: CallWithBody;
  delete: CallWithBody;
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<TestAnswer>;
}

export interface TestApp {
  sql: Database;
  /** For other processes that use the same database. */
  address: DatabaseAddress;
  keyring: Keyring;
  /** The encryption key of the keyring. */
  key: Buffer;
  /** What the app's endpoints use; `engineKit(app.sql, app)` drives the same runs. */
  context: RunContext;
  bus: EventBus;
  /** The state that requests of external workers share. */
  external: ExternalParts;
  /** Background work that requests have left. */
  backgroundJobs: BackgroundJobs;
  /** To call `listen`, or `inject` directly. */
  server: ReturnType<typeof buildApp>;
  /** The calls of `services.wake`, in order. */
  woken: { teamId: string }[];
  make: Factories;
  /** The API with that token; with the administrator's when none is given, with no credential for null. */
  as(token?: string | null): TestClient;
}

export const adminToken = "admin-token-of-the-tests";

export interface TestAppOptions {
  config?: HttpConfig;
  /** Replaces the real endpoints, to test the HTTP layer itself. */
  endpoints?: readonly Endpoint[];
  services?: Partial<Services>;
  /** The log; silent by default. */
  log?: Log;
  /** False: the instance waits for PUT /activate. */
  isActivated?: boolean;
  /** Creates a further process on the database of that app, for the duration of one test. */
  beside?: Pick<TestApp, "sql" | "address">;
  /** Size of the pool of its own database. */
  database?: PoolOptions;
  /** The encryption keys instead of a generated one, the sealing key first. */
  keys?: readonly Buffer[];
}

/** The real app on a database of this test file: `const app = await testApp();` at the top level of the file. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { sql, address } = options.beside ?? (await testDatabase(options.database));
  if (options.isActivated !== false) await activateInstance(sql);
  const woken: { teamId: string }[] = [];
  const [key = randomBytes(32), ...more] = options.keys ?? [];
  const keyring = new Keyring([key, ...more]);
  const context = testRunContext(keyring);
  const bus = options.services?.bus ?? new EventBus();
  const log = options.log ?? createLog("silent");
  const backgroundJobs = new BackgroundJobs(log);
  const driver = new RunDriver({ sql, context, bus, log });
  const external = openExternalParts({ sql, context, bus, log, advance: (work) => driver.advance(work) });
  const server = buildApp({
    sql,
    keyring,
    config: { adminToken, checkAnswers: true, rateLimits: { failuresPerMinute: 1e9 }, ...options.config },
    log,
    services: {
      wake: (news) => void woken.push(news),
      runs: context,
      bus,
      codehost: new CodehostClients(platformFetch),
      platformFetch,
      backgroundJobs,
      external,
      passwordCost: cheapPasswordCost,
      ...options.services,
    },
    ...(options.endpoints && { endpoints: options.endpoints }),
  });
  (options.beside ? onTestFinished : afterAll)(() => server.close());
  return {
    sql,
    address,
    keyring,
    key,
    context,
    bus,
    external,
    backgroundJobs,
    server,
    woken,
    make: createFactories(sql),
    as: (token = adminToken) => createClient(server, token),
  };
}

/** The rules about runs, assembled as in production. */
export function testRunContext(keyring: Keyring): RunContext {
  return createRunContext({ keyring, publicUrl: "http://127.0.0.1:8080", types: engineTaskTypes });
}

/** Stops reading an endless response after its beginning. */
async function firstText(stream: Readable): Promise<string> {
  for await (const chunk of stream) return String(chunk);
  return "";
}

function createClient(server: TestApp["server"], token: string | null): TestClient {
  const send: TestClient["send"] = async (method, path, body, headers = {}) => {
    const isText = typeof body === "string";
    const answer = await server.inject({
      method: method as "GET",
      url: path,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { payload: isText ? body : JSON.stringify(body) }),
      payloadAsStream: true,
    });
    const type = String(answer.headers["content-type"] ?? "");
    const text = type.startsWith("text/event-stream") ? await firstText(answer.stream()) : await readText(answer.stream());
    return { status: answer.statusCode, headers: answer.headers, text, body: parse(text, type) };
  };
  return {
    send,
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body, headers),
    put: (path, body, headers) => send("PUT", path, body, headers),
    patch: (path, body, headers) => send("PATCH", path, body, headers),
    delete: (path, body, headers) => send("DELETE", path, body, headers),
  };
}

function parse(text: string, contentType: unknown): unknown {
  if (text === "") return undefined;
  return String(contentType).includes("json") ? JSON.parse(text) : text;
}
