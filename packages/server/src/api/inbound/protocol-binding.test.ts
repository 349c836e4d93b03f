import { request } from "node:http";
import { CloudEvent, HTTP, type Message } from "cloudevents";
import { describe, expect, test } from "vitest";
import { eventKit, eventPath } from "../../../test/kit/inbound/event-kit.ts";
import { paramsOf } from "../../../test/kit/integration-kit.ts";

/** The scenarios of the HTTP protocol binding's own conformance suite, with the reference library as sender. */
const { app, teamWith, runsOf } = await eventKit();
const { team, id: workflow, token } = await teamWith("build");
const at = `${eventPath}?ref=${workflow}`;

const attributes = {
  id: "1234-1234-1234",
  specversion: "1.0",
  type: "com.example.someevent",
  source: "/mycontext/subcontext",
  time: "2018-04-05T03:56:24Z",
};
const data = { message: "Hello World!" };

describe("the scenarios of the HTTP protocol binding", () => {
  test.each(["application/json", "application/json; charset=utf-8"])("binary content mode (%s)", async (contentType) => {
    const headers = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]));
    const { id: fresh, token } = await teamWith("build");
    const answer = await app
      .as(token)
      .post(`${eventPath}?ref=${fresh}`, JSON.stringify(data, undefined, 4), { ...headers, "content-type": contentType });
    expect(answer.status).toBe(200);
    expect(paramsOf(answer.body)["event"]).toEqual({ ...attributes, datacontenttype: contentType, data });
    expect(paramsOf(answer.body)["data"]).toEqual(data);
  });

  test.each(["application/cloudevents+json", "application/cloudevents+json; charset=utf-8"])(
    "structured content mode (%s)",
    async (contentType) => {
      const { id: fresh, token } = await teamWith("build");
      const event = { ...attributes, datacontenttype: "application/json", data };
      const answer = await app
        .as(token)
        .post(`${eventPath}?ref=${fresh}`, JSON.stringify(event, undefined, 4), { "content-type": contentType });
      expect(answer.status).toBe(200);
      expect(paramsOf(answer.body)["event"]).toEqual(event);
      expect(paramsOf(answer.body)["data"]).toEqual(data);
    },
  );
});

/** Over a real connection, like the library's own transports. */
const url = await app.server.listen({ host: "127.0.0.1", port: 0 });
function emit({ headers, body }: Message<unknown>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}${at}`,
      { method: "POST", headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}` } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    call.on("error", reject).end(body as string);
  });
}

describe("what the CloudEvents library sends is understood", () => {
  const event = (more: object = {}) =>
    new CloudEvent({ ...attributes, id: undefined, subject: "a b/ü", traceparent: "00-1", sequence: 7, data, ...more });
  const eventOf = (answer: { body: string }) => paramsOf(JSON.parse(answer.body))["event"] as Record<string, unknown>;

  test.each(["structured", "binary"] as const)("%s", async (mode) => {
    const sent = event();
    const answer = await emit(HTTP[mode](sent));
    expect(answer.status, answer.body).toBe(200);
    const { id, type, source, subject, traceparent, data: received } = eventOf(answer);
    expect({ id, type, source, subject, traceparent, received }).toEqual({
      ...{ id: sent.id, type: sent.type, source: sent.source, subject: sent.subject, traceparent: "00-1", received: data },
    });
    expect(new Date(String(eventOf(answer)["time"])).toISOString()).toBe(new Date(attributes.time).toISOString());
    expect((await emit(HTTP[mode](sent))).body).toBe(answer.body);
  });

  test("with text, and with bytes as base64", async () => {
    expect(eventOf(await emit(HTTP.structured(event({ data: "hello", datacontenttype: "text/plain" }))))["data"]).toBe("hello");
    expect(eventOf(await emit(HTTP.binary(event({ data: "hello", datacontenttype: "text/plain" }))))["data"]).toBe("hello");
    const bytes = event({ data: undefined, data_base64: Buffer.from('{"a":1}').toString("base64"), datacontenttype: "application/json" });
    expect(paramsOf(JSON.parse((await emit(HTTP.structured(bytes))).body))["data"]).toEqual({ a: 1 });
  });

  test("as a batch", async () => {
    const events = [event(), event(), event()];
    const before = (await runsOf(team.id)).length;
    const answer = await emit({
      headers: { "content-type": "application/cloudevents-batch+json; charset=utf-8" },
      body: JSON.stringify(events),
    });
    expect(answer.status, answer.body).toBe(200);
    expect(JSON.parse(answer.body).runs).toHaveLength(3);
    expect(await runsOf(team.id)).toHaveLength(before + 3);
  });
});
