import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Action } from "../../api/queries/actions.ts";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { DecideForm } from "./decide-form.tsx";

afterEach(() => {
  cleanup();
  service.sent.length = 0;
  service.answers.length = 0;
});

type Field = Action["fields"][number];
type User = Awaited<ReturnType<typeof showPage>>["user"];

/** The form of an approval with these fields, once it is loaded: its fields and its buttons come together. */
async function formOf(...fields: Field[]) {
  const more = {
    approvalsRequired: 1,
    numberOfApprovals: 0,
    approverGroupRef: null,
    approverRefs: null,
    actioners: [],
    delegatorRefs: [],
    delegateRefs: [],
  };
  const action = {
    id: "a",
    type: "approval",
    status: "submitted",
    requesterMayNotApprove: false,
    fields,
    ...more,
  } as Partial<Action> as Action;
  const { user } = await showPage(<DecideForm team="hawks" action={action} requester={undefined} />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: ["action/action"], teams: [] }],
    [teamQuery("hawks").queryKey, { name: "hawks", approverGroups: [] }],
  ]);
  const approve = await screen.findByRole("button", { name: "Approve" });
  return { user, approve: () => user.click(approve) };
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`), { selector: "input, textarea" });
const sentValues = () => (service.sent.at(-1) as [{ values?: object }])[0].values;
const choices = [{ key: "eu", value: "Europe" }, { key: "us" }];

async function choose(user: User, name: string, ...options: string[]) {
  await user.click(field(name));
  const list = await screen.findByRole("listbox");
  for (const option of options) await user.click(within(list).getByRole("option", { name: option }));
}

test.each<[type: string, more: Partial<Field>, fill: (user: User) => Promise<unknown>, sent: unknown]>([
  ["text", {}, (user) => user.type(field("Value"), "1.4"), "1.4"],
  ["textarea", {}, (user) => user.type(field("Value"), "one{enter}two"), "one\ntwo"],
  ["number", {}, (user) => user.type(field("Value"), "12"), 12],
  ["boolean", {}, (user) => user.click(screen.getByRole("switch", { name: "Value" })), true],
  ["email", {}, (user) => user.type(field("Value"), "ada@example.com"), "ada@example.com"],
  ["url", {}, (user) => user.type(field("Value"), "https://example.com"), "https://example.com"],
  ["select", { options: choices }, (user) => choose(user, "Value", "Europe"), "eu"],
  ["multiselect", { options: choices }, (user) => choose(user, "Value", "Europe", "us"), ["eu", "us"]],
])("a field of type %s sends what was entered, by its type", async (type, more, fill, sent) => {
  const { user, approve } = await formOf({ name: "value", label: "Value", type, ...more });
  await fill(user);
  await approve();
  await waitFor(() => expect(service.sent).toHaveLength(1));
  expect(sentValues()).toEqual({ value: sent });
});

test("defaults are shown, and left to the service where they are not changed", async () => {
  const { user, approve } = await formOf(
    { name: "count", label: "Count", type: "number", default: 2, required: true },
    { name: "region", label: "Region", type: "select", options: choices, default: "eu", required: true },
    { name: "dry", label: "Dry run", type: "boolean", default: true },
    { name: "note", label: "Note", type: "textarea", default: "None" },
  );
  expect([field("Count").value, field("Region").value, field("Note").value]).toEqual(["2", "Europe", "None"]);
  expect(screen.getByRole<HTMLInputElement>("switch", { name: "Dry run" }).checked).toBe(true);
  await user.click(screen.getByRole("switch", { name: "Dry run" }));
  await approve();
  await waitFor(() => expect(service.sent).toHaveLength(1));
  expect(sentValues()).toEqual({ dry: false });
});

test("each invalid field shows its error, the first one gets the focus, and nothing is sent until all are valid", async () => {
  const { user, approve } = await formOf(
    { name: "version", label: "Version", type: "text" },
    { name: "region", label: "Region", type: "select", options: choices, required: true },
    { name: "note", label: "Note", type: "textarea", required: true },
  );
  await approve();
  expect(faultOf(field("Version"))).toBeUndefined();
  expect([faultOf(field("Region")), faultOf(field("Note"))]).toEqual(["Enter a value.", "Enter a value."]);
  expect(document.activeElement).toBe(field("Region"));
  await choose(user, "Region", "Europe");
  expect(faultOf(field("Region"))).toBeUndefined();
  await approve();
  expect(document.activeElement).toBe(field("Note"));
  expect(service.sent).toEqual([]);
  await user.type(field("Note"), "Checked");
  await approve();
  await waitFor(() => expect(service.sent).toHaveLength(1));
  expect(sentValues()).toEqual({ region: "eu", note: "Checked" });
});

test("an error of the service is shown at its field, whatever its type, and disappears once it is corrected", async () => {
  const refused = ["count", "region", "mail"].map((name) => ({ path: `0/values/${name}`, message: `No: ${name}` }));
  service.answers.push({ status: 400, body: { status: 400, reason: "ACTION_INVALID_VALUES", message: "No.", errors: refused } });
  const { user, approve } = await formOf(
    { name: "count", label: "Count", type: "number", default: 2 },
    { name: "region", label: "Region", type: "multiselect", options: choices },
    { name: "mail", label: "Mail", type: "email" },
  );
  await approve();
  await waitFor(() => expect(faultOf(field("Count"))).toBe("No: count"));
  expect([faultOf(field("Region")), faultOf(field("Mail"))]).toEqual(["No: region", "No: mail"]);
  await user.type(field("Mail"), "ada@example.com");
  expect(faultOf(field("Mail"))).toBeUndefined();
  expect(faultOf(field("Count"))).toBe("No: count");
});
