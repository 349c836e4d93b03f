/** What the service answers in tests of components, one after the other, and what it was sent. A test leaves both empty. */
export const service = { answers: [] as { status: number; body: object }[], sent: [] as unknown[] };

/** In place of `fetch`. The client takes that when it is loaded, once for all files of a process. */
export async function answerRequest(request: unknown): Promise<Response> {
  service.sent.push(await (request as Request).json());
  const { status, body } = service.answers.shift() ?? { status: 500, body: {} };
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
