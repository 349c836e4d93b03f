import createFetchClient, {
  type ClientPathsWithMethod,
  type Client as FetchClient,
  type FetchResponse,
  type MaybeOptionalInit,
} from "openapi-fetch";
import { ApiError, toApiError } from "./api-error.ts";
import type { components, paths } from "./schema.generated.ts";
import { type Change, type LogOptions, type LogQuery, readChanges, readLog } from "./streams.ts";

/** The schemas of the API document by name: `Schemas["WorkflowRun"]`. */
export type Schemas = components["schemas"];
export type { Change, LogOptions };
export { ApiError };

export interface ClientOptions {
  /** The address of the service, e.g. `https://millrace.example.com`. */
  url: string;
  /** Without a token, requests have no credential except the browser's session. */
  token?: string;
  /** The name or id that the client's `team` returns. */
  team?: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Resolves to the body of a successful response; undefined if it has none. @throws {ApiError} for everything else */
type Call<M extends Method> = <
  Path extends ClientPathsWithMethod<FetchClient<paths>, M>,
  Init extends MaybeOptionalInit<paths[Path], M> = MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init] : [init: Init]
) => Promise<NonNullable<FetchResponse<Extract<paths[Path][M], object>, Init, "application/json">["data"]>>;

export interface MillraceClient extends Readonly<{ [M in Method]: Call<M> }> {
  readonly team: string;
  /** The lines of a task run's log, without line ends. If the stream breaks off, it is reopened at the same position. */
  logs(taskRunId: string, options?: LogOptions): AsyncGenerator<string, void>;
  /**
   * Changes in the team from now on, as hints to reload what you show of them. Starts with `reset`, which is repeated after each gap:
   * reload everything. The stream is reopened automatically until the signal aborts. @throws {ApiError} if the service refuses it
   */
  changes(options?: { team?: string; signal?: AbortSignal }): AsyncGenerator<Change, void>;
}

/** A client for the API, typed by the API document. It needs `fetch`: Node 20 or a browser. It doesn't retry requests. */
export function createClient({ url, token, team = "", fetch, headers }: ClientOptions): MillraceClient {
  const api = createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ""),
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    // The credential must not be sent to any other address.
    redirect: token === undefined ? "follow" : "manual",
    querySerializer: { array: { style: "form", explode: false } },
    ...(fetch && { fetch }),
  });
  api.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await refusalOf(response);
    },
    onError: ({ error }) => toFailure(url, error),
  });
  const request = api.request as (method: Method, path: string, init?: object) => Promise<{ data?: unknown }>;
  const call = (method: Method) => async (path: string, init?: CallInit) => {
    refuseDots(init);
    try {
      return (await request(method, path, init)).data as never;
    } catch (error) {
      throw error instanceof SyntaxError ? notOfTheApi(url, error) : error;
    }
  };
  const openLog = async (taskRunId: string, query: LogQuery, signal: AbortSignal | undefined) => {
    const params = { path: { taskRunId }, query };
    refuseDots({ params });
    const headers = { accept: "text/plain" };
    const { response } = await api.GET("/api/v2/taskrun/{taskRunId}/log", { params, headers, parseAs: "stream", signal });
    return response;
  };
  const openChanges = async (ofTeam: string, signal: AbortSignal | undefined) => {
    const params = { path: { team: ofTeam } };
    refuseDots({ params });
    const { response } = await api.GET("/api/v2/team/{team}/changes", { params, parseAs: "stream", signal });
    return response;
  };
  return {
    team,
    get: call("get"),
    post: call("post"),
    put: call("put"),
    patch: call("patch"),
    delete: call("delete"),
    logs: (taskRunId, options) => readLog((query, signal) => openLog(taskRunId, query, signal), options),
    changes: (options = {}) => readChanges((_, signal) => openChanges(options.team ?? team, signal), options.signal),
  };
}

interface CallInit {
  params?: { path?: Record<string, unknown> };
}

/** An empty name or one of only dots would change the path to that of another object, e.g. the team instead of its workflow `..`. */
function refuseDots({ params = {} }: CallInit = {}): void {
  for (const [key, value] of Object.entries(params.path ?? {}))
    if (/^\.{0,2}$/.test(String(value ?? ""))) throw new ApiError(404, "NOT_FOUND", `There is no ${key} "${value ?? ""}"`);
}

async function refusalOf(response: Response): Promise<ApiError> {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    const to = response.headers.get("location") ?? "another address";
    return new ApiError(response.status, "REDIRECTED", `The service redirects to ${to}: use that address`);
  }
  const text = await response.text();
  return toApiError(response, parse(text), `The service returned ${response.status}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The body isn't repeated in the message, since it can be anything. */
function notOfTheApi(url: string, cause: unknown): ApiError {
  return new ApiError(200, "UNKNOWN", `The answer from ${url} is not JSON`, undefined, [], { cause });
}

/** Abort errors are passed through unchanged. */
function toFailure(url: string, error: unknown): Error {
  if (error instanceof ApiError || (error instanceof Error && error.name === "AbortError")) return error;
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return new ApiError(0, "NO_ANSWER", `No answer from ${url}${code === undefined ? "" : ` (${code})`}`, undefined, [], { cause: error });
}
