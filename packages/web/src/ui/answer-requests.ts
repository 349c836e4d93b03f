interface Answered {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

/** The service in component tests: its responses in order, and the requests it received. Each test has to clear it. */
export const service = {
  answers: [] as Answered[],
  sent: [] as unknown[],
  /** Where several requests come in no order: answers by the end of the address, before those that come one after the other. */
  byEnd: new Map<string, (body: unknown, address: URL, request: Request) => Answered | Promise<Answered>>(),
};

/** Replaces `fetch`. The client takes it when it is loaded, once for all test files of a process. */
export async function answerRequest(request: unknown): Promise<Response> {
  const { url, method } = request as Request;
  const text = method === "GET" || method === "DELETE" ? "" : await (request as Request).text();
  const sent = text === "" ? undefined : JSON.parse(text);
  const address = new URL(url);
  const end = [...service.byEnd.keys()].find((each) => address.pathname.endsWith(each));
  if (sent !== undefined && end === undefined) service.sent.push(sent);
  const answer = service.byEnd.get(end ?? "")?.(sent, address, request as Request) ?? service.answers.shift();
  const { status, body, headers } = (await answer) ?? { status: 500, body: {} };
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}
