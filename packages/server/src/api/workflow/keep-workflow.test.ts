import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const admin = app.as();

/** A team with the workflow `nightly` and a schedule of it. */
async function made() {
  const kit = await scheduleTeam(app);
  const schedule = await kit.schedule({ workflowRef: "nightly" });
  const at = `${kit.base}/workflow/nightly`;
  const names = async (query: string, client = admin) =>
    (await client.get(`${kit.base}/workflow/query?limit=10&page=0&${query}`)).body.content.map(({ name }: { name: string }) => name);
  const member = async (role: "reader" | "editor" | "owner") => app.as((await app.make.member(kit.id, role)).token);
  return { ...kit, at, names, member, statusOfSchedule: async () => (await kit.read(schedule.id)).status };
}

describe("an archived workflow", () => {
  test("is kept, hidden from lists, and comes back as it was", async () => {
    const { at, base, names, statusOfSchedule } = await made();
    expect((await admin.put(`${at}/archive`)).status).toBe(204);
    expect((await admin.put(`${at}/archive`)).status).toBe(204);
    expect(await names("")).toEqual([]);
    expect((await admin.get(`${base}/workflow/query?limit=10&page=0`)).body.totalElements).toBe(0);
    expect(await names("archived=true")).toEqual(["nightly"]);
    expect((await admin.get(at)).body).toMatchObject({ name: "nightly", status: "inactive", archiveDate: expect.stringMatching(/Z$/) });
    expect(await statusOfSchedule()).toBe("trigger_disabled");
    expect((await admin.delete(`${at}/archive`)).status).toBe(204);
    expect(await names("")).toEqual(["nightly"]);
    expect((await admin.get(at)).body).toMatchObject({ status: "active" });
    expect((await admin.get(at)).body.archiveDate).toBeUndefined();
    expect(await statusOfSchedule()).toBe("active");
  });

  test("can't be run or changed, and says how to restore it", async () => {
    const { at, base } = await made();
    await admin.put(`${at}/archive`);
    const refused = { status: 409, body: { reason: "WORKFLOW_ARCHIVED", message: expect.stringContaining("restore it first") } };
    expect(await admin.post(`${at}/submit`, {})).toMatchObject(refused);
    expect(await admin.put(`${base}/workflow`, { name: "nightly", status: "active" })).toMatchObject(refused);
    await admin.delete(`${at}/archive`);
    expect((await admin.post(`${at}/submit`, {})).status).toBe(200);
  });

  test("fires no schedule, not even a new or changed one, until it is restored", async () => {
    const { at, base, schedule, read, statusOfSchedule } = await made();
    await admin.put(`${at}/archive`);
    const later = await schedule({ workflowRef: "nightly" });
    expect(later).toMatchObject({ status: "trigger_disabled" });
    expect((await admin.put(`${base}/schedule`, { id: later.id, status: "active" })).body).toMatchObject({ status: "trigger_disabled" });
    await admin.delete(`${at}/archive`);
    expect([(await read(later.id)).status, await statusOfSchedule()]).toEqual(["active", "active"]);
  });

  test("takes the permission to delete, and is in the audit log", async () => {
    const { at, base, member } = await made();
    expect((await (await member("editor")).put(`${at}/archive`)).status).toBe(403);
    expect((await (await member("owner")).put(`${at}/archive`)).status).toBe(204);
    expect((await app.as(null).put(`${at}/archive`)).status).toBe(401);
    expect((await admin.put(`${base}/workflow/none/archive`)).status).toBe(404);
    const { body } = await admin.get(`${base}/audit/query?limit=1&page=0`);
    expect(body.content[0]).toMatchObject({ action: "workflow/archive", object: { name: "nightly" }, after: { archived: true } });
  });
});

describe("favourites", () => {
  test("belong to one person", async () => {
    const { at, names, member } = await made();
    const [one, other] = [await member("reader"), await member("editor")];
    expect((await one.put(`${at}/favourite`)).status).toBe(204);
    expect((await one.put(`${at}/favourite`)).status).toBe(204);
    expect(await names("favourites=true", one)).toEqual(["nightly"]);
    expect(await names("favourites=true", other)).toEqual([]);
    expect((await one.get("/api/v2/overview")).body.favourites).toMatchObject([{ workflowName: "nightly" }]);
    expect((await other.get("/api/v2/overview")).body.favourites).toEqual([]);
    expect((await one.delete(`${at}/favourite`)).status).toBe(204);
    expect(await names("favourites=true", one)).toEqual([]);
  });

  test("need a person", async () => {
    const { id, at, base } = await made();
    const token = app.as(await app.make.teamToken(id, ["workflow/read"]));
    expect((await token.put(`${at}/favourite`)).status).toBe(400);
    expect((await token.get(`${base}/workflow/query?limit=10&page=0&favourites=true`)).status).toBe(400);
  });
});
