import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import type { OutboundEvent } from "../core/outbound/outbound-event.ts";
import { createWebhookSender } from "./webhook-sender.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const event: OutboundEvent = {
  specversion: "1.0",
  id: "1",
  source: "/api/v2/team/1",
  type: "dev.millrace.workflowrun.failed",
  subject: "/workflowrun/1/status/failed",
  time: "2030-01-01T00:00:00.000Z",
  datacontenttype: "application/json",
  data: { id: "1", name: "ärger" },
};

/** An HTTP server on loopback. */
async function serve(listener: RequestListener): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

type Names = Record<string, string[]>;

function sender(allow: string[], names: () => Names = () => ({})) {
  const resolve = async (name: string): Promise<string[]> => {
    const found = names()[name];
    if (!found) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return found;
  };
  const made = createWebhookSender({ allow, resolve });
  onTestFinished(() => made.close?.());
  const send = (url: string, signal: AbortSignal = AbortSignal.timeout(5000)) =>
    made
      .send({ deliveryId: "d1", event, attempt: 1, signal }, { url, secrets: [secret] })
      .catch((error: Error) => ({ thrown: error.message }));
  return send;
}

describe("what is sent", () => {
  test("is the event as structured CloudEvent with a signature that the library of Standard Webhooks accepts", async () => {
    let verified: unknown;
    const { port } = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      verified = new Webhook(secret).verify(Buffer.concat(chunks).toString("utf8"), request.headers as Record<string, string>);
      response.writeHead(202).end(`${request.headers["content-type"]} ${request.headers["webhook-id"]}`);
    });
    const report = await sender(["127.0.0.1"])(`http://127.0.0.1:${port}/a`);
    expect(report).toEqual({ outcome: "delivered", status: 202, answer: "application/cloudevents+json; charset=utf-8 d1" });
    expect(verified).toEqual(event);
  });

  test("a slow response is a failure with that reason", async () => {
    const { port } = await serve(() => {});
    const report = await sender(["127.0.0.1"])(`http://127.0.0.1:${port}/`, AbortSignal.timeout(50));
    expect(report).toEqual({ thrown: `127.0.0.1:${port} did not respond in time` });
  });

  test("an endless response is not read to its end", async () => {
    const { port } = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(1000)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const report = await sender(["127.0.0.1"])(`http://127.0.0.1:${port}/`);
    expect(report).toMatchObject({ outcome: "delivered", status: 200 });
  });

  test("a port where nothing listens is a failure with its reason", async () => {
    const { port } = await serve(() => {});
    const closed = await sender(["127.0.0.1"])(`http://127.0.0.1:${port === 1 ? 2 : 1}/`);
    expect(closed).toMatchObject({ thrown: expect.stringMatching(/could not be reached \(ECONNREFUSED\)/) });
  });
});

describe("redirects", () => {
  const redirecting = (status: number, location: string) =>
    serve((request, response) => {
      if (request.url === "/end") response.writeHead(200).end("here");
      else response.writeHead(status, { location }).end();
    });

  test.each([307, 308])("%d is followed with method and body", async (status) => {
    const { port, requests } = await redirecting(status, "/end");
    expect(await sender(["127.0.0.1"])(`http://127.0.0.1:${port}/start`)).toMatchObject({ outcome: "delivered", answer: "here" });
    expect(requests).toEqual(["POST /start", "POST /end"]);
  });

  test.each([301, 302, 303])("%d is a failure that says what to do", async (status) => {
    const { port, requests } = await redirecting(status, "/end");
    const report = await sender(["127.0.0.1"])(`http://127.0.0.1:${port}/start`);
    expect(report).toMatchObject({ outcome: "retry", status, error: expect.stringMatching(/use the final URL in the subscription/) });
    expect(requests).toEqual(["POST /start"]);
  });

  test("more than three are not followed", async () => {
    const { port, requests } = await redirecting(307, "/again");
    expect(await sender(["127.0.0.1"])(`http://127.0.0.1:${port}/start`)).toMatchObject({
      error: expect.stringMatching(/more than 3 times/),
    });
    expect(requests).toHaveLength(4);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data", /169\.254\.169\.254 is not an address of the public internet/],
    ["http://[::1]/", /::1 is not/],
    ["http://2130706434/", /127\.0\.0\.2 is not/],
    ["http://inside.example/", /inside\.example \(10\.0\.0\.7\) is not/],
  ])("one that leads to %s is refused", async (location, why) => {
    const { port } = await redirecting(307, location);
    const report = await sender(["127.0.0.1"], () => ({ "inside.example": ["10.0.0.7"] }))(`http://127.0.0.1:${port}/start`);
    expect(report).toMatchObject({ thrown: expect.stringMatching(why) });
  });

  test.each(["file:///etc/passwd", "gopher://127.0.0.1/", "http://user:word@127.0.0.1/", "http://", ""])(
    "one to %j is a failure",
    async (location) => {
      const { port } = await redirecting(308, location);
      expect(await sender(["127.0.0.1"])(`http://127.0.0.1:${port}/start`)).toMatchObject({ outcome: "retry", status: 308 });
    },
  );
});

describe("closed networks", () => {
  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://169.254.169.254/",
    "https://10.0.0.1/",
    "http://192.168.1.1:8080/",
  ])("%s is refused without a connection", async (url) => {
    const { requests } = await serve((_request, response) => void response.end());
    expect(await sender([])(url)).toMatchObject({
      thrown: expect.stringMatching(/not an address of the public internet.*MILLRACE_OUTBOUND_ALLOW/),
    });
    expect(requests).toEqual([]);
  });

  test("a name is refused when one of its addresses is closed", async () => {
    const send = sender([], () => ({ "mixed.example": ["93.184.216.34", "127.0.0.1"] }));
    expect(await send("http://mixed.example/")).toMatchObject({ thrown: expect.stringMatching(/mixed\.example \(127\.0\.0\.1\) is not/) });
  });

  test("a name is checked again at each attempt", async () => {
    const { port, requests } = await serve((_request, response) => void response.writeHead(200, { connection: "close" }).end());
    const names: Names = { "moving.example": ["127.0.0.1"] };
    const send = sender(["127.0.0.1"], () => names);
    expect(await send(`http://moving.example:${port}/`)).toMatchObject({ outcome: "delivered" });
    names["moving.example"] = ["127.0.0.2"];
    expect(await send(`http://moving.example:${port}/`)).toMatchObject({ thrown: expect.stringMatching(/127\.0\.0\.2/) });
    expect(requests).toHaveLength(1);
  });

  test("the connection goes to the address that was checked: the name is looked up once for it", async () => {
    const { port } = await serve((_request, response) => void response.end());
    let lookups = 0;
    const send = sender(["127.0.0.1"], () => ({ "rebinding.example": [lookups++ === 0 ? "127.0.0.1" : "127.0.0.2"] }));
    expect(await send(`http://rebinding.example:${port}/`)).toMatchObject({ outcome: "delivered" });
    expect(lookups).toBe(1);
  });

  test("a host that the configuration names may be reached, one that only looks like it may not", async () => {
    const { port } = await serve((_request, response) => void response.end());
    const send = sender(["inside.example"], () => ({ "inside.example": ["127.0.0.1"], "x.inside.example": ["127.0.0.1"] }));
    expect(await send(`http://inside.example:${port}/`)).toMatchObject({ outcome: "delivered" });
    expect(await send(`http://x.inside.example:${port}/`)).toMatchObject({ thrown: expect.stringMatching(/is not an address/) });
  });

  test("a name that does not exist is a failure with its reason", async () => {
    expect(await sender([])("http://nowhere.example/")).toMatchObject({ thrown: expect.stringMatching(/ENOTFOUND/) });
  });
});
