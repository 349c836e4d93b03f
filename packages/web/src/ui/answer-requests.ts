interface Answered {
  status: number;
  body: object;
}

/** The service in component tests: its responses in order, and the requests it received. Each test has to clear it. */
export const service = {
  answers: [] as Answered[],
  sent: [] as unknown[],
  /** Where several requests come in no order: answers by the end of the address, before those that come one after the other. */
  byEnd: new Map<string, (body: unknown, address: URL) => Answered | Promise<Answered>>(),
};

/** Replaces `fetch`. The client takes it when it is loaded, once for all test files of a process. */
export async function answerRequest(request: unknown): Promise<Response> {
  const { url, method } = request as Request;
  const sent = method === "GET" || method === "DELETE" ? undefined : await (request as Request).json();
  const address = new URL(url);
  const end = [...service.byEnd.keys()].find((each) => address.pathname.endsWith(each));
  if (sent !== undefined && end === undefined) service.sent.push(sent);
  const { status, body } = (await service.byEnd.get(end ?? "")?.(sent, address)) ?? service.answers.shift() ?? { status: 500, body: {} };
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
