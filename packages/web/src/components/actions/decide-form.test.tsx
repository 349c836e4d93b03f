import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Action } from "../../api/queries/actions.ts";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { membersQuery } from "../../api/queries/members.ts";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { ActionHistory } from "./action-history.tsx";
import { ActionRequest } from "./action-request.tsx";
import { DecideForm } from "./decide-form.tsx";
import { CommentDialog, DelegateDialog } from "./discuss-action.tsx";

afterEach(() => {
  cleanup();
  service.sent.length = 0;
  service.answers.length = 0;
});

const open: Action = {
  ...{
    id: "a",
    workflowRef: "w",
    workflowName: "release",
    workflowDisplayName: "",
    workflowRunRef: "r",
    taskRunRef: "t",
    taskName: "ask",
    teamName: "hawks",
  },
  ...{ type: "approval", status: "submitted", creationDate: "2026-01-01T00:00:00Z", reminderCount: 0, requesterMayNotApprove: false },
  ...{ escalateAfter: null, escalateToRef: null, escalateToName: null, escalationDate: null, escalated: false },
  ...{
    title: null,
    instructions: null,
    links: [],
    deadline: null,
    reminder: null,
    reminderDate: null,
    delegatorRefs: [],
    delegateRefs: [],
  },
  ...{
    numberOfApprovers: 1,
    approvalsRequired: 1,
    numberOfApprovals: 0,
    approverGroupRef: null,
    approverGroupName: null,
    approverRefs: null,
  },
  actioners: [],
  fieldCount: 2,
  fields: [
    { name: "version", label: "Version", type: "text", required: true },
    { name: "count", label: "Count", type: "number", default: 2 },
  ],
};
const groups = [
  { id: "g", name: "leads", creationDate: "2026-01-01T00:00:00Z", approvers: [] },
  { id: "h", name: "others", creationDate: "2026-01-01T00:00:00Z", approvers: [] },
];
const known = (permissions: string[] = ["action/action"]) =>
  [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
    [teamQuery("hawks").queryKey, { name: "hawks", approverGroups: groups }],
    [membersQuery("hawks", { limit: 20 }).queryKey, { content: [{ id: "2", name: "Bo", email: "bo@example.com" }] }],
  ] as const;
const refuse = (body: object) => service.answers.push({ status: 400, body: { status: 400, message: "No.", ...body } });
const press = async (user: { click(element: Element): Promise<void> }, name: string) =>
  user.click(await screen.findByRole("button", { name }));

async function form(action: Action = open, permissions?: string[]) {
  const { user } = await showPage(<DecideForm team="hawks" action={action} requester={undefined} />, known(permissions));
  return user;
}

test("missing values are shown at their fields, and nothing is sent; a rejection needs none", async () => {
  const user = await form();
  const version = await screen.findByRole("textbox", { name: "Version" });
  await press(user, "Approve");
  expect(faultOf(version)).toBe("Enter a value.");
  expect(document.activeElement).toBe(version);
  expect(service.sent).toEqual([]);
  await user.type(version, "1.4");
  expect(faultOf(version)).toBeUndefined();
  await press(user, "Reject");
  await waitFor(() => expect(service.sent).toEqual([[{ id: "a", approved: false }]]));
});

test("values are sent by their types, and errors of the service are shown at the field", async () => {
  refuse({
    reason: "ACTION_INVALID_VALUES",
    errors: [
      { path: "0", message: "All." },
      { path: "0/values/version", message: "There is no version 1.4." },
    ],
  });
  const user = await form();
  const version = await screen.findByRole("textbox", { name: "Version" });
  await user.type(version, "1.4");
  await user.type(screen.getByRole("textbox", { name: "Comment" }), "Go");
  await press(user, "Approve");
  await waitFor(() => expect(faultOf(version)).toBe("There is no version 1.4."));
  expect(service.sent).toEqual([[{ id: "a", approved: true, comments: "Go", values: { version: "1.4" } }]]);
});

test("a group decides, whatever the role of its members is", async () => {
  service.answers.push({ status: 200, body: [] });
  const { user } = await showPage(
    <DecideForm team="hawks" action={{ ...open, fields: [], approverGroupRef: "g", approverGroupName: "leads" }} requester={undefined} />,
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: ["action/read"], teams: [] }],
      [teamQuery("hawks").queryKey, { name: "hawks", approverGroups: [{ ...groups[0], approvers: [{ id: "1", name: "Ada" }] }] }],
    ],
  );
  await press(user, "Reject");
  await waitFor(() => expect(service.sent).toEqual([[{ id: "a", approved: false }]]));
});

test("a person who can't vote sees the fields and the reason, and the buttons are disabled", async () => {
  await form(open, ["action/read"]);
  expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Version" })).disabled).toBe(true);
  screen.getByText(/you need the permission action\/action/);
  expect(screen.queryByRole("textbox", { name: "Comment" })).toBeNull();
});

test("a manual task is marked as done", async () => {
  await form({ ...open, type: "manual", fields: [] });
  screen.getByRole("button", { name: "Mark as done" });
  screen.getByRole("button", { name: "Can't be done" });
});

test("a message contains no HTML and loads nothing; links open safely; texts and logs can be opened", async () => {
  const action: Action = {
    ...open,
    instructions: "**Look** <b>raw</b> ![x](https://evil.example/x.png) [bad](javascript:alert(1)) [good](https://example.com)",
    links: [{ label: "Notes <b>", url: "https://example.com/notes" }],
    attachments: [
      { label: "Report", text: "<script>1</script>" },
      { label: "Build", taskName: "build", taskRunRef: "t1" },
      { label: "Gone", taskName: "gone", taskRunRef: null },
    ],
  };
  const { user } = await showPage(<ActionRequest team="hawks" action={action} />);
  // The code that renders Markdown is loaded on first use.
  await screen.findByRole("link", { name: "good" });
  expect(document.querySelectorAll("img, b, script")).toHaveLength(0);
  const links = screen.getAllByRole("link").map((link) => [link.textContent?.trim(), link.getAttribute("href"), link.getAttribute("rel")]);
  expect(links).toEqual([
    ["good", "https://example.com", "noopener noreferrer nofollow"],
    ["Notes <b>", "https://example.com/notes", "noopener noreferrer nofollow"],
    ["Log: Build", "/hawks/activity/r?task=t1", null],
  ]);
  await user.click(screen.getByText("Report"));
  await screen.findByText("<script>1</script>");
  screen.getByText("Gone: the run has no task gone");
});

test("the history says who did what", async () => {
  const date = "2026-01-01T00:00:00Z";
  const history: Action["history"] = [
    { kind: "opened", date },
    { kind: "comment", date, principalName: "Ada", comments: "Which region?" },
    { kind: "delegation", date, principalName: "Ada", delegatedTo: "Bo" },
    { kind: "reminder", date, count: 3 },
    { kind: "escalation", date, escalatedTo: "leads" },
    { kind: "vote", date, principalName: "Bo", approved: true, values: { version: "1.4", count: "" } },
  ];
  await showPage(<ActionHistory action={{ ...open, history }} />);
  const texts = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  expect(
    texts.map((text) => text.replace(/(\d+ \w+ ago|\d{1,2} \w+|\w+ \d{1,2}|yesterday|last \w+).*?(?=Which|$)/, "…").trim()),
  ).toHaveLength(6);
  expect(texts[1]).toMatch(/^Ada commented .*Which region\?$/);
  expect(texts[2]).toMatch(/^Ada delegated their vote to Bo/);
  expect(texts[3]).toMatch(/^3 reminders have come due/);
  expect(texts[4]).toMatch(/^Escalated to leads/);
  expect(texts[5]).toMatch(/^Bo approved .*Version1\.4$/);
});

test("a vote is delegated to a person or, where one approval decides, to another group", async () => {
  const { user } = await showPage(<DelegateDialog team="hawks" action={{ ...open, approverGroupRef: "g" }} onClose={() => {}} />, known());
  await press(user, "Delegate vote");
  const person = await screen.findByLabelText(/^Person/, { selector: "input" });
  expect(faultOf(person)).toBe("Choose a person.");
  await user.click(screen.getByText("An approver group"));
  await user.click(screen.getByLabelText(/^Approver group/, { selector: "input" }));
  const options = within(await screen.findByRole("listbox")).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["others"]);
  await user.click(options[0]!);
  await press(user, "Delegate vote");
  await waitFor(() => expect(service.sent).toEqual([{ group: "h" }]));
  cleanup();
  await showPage(<DelegateDialog team="hawks" action={{ ...open, approvalsRequired: 2 }} onClose={() => {}} />, known());
  expect(screen.queryByText("An approver group")).toBeNull();
});

test("a question needs a text", async () => {
  const { user } = await showPage(<CommentDialog title="Ask a question" team="hawks" action={open} onClose={() => {}} />, known());
  await press(user, "Send comment");
  const field = screen.getByRole("textbox", { name: "Comment" });
  expect(faultOf(field)).toBe("Enter a comment.");
  await user.type(field, " Why? ");
  await press(user, "Send comment");
  await waitFor(() => expect(service.sent).toEqual([{ comments: "Why?" }]));
});
