import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { removeOldDecisions } from "../../store/action/decisions.ts";

const { app, team } = await runKit();
const admin = app.as();

/** A team with that many decided approvals. */
async function decided(count: number) {
  const made = await team();
  await made.workflow("release", workflow(node("approve", "approval", ["start"], params({ instructions: "Ship it?" }))));
  const submit = async () => {
    const { id } = await made.submit("release");
    const [row] = await app.sql<{ id: string }[]>`select id from action where run_id = ${id}`;
    return row!.id;
  };
  const vote = (id: string, approved = true) => admin.put(`${made.path}/action`, [{ id, approved, comments: "because" }]);
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const id = await submit();
    ids.push(id);
    expect((await vote(id, index !== 1)).status).toBe(204);
  }
  const verify = async (query = "") => (await admin.get(`${made.path}/decision/verify${query}`)).body;
  return { ...made, ids, submit, vote, verify };
}

describe("a decision leaves a record", () => {
  test("with who, when, which version, and the hash of the record before", async () => {
    const { path, ids, verify } = await decided(2);
    const { content, totalElements } = (await admin.get(`${path}/decision/query`)).body;
    expect(totalElements).toBe(2);
    const [second, first] = content;
    expect(first).toMatchObject({
      ...{ number: 1, previous: "0".repeat(64), action: ids[0], type: "approval", decision: "approved", task: "approve" },
      workflow: { name: "release", version: 1 },
      votes: [{ principal: "token:admin", name: "admin token", approved: true, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
      inputs: expect.stringMatching(/^sha256:/),
    });
    expect(second).toMatchObject({ number: 2, previous: first.hash, decision: "rejected" });
    expect(JSON.stringify(content)).not.toContain("because");
    expect(await verify()).toMatchObject({ valid: true, checked: 2, head: { number: 2, hash: second.hash }, problems: [] });
    const one = await admin.get(`${path}/decision/query?action=${ids[0]}`);
    expect(one.body.content).toEqual([first]);
    expect((await admin.get(`${path}/decision/query?action=nonsense`)).status).toBe(404);
  });

  test("only when the vote is accepted; a team without decisions has a valid chain", async () => {
    const { ids, vote, verify } = await decided(1);
    expect((await vote(ids[0]!)).status).toBe(409);
    expect(await verify()).toMatchObject({ checked: 1, valid: true });
    expect(await (await decided(0)).verify()).toMatchObject({ checked: 0, valid: true, head: { number: 0 } });
  });

  test("concurrent decisions form one chain", async () => {
    const { submit, vote, verify } = await decided(0);
    const ids = await Promise.all(Array.from({ length: 8 }, submit));
    const answers = await Promise.all(ids.map((id) => vote(id)));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204));
    expect(await verify()).toMatchObject({ valid: true, checked: 8, head: { number: 8 } });
  });
});

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const vote = (more: string) => `{"principal":"a","name":null,"approved":true,"at":"","digest":""${more}}`;

describe("a chain that was damaged in the database in any way can still be read and checked", () => {
  const texts = [
    "null",
    "7",
    '"text"',
    "[]",
    "{}",
    '{"votes": [null]}',
    '{"votes": [{}]}',
    `{"votes": [${vote(`,"x":${nested(3000)}`)}]}`,
    nested(3000),
  ];
  const changes: [string, (teamId: string) => PromiseLike<unknown>][] = [
    ...texts.map((text): (typeof changes)[number] => [
      `a record that is ${text.slice(0, 60)}`,
      (id) => app.sql`
        update decision set record = ${text}::text::json, hash = encode(sha256(convert_to(${text}, 'UTF8')), 'hex')
        where team_id = ${id} and number = 1`,
    ]),
    ["a time that is none", (id) => app.sql`update decision set at = 'infinity' where team_id = ${id} and number = 1`],
    [
      "an anchor at a time that is none",
      (id) => app.sql`update decision_chain set anchored_at = '-infinity', anchor_hash = 'x' where team_id = ${id}`,
    ],
    ["a hash that is none", (id) => app.sql`update decision set hash = '' where team_id = ${id}`],
    ["a number that is none", (id) => app.sql`update decision_chain set number = -5, hash = 'x' where team_id = ${id}`],
    ["the values of a vote", (id) => app.sql`update action_vote set field_values = ${nested(3000)}::text::json where team_id = ${id}`],
  ];

  test.each(changes)("%s", async (_what, change) => {
    const { id, path } = await decided(2);
    await change(id);
    const [read, verified] = [await admin.get(`${path}/decision/query`), await admin.get(`${path}/decision/verify`)];
    expect([read.status, verified.status]).toEqual([200, 200]);
    expect(verified.body.valid).toBe(false);
    for (const record of read.body.content) expect(record).toMatchObject({ votes: expect.any(Array), workflow: { name: "release" } });
  });
});

describe("a change in the database is reported", async () => {
  const tampered: [string, (teamId: string) => PromiseLike<unknown>, { number: number; message: string }][] = [
    [
      "the record",
      (id) =>
        app.sql`update decision set record = replace(record::text, 'approved', 'rejected')::json where team_id = ${id} and number = 2`,
      { number: 2, message: "The record was changed: its hash is another one" },
    ],
    [
      "its time",
      (id) => app.sql`update decision set at = at + interval '1 day' where team_id = ${id} and number = 2`,
      { number: 2, message: "The action or time in its row differs from the record" },
    ],
    [
      "a record that is gone",
      (id) => app.sql`delete from decision where team_id = ${id} and number = 2`,
      { number: 2, message: "Record 2 is missing" },
    ],
    [
      "the last record",
      (id) => app.sql`delete from decision where team_id = ${id} and number = 3`,
      { number: 3, message: "Record 3 is missing" },
    ],
    [
      "a vote",
      (id) => app.sql`
        update action_vote set name = 'Someone else' where team_id = ${id} and action_id = (
          select action_id from decision where team_id = ${id} and number = 2)`,
      { number: 2, message: "The votes of the action were changed" },
    ],
    [
      "a record with a hash that fits",
      (id) => app.sql`
        update decision set record = r.text::json, hash = encode(sha256(convert_to(r.text, 'UTF8')), 'hex')
        from (select replace(record::text, '"release"', '"other"') as text from decision where team_id = ${id} and number = 2) r
        where team_id = ${id} and number = 2`,
      { number: 3, message: "The record does not follow the one before" },
    ],
    ...["null", "7", "{}", '{"votes": [null]}'].map((text): (typeof tampered)[number] => [
      `a record that became ${text}, with a hash that fits`,
      (id) => app.sql`
        with changed as (
          update decision set record = ${text}::text::json, hash = encode(sha256(convert_to(${text}, 'UTF8')), 'hex')
          where team_id = ${id} and number = 3 returning hash)
        update decision_chain set hash = changed.hash from changed where team_id = ${id}`,
      { number: 3, message: "The record is not one of a decision" },
    ]),
  ];

  test.each(tampered)("%s", async (_what, change, problem) => {
    const { id, verify } = await decided(3);
    await change(id);
    const { valid, problems } = await verify();
    expect({ valid, problems }).toMatchObject({ valid: false, problems: [problem] });
  });

  test("a whole new chain does not have the hash that was noted", async () => {
    const { verify, ids } = await decided(2);
    const { head } = await verify();
    expect(await verify(`?number=${head.number}&hash=${head.hash}`)).toMatchObject({ valid: true });
    const other = await verify(`?number=1&hash=${head.hash}`);
    expect(other).toMatchObject({ valid: false, problems: [{ number: 1, message: "Record 1 has a different hash than the noted one" }] });
    expect(await verify(`?number=9&hash=${head.hash}`)).toMatchObject({ problems: [{ message: "There is no record 9" }] });
    expect(ids).toHaveLength(2);
  });

  test("a number without a hash is refused", async () => {
    const { path } = await decided(0);
    expect((await admin.get(`${path}/decision/verify?number=1`)).status).toBe(400);
  });
});

test("the chain continues from its anchor when old records are removed", async () => {
  const { id, verify, vote, submit } = await decided(3);
  await app.sql`delete from action where team_id = ${id}`;
  await app.sql`update decision set at = at - interval '40 days' where team_id = ${id} and number <= 2`;
  expect(await removeOldDecisions(app.sql, id, 30, 1)).toBe(1);
  expect(await removeOldDecisions(app.sql, id, 30, 1000)).toBe(1);
  expect(await removeOldDecisions(app.sql, id, 30, 1000)).toBe(0);
  await vote(await submit());
  expect(await verify()).toMatchObject({
    ...{ valid: true, checked: 2, head: { number: 4 }, problems: [] },
    anchor: { number: 2, date: expect.any(String) },
  });
  await app.sql`delete from decision where team_id = ${id} and number = 3`;
  expect(await verify()).toMatchObject({ valid: false, problems: [{ number: 3 }] });
});

test("a reader reads the records but can't check the chain; an outsider sees neither", async () => {
  const { path, member } = await decided(1);
  const reader = await member("reader");
  expect((await reader.get(`${path}/decision/query`)).body.totalElements).toBe(1);
  expect((await reader.get(`${path}/decision/verify`)).status).toBe(403);
});
