import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const team = await app.make.team({ name: "crowd" });
const other = await app.make.team({ name: "few" });
const owner = await app.make.member(team.id, "owner");
const path = "/api/v2/team/crowd";
const members = 10_000;

/** The owner came first, then one of these each millisecond: every tenth is an editor, the others are readers. */
beforeAll(async () => {
  await app.sql`
    with people as (
      insert into app_user (email, name, status)
      select 'person-' || lpad(n::text, 5, '0') || '@example.com', case when n % 2 = 0 then 'Person ' || n end, 'active'
      from generate_series(1, ${members - 1}::int) n returning id, email)
    insert into team_member (team_id, user_id, role, created_at)
    select ${team.id}, id, case when n % 10 = 0 then 'editor' else 'reader' end, now() + make_interval(secs => n / 1000.0)
    from (select id, substr(email, 8, 5)::int as n from people) as numbered`;
  await app.sql.unsafe("vacuum (analyze) app_user, team_member");
});

interface Member {
  id: string;
  email: string;
  name?: string;
  role: string;
}

const find = async (query: string, token = owner.token) => (await app.as(token).get(`${path}/member/query?${query}`)).body;
const emails = ({ content }: { content: Member[] }) => content.map(({ email }) => email);
const person = (n: number) => `person-${String(n).padStart(5, "0")}@example.com`;

test("a team with ten thousand members shows the first hundred and how many there are", async () => {
  const { body, text } = await app.as(owner.token).get(path);
  expect([body.memberCount, body.members.length]).toEqual([members, 100]);
  expect(emails({ content: body.members })).toEqual([owner.email, ...Array.from({ length: 99 }, (_, n) => person(n + 1))]);
  expect(text.length).toBeLessThan(20_000);
  const [crowd] = (await app.as(owner.token).get("/api/v2/team/query?limit=10&page=0")).body.content;
  expect([crowd.memberCount, crowd.members]).toEqual([members, body.members]);
});

describe("members are found", () => {
  test("by page, in the order of joining, with an exact total", async () => {
    const first = await find("limit=100&page=0");
    expect([first.totalElements, first.totalPages, emails(first)[1]]).toEqual([members, 100, person(1)]);
    expect(emails(await find("limit=100&page=99")).at(-1)).toBe(person(members - 1));
    expect(emails(await find("limit=2&page=0&order=DESC"))).toEqual([person(9_999), person(9_998)]);
  });

  test("by a text in the name or the email address", async () => {
    expect(emails(await find("limit=10&page=0&search=PERSON%209998"))).toEqual([person(9_998)]);
    expect((await find("limit=10&page=0&search=person-012")).totalElements).toBe(100);
    expect((await find("limit=10&page=0&search=nobody")).content).toEqual([]);
  });

  test("by role and by who they are", async () => {
    expect(await find("limit=10&page=0&roles=owner")).toMatchObject({ totalElements: 1, content: [{ id: owner.id, role: "owner" }] });
    expect((await find("limit=10&page=0&roles=owner,editor")).totalElements).toBe(1_000);
    const [late] = (await find(`limit=10&page=0&ids=${person(9_000)}`)).content;
    expect(await find(`limit=10&page=0&ids=${late.id},${owner.id}`)).toMatchObject({ totalElements: 2 });
    expect((await app.as(owner.token).get(`${path}/member/query?limit=10&page=0&roles=boss`)).status).toBe(400);
  });

  test("in another order", async () => {
    expect(emails(await find("limit=1&page=0&sort=email&order=DESC&search=person"))).toEqual([person(9_999)]);
    expect((await find("limit=2&page=0&sort=role")).content.map(({ role }: Member) => role)).toEqual(["owner", "editor"]);
    expect((await find("limit=1&page=0&sort=name&order=DESC&search=person")).content[0].email).toBe(person(9_999));
  });
});

test("finding members needs the permission to read the team, and finds only its own", async () => {
  const reader = await app.make.member(other.id, "reader");
  const few = "/api/v2/team/few/member/query?limit=10&page=0";
  expect((await app.as(reader.token).get(few)).body.totalElements).toBe(1);
  expect((await app.as(owner.token).get(few)).status).toBe(404);
  expect((await app.as(null).get(few)).status).toBe(401);
  expect((await app.as(await app.make.teamToken(other.id, ["workflow/read"])).get(few)).status).toBe(403);
});

describe("beyond the first hundred", () => {
  test("a member gets another role, is an approver and is removed, and the record says whom it was", async () => {
    const as = app.as(owner.token);
    const email = person(8_001);
    await as.patch(path, { members: [{ email, role: "editor" }], approverGroups: [{ name: "late", approvers: [email] }] });
    expect(await find(`limit=1&page=0&ids=${email}`)).toMatchObject({ content: [{ email, role: "editor" }] });
    const [changed] = (await as.get(`${path}/audit/query?limit=1&page=0`)).body.content;
    expect([changed.before.members, changed.after.members]).toEqual([
      [expect.objectContaining({ email, role: "reader" })],
      [expect.objectContaining({ email, role: "editor" })],
    ]);
    expect((await as.delete(`${path}/members`, [{ email }])).status).toBe(204);
    expect((await find(`limit=1&page=0&ids=${email}`)).totalElements).toBe(0);
    await as.patch(path, { members: [{ email, role: "reader" }] });
  });

  test("the only owner stays, wherever in the list", async () => {
    const late = await app.make.member(team.id, "owner");
    await app.as(late.token).delete(`${path}/members`, [{ id: owner.id }]);
    const answers = await Promise.all([
      app.as(late.token).delete(`${path}/leave`),
      app.as(late.token).patch(path, { members: [{ id: late.id, role: "reader" }] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    await app.as(late.token).patch(path, { members: [{ id: owner.id, role: "owner" }] });
    expect((await app.as(late.token).delete(`${path}/leave`)).status).toBe(204);
  });
});
