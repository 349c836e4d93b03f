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
  /** Of the service, such as `https://millrace.example.com`. */
  url: string;
  /** Without it, requests have no credential but the session of the browser. */
  token?: string;
  /** The name or id that `team` of the client has. */
  team?: string;
  /** Instead of the global one. */
  fetch?: (request: Request) => Promise<Response>;
  /** Of every request. */
  headers?: Readonly<Record<string, string>>;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Answers the body of a success; undefined if it has none. @throws {ApiError} for everything else */
type Call<M extends Method> = <
  Path extends ClientPathsWithMethod<FetchClient<paths>, M>,
  Init extends MaybeOptionalInit<paths[Path], M> = MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init] : [init: Init]
) => Promise<NonNullable<FetchResponse<Extract<paths[Path][M], object>, Init, "application/json">["data"]>>;

export interface MillraceClient extends Readonly<{ [M in Method]: Call<M> }> {
  readonly team: string;
  /** Lines of the log of a task run, without their ends. A stream that breaks off is opened again where it was. */
  logs(taskRunId: string, options?: LogOptions): AsyncGenerator<string, void>;
  /**
   * What changes in the team from now on: hints, to read again what you show of it. `reset` first, and after each gap: read everything
   * again. It opens the stream again by itself until the signal aborts. @throws {ApiError} if the service refuses it
   */
  changes(options?: { team?: string; signal?: AbortSignal }): AsyncGenerator<Change, void>;
}

/** The client of the API, with the types of its document. It needs `fetch`: Node 20 or a browser. It repeats no request by itself. */
export function createClient({ url, token, team = "", fetch, headers }: ClientOptions): MillraceClient {
  const api = createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ""),
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    // The credential goes to no other address than the one it is for.
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

/** A name of only dots, or none, would make the path that of something else, such as the team instead of its workflow `..`. */
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

/** Nothing of what it was is repeated: it can be anything. */
function notOfTheApi(url: string, cause: unknown): ApiError {
  return new ApiError(200, "UNKNOWN", `The answer from ${url} is not JSON`, undefined, [], { cause });
}

/** What was aborted stays what it is. */
function toFailure(url: string, error: unknown): Error {
  if (error instanceof ApiError || (error instanceof Error && error.name === "AbortError")) return error;
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return new ApiError(0, "NO_ANSWER", `No answer from ${url}${code === undefined ? "" : ` (${code})`}`, undefined, [], { cause: error });
}
