import { expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { testApp } from "../../kit/app.ts";

const app = await testApp();
const admin = app.as();
const turned = "safe\u202egpj.exe";

test("a name that would reverse the text beside it or control a terminal is refused, wherever it is given", async () => {
  const { name } = await app.make.team();
  const { id } = await app.make.user({});
  const path = `/api/v2/team/${name}`;
  const answers = await Promise.all([
    admin.patch(path, { displayName: turned }),
    admin.post("/api/v2/team", { name: "new-team", displayName: turned }),
    admin.post(`${path}/workflow`, { name: "turned", displayName: turned, tasks: [] }),
    admin.patch(`/api/v2/user/${id}`, { displayName: "\u2066x" }),
    admin.patch(`/api/v2/user/${id}`, { name: "soft\u00adhyphen" }),
    admin.post("/api/v2/token", { type: "global", name: "\ufefftoken", permissions: ["**/**"] }),
    app.as(await app.make.userToken(id)).patch("/api/v2/profile", { displayName: turned }),
    admin.patch(path, { displayName: "two\nlines" }),
    admin.post("/api/v2/token", { type: "global", name: "\u001b[31mred", permissions: ["**/**"] }),
    admin.post(`${path}/external/claim`, { tasks: ["greet"], name: "worker\u001b]0;title\u0007" }),
  ]);
  for (const { status, body } of answers) {
    expect(body).toMatchObject({ reason: "VALIDATION_FAILED", message: expect.stringMatching(/invisible character U\+/) });
    expect(status).toBe(400);
  }
});

test("names in any script stay as they are", async () => {
  const { id } = await app.make.user({});
  for (const displayName of [
    "\u05e9\u05dc\u05d5\u05dd",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u{1f469}\u200d\u{1f4bb} Ada",
  ]) {
    expect((await admin.patch(`/api/v2/user/${id}`, { displayName })).status).toBe(204);
    expect((await admin.get(`/api/v2/user/${id}`)).body.displayName).toBe(displayName);
  }
});

test("an address in a team is refused with such characters, and composed", async () => {
  const { name } = await app.make.team();
  const path = `/api/v2/team/${name}`;
  expect((await admin.patch(path, { members: [{ email: "a\u202eb@example.com", role: "reader" }] })).status).toBe(400);
  expect((await admin.patch(path, { members: [{ email: "jo\u0308rg@example.com", role: "reader" }] })).status).toBe(200);
  expect((await admin.get("/api/v2/user/j\u00f6rg@example.com")).status).toBe(200);
});

test("a line of our own log escapes terminal control sequences", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (text: string) => void lines.push(text) });
  log.info({ team: turned, more: "\u0085\u2028\u{e0041}" }, "a \u2066name");
  const line = lines.join("");
  expect(line).not.toMatch(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/u);
  expect(JSON.parse(line)).toMatchObject({ team: turned, more: "\u0085\u2028\u{e0041}", msg: "a \u2066name" });
});
