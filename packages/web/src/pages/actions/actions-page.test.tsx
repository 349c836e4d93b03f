import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { answerBy, refusal, service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { ActionsPage } from "./actions-page.tsx";

afterEach(cleanup);

const actionOf = (id: string) => ({
  ...{
    id,
    workflowRef: "w",
    workflowName: "race",
    workflowDisplayName: "Release race",
    workflowRunRef: `run-${id}`,
    taskRunRef: `t-${id}`,
  },
  ...{ taskName: "decide", teamName: "hawks", type: "approval", status: "submitted", creationDate: "2026-01-01T00:00:00Z", title: null },
  ...{ instructions: null, links: [], deadline: null, reminder: null, delegatorRefs: [], delegateRefs: [], actioners: [], fieldCount: 0 },
  ...{ approvalsRequired: 1, numberOfApprovals: 0, approverGroupRef: null, approverGroupName: null, approverRefs: null, fields: [] },
});

/** Opens the inbox of a team as a person who may decide there, and selects every action. */
async function selectAll() {
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions: ["**/read", "**/action"] }];
  const { user } = await showPage(
    <ActionsPage />,
    [[callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }]],
    "/hawks/actions?workflow=race",
    "/$team/actions",
  );
  await user.click(await screen.findByLabelText("Select all open actions on this page"));
  return user;
}

test("says for each vote whether it was accepted if someone else was faster", async () => {
  const content = [actionOf("a1"), actionOf("a2")];
  answerBy({
    "/action/query": { content, totalElements: 2, number: 0, empty: false },
    "/action/summary": { approvals: 2, manual: 0, approvalsRate: 0 },
    "/workflow/query": { content: [] },
    "GET /team/hawks": { name: "hawks", approverGroups: [] },
    "PUT /action": (sent) =>
      (sent as { id: string }[])[0]?.id === "a1"
        ? refusal(409, "The action can't be decided: it is approved already")
        : { status: 200, body: [] },
  });
  const user = await selectAll();
  screen.getByText("2 selected");
  await user.click(screen.getByRole("button", { name: "Reject selected" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Reject 2" }));
  await dialog.findByText("1 done, 1 refused");
  dialog.getByText(/it is approved already/);
  await waitFor(() =>
    expect(service.changes.map(({ body }) => body)).toEqual([[{ id: "a1", approved: false }], [{ id: "a2", approved: false }]]),
  );
});

test("a single action isn't decided before its request is shown, which would also move the button under the pointer", async () => {
  let resolve: (answer: { status: number; body: object }) => void = () => undefined;
  const request = new Promise<{ status: number; body: object }>((done) => (resolve = done));
  answerBy({
    "/action/query": { content: [actionOf("a1")], totalElements: 1, number: 0, empty: false },
    "/action/summary": { approvals: 1, manual: 0, approvalsRate: 0 },
    "/workflow/query": { content: [] },
    "GET /team/hawks": { name: "hawks", approverGroups: [] },
    "GET /action/a1": () => request,
  });
  const user = await selectAll();
  await user.click(screen.getByRole("button", { name: "Reject selected" }));
  const dialog = within(await screen.findByRole("dialog"));
  const isOff = () => dialog.getByRole("button", { name: "Reject" }).getAttribute("aria-disabled") === "true";
  expect(isOff()).toBe(true);
  resolve({ status: 200, body: { ...actionOf("a1"), instructions: "Look at the weather first." } });
  await dialog.findByText("Look at the weather first.");
  expect(isOff()).toBe(false);
});
