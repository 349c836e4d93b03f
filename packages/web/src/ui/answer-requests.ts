interface Answered {
  status: number;
  /** A text is sent as it is. */
  body: object | string;
  headers?: Record<string, string>;
}

type Answering = (body: unknown, address: URL, request: Request) => Answered | Promise<Answered>;

/** A request that asks for a change. */
interface Change {
  method: string;
  /** Below `/api/v2`, with what is asked for behind the question mark. */
  path: string;
  body: unknown;
}

/** The service in component tests: its responses in order, and the requests it received. It is cleared before each test. */
export const service = {
  answers: [] as Answered[],
  sent: [] as unknown[],
  /** All requests except those that only read, also those that `byEnd` answers. */
  changes: [] as Change[],
  /**
   * Where several requests come in no order: answers by the end of the address, before those that come one after the other. With a method,
   * as in `PUT /protection`, only for this method.
   */
  byEnd: new Map<string, Answering>(),
  clear() {
    for (const list of [service.answers, service.sent, service.changes]) list.length = 0;
    service.byEnd.clear();
  },
};

/** Adds answers by the end of the address; what is always answered alike is given as it is, with the status 200. */
export function answerBy(answers: Readonly<Record<string, object | Answering>>): void {
  for (const [end, answer] of Object.entries(answers))
    service.byEnd.set(end, typeof answer === "function" ? (answer as Answering) : () => ({ status: 200, body: answer }));
}

/** An answer that refuses, with the places that it is about. */
export function refusal(status: number, message: string, errors: { path: string; message: string }[] = []): Answered {
  return { status, body: { status, reason: "VALIDATION_FAILED", message, errors } };
}

/**
 * Replaces `fetch`. The client takes it when it is loaded, once for all test files of a process. The question whether the service can be
 * reached, which follows a 401, is no request of a page: unless a test answers it, the service is there, and the next tests are not offline.
 */
export async function answerRequest(request: unknown): Promise<Response> {
  if (!(request instanceof Request) && !service.byEnd.has(String(request))) return new Response("{}", { status: 200 });
  const { url, method } = request instanceof Request ? request : new Request(new URL(String(request), document.baseURI));
  const sent = method === "GET" ? undefined : bodyOf(await (request as Request).text());
  const address = new URL(url);
  const end = [...service.byEnd.keys()].find((each) => isFor(each, method, address));
  if (method !== "GET") service.changes.push({ method, path: address.pathname.replace("/api/v2", "") + address.search, body: sent });
  if (sent !== undefined && end === undefined) service.sent.push(sent);
  const answer = service.byEnd.get(end ?? "")?.(sent, address, request as Request) ?? service.answers.shift();
  const { status, body, headers } = (await answer) ?? { status: 500, body: {} };
  const isText = typeof body === "string";
  return new Response(isText ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": isText ? "text/plain" : "application/json", ...headers },
  });
}

function isFor(end: string, method: string, { pathname }: URL): boolean {
  const [ending = "", only = method] = end.split(" ").reverse();
  return only === method && pathname.endsWith(ending);
}

/** Documents are sent as text. */
function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
