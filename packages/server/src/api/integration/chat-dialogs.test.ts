import { beforeEach, describe, expect, test } from "vitest";
import { makeTriggered, paramsOf } from "../../../test/kit/integration-kit.ts";
import { chatKit } from "../../../test/kit/outbound/chat-kit.ts";
import { startClock } from "../../../test/kit/processor-ms.ts";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow as workflowOf } from "../../../test/kit/run-simulator.ts";

/** What people do in dialogs, and with the buttons of messages. */
const { app, kit: engine, team: newTeam } = await runKit();
const kit = await chatKit(app);
const { chat } = kit;
const webhook = { webhook: { enabled: true } };
let views = 0;

beforeEach(() => chat.reset());

/** Values of the inputs of a dialog, as the platform sends them. */
function filled(values: Record<string, unknown>) {
  const state = (value: unknown) => {
    if (Array.isArray(value)) return { type: "multi_static_select", selected_options: value.map((one) => ({ value: one })) };
    return typeof value === "object" ? value : { type: "plain_text_input", value };
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value: state(value) }]));
}
interface Input {
  block_id: string;
  optional: boolean;
  element: { type: string };
}
const chosen = (value: string) => ({ type: "static_select", selected_option: { value } });

describe("the dialog of a run", () => {
  const declared = [
    { name: "who", label: "Who <b>", description: "whom to greet", required: true },
    { name: "times", type: "number", default: 2 },
    { name: "loud", type: "boolean", default: true },
    {
      name: "color",
      type: "select",
      options: [
        { key: "r", value: "Red" },
        { key: "b", value: "Blue" },
      ],
      default: "b",
    },
    {
      name: "many",
      type: "multiselect",
      options: [
        { key: "x", value: "X" },
        { key: "y", value: "Y" },
      ],
      default: ["y"],
    },
    { name: "mail", type: "email" },
    { name: "page", type: "url", default: "https://example.com" },
    { name: "note", type: "textarea", default: "$(params.who)" },
    { name: "token", type: "password", default: "stored-secret" },
    { name: "fixed", readOnly: true, default: "f" },
  ];

  async function prepared(params: readonly object[] = declared, triggers: object = webhook) {
    const team = await app.make.team();
    const member = await app.make.member(team.id, "editor");
    const workspace = await kit.workspace([team.id]);
    const user = kit.person(workspace, member.email);
    const workflow = await makeTriggered(app, team.id, "greet", triggers, { params });
    const view = (more: object = {}, values: Record<string, unknown> = {}) => ({
      type: "view_submission",
      view: { id: `V-${++views}`, callback_id: "run-workflow", private_metadata: workflow, state: { values: filled(values) }, ...more },
    });
    const runs = () => app.sql`select id, trigger, initiated_by, params from run where team_id = ${team.id} order by id`;
    return {
      team,
      member,
      workspace,
      user,
      workflow,
      view,
      runs,
      submit: (payload: Record<string, unknown>) => kit.interact(workspace, user, payload),
    };
  }

  test("has an input for each parameter, as its type wants it, and none for secrets", async () => {
    const { workspace, user, team } = await prepared();
    expect(await kit.say(workspace, user, "run greet")).toBeUndefined();
    const { view } = chat.callsOf("views.open")[0]!.args;
    const inputs = view.blocks.filter(({ type }: { type: string }) => type === "input");
    const shown = inputs.map(({ block_id, optional, element }: Input) => [block_id, optional, element.type]);
    expect(shown).toEqual([
      ["who", false, "plain_text_input"],
      ["times", true, "number_input"],
      ["loud", true, "static_select"],
      ["color", true, "static_select"],
      ["many", true, "multi_static_select"],
      ["mail", true, "email_text_input"],
      ["page", true, "url_text_input"],
      ["note", true, "plain_text_input"],
    ]);
    expect(inputs[0]).toMatchObject({ label: { type: "plain_text", text: "Who <b>" }, hint: { text: "whom to greet" } });
    expect(inputs[1].element.initial_value).toBe("2");
    expect(inputs[2].element.initial_option.value).toBe("true");
    expect(inputs[3].element.initial_option).toMatchObject({ value: "b", text: { text: "Blue" } });
    expect(inputs[4].element.initial_options).toHaveLength(1);
    expect(view.blocks[0].text.text).toBe(`*greet* of team ${team.name}`);
    expect(JSON.stringify(view)).not.toContain("stored-secret");
  });

  test("starts the run as the user before it responds, and a message reports it", async () => {
    const { team, member, user, workflow, runs, view, submit } = await prepared();
    const values = {
      who: "Ada",
      times: "3",
      loud: chosen("false"),
      color: chosen("r"),
      many: ["x", "y"],
      mail: null,
      page: "",
      token: "mine",
      extra: "e",
    };
    const answer = await submit(view({}, values));
    const [run] = await runs();
    expect(run).toMatchObject({ trigger: "webhook", initiated_by: `user:${member.id}` });
    expect(paramsOf(run as never)).toMatchObject({
      who: "Ada",
      times: 3,
      loud: false,
      color: "r",
      many: ["x", "y"],
      page: "https://example.com",
    });
    expect(JSON.stringify(run!["params"])).not.toContain("mine");
    expect(answer).toMatchObject({ status: 200, body: { response_action: "update", view: { title: { text: "Started" } } } });
    expect(answer.text).toContain(run!["id"]);
    await app.backgroundJobs.settled();
    const [message] = chat.callsOf("chat.postMessage");
    expect(message!.args).toMatchObject({ channel: user, text: expect.stringContaining(`/activity/${run!["id"]}|`) });
    const [record] = await app.sql`select principal_id, action, team_id, after from audit where object_id = ${run!["id"]}`;
    expect(record).toMatchObject({
      principal_id: `user:${member.id}`,
      action: "workflow/action",
      team_id: team.id,
      after: { via: "chat" },
    });
    expect(workflow).toBe((await app.as().get(`/api/v2/team/${team.id}/workflowrun/${run!["id"]}`)).body.workflowRef);
  });

  test("that is sent several times at once starts one run, and is answered each time", async () => {
    const { runs, view, submit } = await prepared();
    const same = view({}, { who: "Ada" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(same)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await runs()).toHaveLength(1);
    await submit(view({}, { who: "Ada" }));
    expect(await runs()).toHaveLength(2);
    await app.backgroundJobs.settled();
    expect(chat.callsOf("chat.postMessage")).toHaveLength(2);
  });

  test("with characters that can't be stored starts the run with repaired text", async () => {
    const { view, submit, runs } = await prepared();
    expect((await submit(view({ id: "V\0" }, { who: "a\0b\ud83d" }))).body.view.title.text).toBe("Started");
    expect(paramsOf((await runs())[0] as never)["who"]).toBe("a\u2400b\ufffd");
  });

  test("shows errors beside the inputs, and starts the run once they are corrected", async () => {
    const { runs, view, submit } = await prepared();
    const wrong = view({}, { who: null, times: "many", color: chosen("green") });
    const { body } = await submit(wrong);
    expect(body).toMatchObject({
      response_action: "errors",
      errors: {
        who: expect.stringContaining("is required"),
        times: expect.stringContaining("must be a number"),
        color: expect.stringContaining("must be one of r, b"),
      },
    });
    expect(await runs()).toEqual([]);
    const right = { ...wrong, view: { ...wrong.view, state: { values: filled({ who: "Ada", times: "5" }) } } };
    expect((await submit(right)).body.response_action).toBe("update");
    expect(await runs()).toHaveLength(1);
  });

  test("gives no rights: the submitter needs the permission to start the workflow", async () => {
    const { team, workspace, workflow, runs, view } = await prepared([]);
    const reader = kit.person(workspace, (await app.make.member(team.id, "reader")).email);
    const outsider = kit.person(workspace, (await app.make.user()).email);
    const nobody = kit.person(workspace, "nobody@example.com");
    for (const [who, why] of [
      [reader, "needs the permission workflow/action"],
      [outsider, "There is no workflow"],
      [nobody, "no active user has the address"],
    ] as const) {
      const { body } = await kit.interact(workspace, who, view());
      expect([body.response_action, body.view.title.text]).toEqual(["update", "Not started"]);
      expect(body.view.blocks[0].text.text).toContain(why);
    }
    const foreign = await prepared([]);
    expect((await foreign.submit(foreign.view({ private_metadata: workflow }))).text).toContain("There is no workflow");
    for (const metadata of ["", "x".repeat(5000), "../build", '{"workflow":1}', "\0"]) {
      expect((await foreign.submit(foreign.view({ private_metadata: metadata }))).status).toBe(200);
    }
    expect([await runs(), await foreign.runs()]).toEqual([[], []]);
  });

  test("checks trigger, status and quota when it is submitted, not when it was opened", async () => {
    const { workflow, team, view, submit, runs } = await prepared([]);
    await app.sql`update workflow set triggers = '{}' where id = ${workflow}`;
    expect((await submit(view())).text).toContain("Trigger webhook of workflow greet is not enabled");
    await app.sql`update workflow set triggers = ${JSON.stringify(webhook)}::json, status = 'inactive' where id = ${workflow}`;
    expect((await submit(view())).text).toContain("is not active");
    await app.sql`update workflow set status = 'active' where id = ${workflow}`;
    await app.sql`update team set max_workflow_run_monthly = 0 where id = ${team.id}`;
    expect((await submit(view())).text).toContain("Not started");
    expect(await runs()).toEqual([]);
  });

  test("is answered in time while the platform hangs: at once when it lately said who the sender is", async () => {
    const { workspace, user, view, submit, runs } = await prepared([]);
    await kit.say(workspace, user, "run greet");
    chat.fail("users.info", "HANG", "HANG");
    chat.fail("chat.postMessage", "HANG");
    expect((await submit(view())).body.view.title.text).toBe("Started");
    await app.sql`update chat_user set checked_at = checked_at - interval '11 minutes' where ref = ${user}`;
    const expectWithin = startClock();
    expect((await submit(view())).text).toContain("did not respond in time");
    expectWithin(3000);
    expect(await runs()).toHaveLength(1);
  });

  test("that is forged does nothing", async () => {
    const { view, submit, runs } = await prepared([]);
    expect((await submit(view({ callback_id: "other" }))).text).toBe("{}");
    expect((await submit({ ...view(), type: "view_closed" })).text).toBe("{}");
    expect(await runs()).toEqual([]);
  });
});

describe("the buttons of a message about an action", () => {
  /** A run that waits for an approval, and a message about it. */
  async function waiting(values: Record<string, unknown> = {}) {
    const made = await newTeam();
    await made.workflow("release", workflowOf(node("ask", "approval", ["start"], params(values))));
    const workspace = await kit.workspace([made.id]);
    const name = `release-${made.id.slice(-6)}`;
    const { id: runId } = await made.submit("release");
    const [row] = await app.sql<{ id: string }[]>`select id from action where run_id = ${runId}`;
    const ts = `1.${name}`;
    chat.messages.set(`C1/${ts}`, { text: "open" });
    const press = (user: string, id: "approve-action" | "reject-action", more: { value?: string; comment?: string } = {}) =>
      kit.interact(workspace, user, {
        type: "block_actions",
        trigger_id: "T1",
        actions: [{ action_id: id, value: more.value ?? row!.id }],
        container: { channel_id: "C1", message_ts: ts },
        state: { values: { comment: { comment: { type: "plain_text_input", value: more.comment ?? null } } } },
      });
    const member = async (role: "owner" | "editor" | "reader") => {
      const { email, userId } = await made.member(role);
      return { user: kit.person(workspace, email), userId, email };
    };
    const action = async () => (await app.as().get(`${made.path}/action/${row!.id}`)).body;
    const message = async () => {
      await app.backgroundJobs.settled();
      return JSON.stringify(chat.messages.get(`C1/${ts}`));
    };
    const told = async () => {
      await app.backgroundJobs.settled();
      return chat.answers.at(-1)?.text;
    };
    return { ...made, workspace, runId, actionId: row!.id, press, member, action, message, told };
  }

  test("a comment that is too long is cut, also within a character", async () => {
    const { press, member, action, path } = await waiting();
    const { user } = await member("editor");
    expect(await press(user, "approve-action", { comment: `${"a".repeat(1999)}😀` })).toMatchObject({ status: 200, text: "{}" });
    expect((await action()).actioners).toMatchObject([{ comments: `${"a".repeat(1999)}\ufffd` }]);
    expect((await app.as().get(`${path}/decision/verify`)).body).toMatchObject({ valid: true, checked: 1 });
  });

  test.each([
    ["approve-action", "approved", "succeeded"],
    ["reject-action", "rejected", "failed"],
  ] as const)("%s casts the vote of the user, and the message says who decided", async (button, status, taskStatus) => {
    const { press, member, action, message, run, runId } = await waiting();
    const { user, userId } = await member("editor");
    expect(await press(user, button, { comment: "<!channel> \0fine" })).toMatchObject({ status: 200, text: "{}" });
    expect(await action()).toMatchObject({
      status,
      actioners: [{ approverId: userId, approved: status === "approved", comments: "<!channel> \u2400fine" }],
    });
    await engine.settle();
    expect((await run(runId)).tasks.find(({ name }: { name: string }) => name === "ask").status).toBe(taskStatus);
    const text = await message();
    expect(text).toContain(status === "approved" ? "Approved by" : "Rejected by");
    expect(text).toContain("&lt;!channel&gt; \u2400fine");
    expect(text).not.toContain("approve-action");
    const [record] =
      await app.sql`select principal_id, action, after from audit where object_kind = 'action' and principal_id = ${`user:${userId}`}`;
    expect(record).toMatchObject({ action: "action/action", after: { via: "chat", status } });
  });

  test("follow the rules of PUT /action: role, group and who started the run", async () => {
    const { press, member, action, told } = await waiting({ numberOfApprovers: 2 });
    const reader = await member("reader");
    expect((await press(reader.user, "approve-action")).text).toBe("{}");
    expect(await told()).toContain("Not allowed: voting on action");
    const [one, two] = [await member("editor"), await member("owner")];
    await press(one.user, "approve-action");
    await press(one.user, "approve-action");
    expect(await told()).toContain("has voted on it already");
    expect(await action()).toMatchObject({ status: "submitted", numberOfApprovals: 1 });
    await press(two.user, "approve-action");
    expect(await action()).toMatchObject({ status: "approved", numberOfApprovals: 2 });
  });

  test("stay, with the votes so far, until it is decided", async () => {
    const { press, member, message } = await waiting({ numberOfApprovers: 2 });
    await press((await member("editor")).user, "approve-action");
    const text = await message();
    expect(text).toContain("Approved by");
    expect(text).toContain("approve-action");
  });

  test("are replaced by who decided it elsewhere", async () => {
    const { press, member, message, told, path, actionId } = await waiting();
    const decider = await member("owner");
    const token = await app.make.userToken(decider.userId);
    expect((await app.as(token).put(`${path}/action`, [{ id: actionId, approved: false }])).status).toBe(204);
    await press((await member("editor")).user, "approve-action");
    expect(await told()).toContain(`already rejected by ${decider.email.split("@")[0]}`);
    expect(await message()).not.toContain("approve-action");
  });

  test("show nothing of an action to users who can't see it", async () => {
    const [one, other] = [await waiting(), await waiting()];
    const { user } = await one.member("owner");
    for (const value of [other.actionId, "x", "", `${other.actionId}\0`, "00000000-0000-4000-8000-000000000000"]) {
      chat.answers.length = 0;
      expect((await one.press(user, "approve-action", { value })).text).toBe("{}");
      expect(await one.told(), value).toContain("There is no action");
    }
    expect((await other.action()).status).toBe("submitted");
    const nobody = kit.person(one.workspace, "nobody@example.com");
    await one.press(nobody, "approve-action");
    expect(await one.told()).toContain("no active user has the address nobody@example.com");
    expect((await one.action()).status).toBe("submitted");
  });

  test("pressed by many at once count each person once", async () => {
    const { press, member, action } = await waiting({ numberOfApprovers: 3 });
    const people = [await member("editor"), await member("editor"), await member("owner")];
    for (const { user } of people) await press(user, "approve-action", { value: "warm-up" });
    await Promise.all([...people, ...people].map(({ user }) => press(user, "approve-action")));
    expect(await action()).toMatchObject({ status: "approved", numberOfApprovals: 3 });
  });

  test("open a dialog where there is something to fill in, and its values are results of the task", async () => {
    const fields = [
      { name: "comment", label: "Version", required: true },
      { name: "count", type: "number" },
    ];
    const { press, member, action, message, workspace, run, runId } = await waiting({
      title: "Release 1.4",
      fields,
      instructions: "**Look** <!here>",
    });
    const { user } = await member("editor");
    await press(user, "approve-action");
    expect(await action()).toMatchObject({ status: "submitted", actioners: [] });
    const { view, trigger_id } = chat.callsOf("views.open")[0]!.args;
    expect([trigger_id, view.callback_id, view.submit.text]).toEqual(["T1", "approve-action", "Approve"]);
    expect(view.blocks.map(({ block_id, type }: { block_id?: string; type: string }) => block_id ?? type)).toEqual([
      "section",
      "comment",
      "count",
      "millrace.comment",
    ]);
    expect(JSON.stringify(view)).toContain("*Look* &lt;!here&gt;");
    const send = (by: string, values: Record<string, unknown>, metadata = view.private_metadata) =>
      kit.interact(workspace, by, {
        type: "view_submission",
        view: { id: "V-1", callback_id: "approve-action", private_metadata: metadata, state: { values: filled(values) } },
      });
    expect(JSON.parse((await send(user, { comment: "", count: "many" })).text)).toEqual({
      response_action: "errors",
      errors: { comment: 'field "comment" is required', count: 'field "count" must be a number, but is "many"' },
    });
    const reader = await member("reader");
    expect((await send(reader.user, { comment: "1.4" })).text).toContain("Not allowed: voting on action");
    expect((await send(user, { comment: "1.4" }, "{}")).text).toContain("There is no action");
    expect(JSON.parse((await send(user, { comment: "1.4", "millrace.comment": "Go" })).text)).toEqual({ response_action: "clear" });
    expect(await action()).toMatchObject({ status: "approved", actioners: [{ comments: "Go", values: { comment: "1.4", count: "" } }] });
    expect(await message()).toContain("Release 1.4 of release: approved");
    const ask = (await run(runId)).tasks.find(({ name }: { name: string }) => name === "ask");
    expect(ask.results).toContainEqual({ name: "comment", value: "1.4" });
    expect((await send(user, { comment: "1.5" })).text).toContain("approved already");
  });

  test("reject at once, whatever there is to fill in", async () => {
    const { press, member, action } = await waiting({ fields: [{ name: "version", required: true }] });
    await press((await member("editor")).user, "reject-action");
    expect(await action()).toMatchObject({ status: "rejected" });
  });

  test("of another kind do nothing", async () => {
    const { workspace, member, action, actionId } = await waiting();
    const { user } = await member("owner");
    for (const actions of [[{ action_id: "other", value: actionId }], [], null, [5]]) {
      expect((await kit.interact(workspace, user, { type: "block_actions", actions })).text).toBe("{}");
    }
    expect((await action()).status).toBe("submitted");
  });
});
