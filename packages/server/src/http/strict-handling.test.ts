import { createUnknownFinder } from "@millrace/contract/unknown-members.ts";
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import type { Endpoint } from "../api/endpoint.ts";
import { atOnce } from "../base/process/slices.ts";
import { everyEndpoint } from "./answer/every-endpoint.ts";
import { createInputReader } from "./input/read-input.ts";
import { endpoints } from "./routes.ts";

const writing = everyEndpoint(endpoints).filter(({ method }) => method !== "GET");
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** With a valid path and query. */
function read(endpoint: Endpoint, text: string, prefer: string) {
  const free = { ...endpoint, params: undefined, query: undefined } as Endpoint;
  const request = { params: {}, query: { raw: "" }, headers: { prefer, "content-type": "application/json" }, body: Buffer.from(text) };
  return atOnce(createInputReader(free)(request as unknown as FastifyRequest));
}

test.each(writing.filter(({ body }) => body === undefined).map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  "%s, which takes no body, names what is in one, and refuses it under handling=strict",
  (_, endpoint) => {
    expect(read(endpoint, '{"fromTask": 1}', "").replyHeaders).toEqual({ "x-unknown-members": "/fromTask" });
    expect(() => read(endpoint, '{"fromTask": 1}', "handling=strict")).toThrow("/fromTask is unknown here");
    for (const text of ["[1]", "no JSON"]) expect(() => read(endpoint, text, "handling=strict")).toThrow("the body is unknown here");
    for (const text of ["", "{}"]) expect(read(endpoint, text, "handling=strict").replyHeaders).toEqual({});
  },
);

/** Their bodies are defined by other systems, or read document by document (api/apply/read-content.ts). */
const open = [
  "DELETE /api/v2/team/:team/approvers",
  "POST /api/v2/apply",
  "POST /api/v2/callback",
  "POST /api/v2/event",
  "POST /api/v2/integration/chat/commands",
  "POST /api/v2/integration/chat/events",
  "POST /api/v2/integration/chat/interactivity",
  "POST /api/v2/team/:team/apply",
  "POST /api/v2/webhook",
];

test.each([
  ["PUT /api/v2/team/:team/workflow", { name: "w", dependancies: [] }, "/dependancies"],
  ["PUT /api/v2/team/:team/workflow", { name: "w", tasks: [{ name: "a", taskRef: "t", retrys: 2 }] }, "/tasks/0/retrys"],
  [
    "PUT /api/v2/team/:team/workflow/:workflow/compose",
    { nodes: [{ id: "1", type: "script", data: { name: "a", hint: 1 } }] },
    "/nodes/0/data/hint",
  ],
  ["POST /api/v2/task", { name: "t", spec: { script: "true", steps: [{ name: "s", image: "x", scirpt: "" }] } }, "/spec/steps/0/scirpt"],
])("%s keeps what it does not know, and refuses it under handling=strict", (name, body, path) => {
  const endpoint = writing.find((one) => nameOf(one) === name)!;
  expect(read(endpoint, JSON.stringify(body), "").replyHeaders).toEqual({});
  expect(() => read(endpoint, JSON.stringify(body), "handling=strict")).toThrow(`${path} is unknown here`);
});

/** Bodies of other systems are read as those systems write them. */
const fromOthers = ["POST /api/v2/callback", "POST /api/v2/event", "POST /api/v2/integration/chat/events", "POST /api/v2/webhook"];

test("a duplicate member is refused, except in requests of other systems", () => {
  const taking = writing.filter(
    ({ body, consumes }) => body !== undefined && (consumes === undefined || consumes[0] === "application/json"),
  );
  const lenient = taking.filter((endpoint) => {
    try {
      read(endpoint, '{"name": "a", "x": [{"name": 1, "name": 2}]}', "");
      return true;
    } catch (error) {
      return !/x\/0\/name appears twice in one object/.test((error as Error).message);
    }
  });
  expect(lenient.map(nameOf).sort()).toEqual(fromOthers);
});

test("members that are kept hide none of those that are ignored", () => {
  const endpoint = writing.find((one) => nameOf(one) === "PUT /api/v2/team/:team/workflow")!;
  const kept = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`note${index}`, index]));
  const body = { name: "w", ...kept, tasks: [{ name: "a", taskRef: "t", retry: { count: 1, pauses: 2 } }] };
  expect(read(endpoint, JSON.stringify(body), "").replyHeaders).toEqual({ "x-unknown-members": "/tasks/0/retry/pauses" });
});

test("all others know the members of their bodies", () => {
  const ignoring = writing.filter(({ body }) => {
    if (body === undefined) return false;
    const find = createUnknownFinder(body as TSchema);
    return find({ unknownMember: 1 }).length === 0 && find([{ unknownMember: 1 }]).length === 0;
  });
  expect(ignoring.map(nameOf).sort()).toEqual(open);
});
