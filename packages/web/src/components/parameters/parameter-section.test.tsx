import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { answerBy, refusal, service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { ParameterSection } from "./parameter-section.tsx";

afterEach(cleanup);

const stored = [
  { name: "region", type: "text", value: "eu-west-1", description: "Where it runs" },
  { name: "key", type: "password", value: "", hiddenValue: true, label: "The key" },
];

function showParameters(permissions = ["**/**"]) {
  answerBy({
    "GET /protection": { protected: false, workflows: [], secrets: [] },
    "GET /team/hawks": { name: "hawks", parameters: stored },
  });
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions }];
  return showPage(<ParameterSection team="hawks" />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }],
    [teamQuery("hawks").queryKey, { name: "hawks", parameters: stored }],
  ]);
}

type User = Awaited<ReturnType<typeof showParameters>>["user"];

/** The form of a new parameter of that name and type. */
async function openForm(user: User, name: string, type: string) {
  await user.click(screen.getByRole("button", { name: "Add parameter" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add parameter" }));
  fireEvent.change(dialog.getByRole("textbox", { name: /^Name/ }), { target: { value: name } });
  await user.click(dialog.getByRole("combobox", { name: "Type" }));
  await user.click(await screen.findByRole("option", { name: type }));
  return { dialog, save: () => user.click(dialog.getByRole("button", { name: "Add parameter" })) };
}
const described = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-description");
const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test("a value is sent by its type, and an error is shown at its field", async () => {
  let refused = true;
  answerBy({
    "PATCH /team/hawks": () =>
      refused ? refusal(400, "No.", [{ path: "/parameters/0/value", message: "is too large" }]) : { status: 200, body: { name: "hawks" } },
  });
  const { user } = await showParameters();
  const { dialog, save } = await openForm(user, "retries", "Number");
  const value = dialog.getByRole("textbox", { name: "Value" });
  await user.type(value, "3");
  await save();
  await waitFor(() => expect(faultOf(value)).toBe("is too large"));
  refused = false;
  await save();
  await isClosed();
  const body = { parameters: [{ name: "retries", description: "", type: "number", value: 3 }] };
  expect(service.changes).toEqual([
    { method: "PATCH", path: "/team/hawks", body },
    { method: "PATCH", path: "/team/hawks", body },
  ]);
});

test("an edit of a secret that leaves it empty sends no value, and keeps what the form does not show", async () => {
  answerBy({ "PATCH /team/hawks": { name: "hawks" } });
  const { user } = await showParameters();
  await user.click(screen.getByRole("button", { name: "Edit key" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit key" }));
  dialog.getByText(/A value is stored/);
  fireEvent.change(dialog.getByRole("textbox", { name: "Description" }), { target: { value: "Of the website" } });
  await user.click(dialog.getByRole("button", { name: "Save parameter" }));
  await isClosed();
  expect(service.changes.map(({ body }) => body)).toEqual([
    { parameters: [{ name: "key", label: "The key", description: "Of the website", type: "password", value: "" }] },
  ]);
});

test("an editor can change but not delete; a reader can do neither, and both see why", async () => {
  const { user } = await showParameters(["**/read", "**/write"]);
  expect(described("Delete region")).toContain("team/delete");
  await user.click(screen.getByRole("button", { name: "Edit region" }));
  await screen.findByRole("dialog", { name: "Edit region" });
  cleanup();
  await showParameters(["**/read"]);
  expect(described("Edit region")).toContain("team/write");
  expect(described("Delete region")).toContain("team/delete");
});
