import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { onTestFinished } from "vitest";

/** A request with a valid signature. */
export interface ReceivedWebhook {
  /** `webhook-id`: it identifies a repeated delivery. */
  id: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: events of any shape
  event: any;
  /** Whether the response was a success. */
  isTaken: boolean;
}

type Answer = { status: number; headers?: Record<string, string>; body?: string };
/** `hang`: no response at all. */
export type Behaviour = (event: ReceivedWebhook) => Answer | "hang" | Promise<Answer | "hang">;

export interface WebhookReceiver {
  url: string;
  port: number;
  /** In the order in which they were received, including repetitions. */
  received: ReceivedWebhook[];
  /** Requests with a wrong or missing signature; their response is 401. */
  forged: number;
  /** How it responds from now on. */
  answer(behaviour: Behaviour): void;
  /** Its events, each once, in the order in which they were first accepted. */
  taken(): ReceivedWebhook[];
  /** Resolves when the next request is received. */
  arrival(): Promise<ReceivedWebhook>;
}

/** A receiver of webhooks on loopback that verifies each signature. @param secret `whsec_…`, or a function if it is created later */
export async function webhookReceiver(secret: string | (() => string)): Promise<WebhookReceiver> {
  let behaviour: Behaviour = () => ({ status: 204 });
  const waiting: ((one: ReceivedWebhook) => void)[] = [];
  const receiver: Omit<WebhookReceiver, "url" | "port"> = {
    received: [],
    forged: 0,
    answer(next) {
      behaviour = next;
    },
    taken: () => [...new Map(receiver.received.filter((one) => one.isTaken).map((one) => [one.id, one])).values()],
    arrival: () => new Promise((resolve) => void waiting.push(resolve)),
  };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request);
    const verifier = new Webhook(typeof secret === "string" ? secret : secret());
    let event: unknown;
    try {
      event = verifier.verify(body, request.headers as Record<string, string>);
    } catch {
      receiver.forged++;
      return void response.writeHead(401).end();
    }
    const one: ReceivedWebhook = { id: String(request.headers["webhook-id"]), headers: request.headers, event, isTaken: false };
    receiver.received.push(one);
    const answer = await behaviour(one);
    if (answer !== "hang") {
      one.isTaken = answer.status < 300;
      response.writeHead(answer.status, answer.headers).end(answer.body);
    }
    for (const resolve of waiting.splice(0)) resolve(one);
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/hook`, port });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
