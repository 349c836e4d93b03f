import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery, teamQuery } from "../../api/queries/identity/session.ts";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPages } from "../../ui/show-component.tsx";
import { CreateWorkflowPage } from "./create-workflow-page.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

async function showCreation(search = "", permissions = ["workflow/write"]) {
  const sent: object[] = [];
  service.byEnd.set("/team/owls/workflow", (body) => {
    sent.push(body as object);
    const { name } = body as { name: string };
    const refusal = { status: 409, reason: "WORKFLOW_NON_UNIQUE_NAME", message: 'There is a workflow "ship-it" already' };
    return name === "ship-it" ? { status: 409, body: refusal } : { status: 200, body: { name, warnings: [] } };
  });
  const shown = await showPages(
    { "/$team/workflows/create": CreateWorkflowPage },
    [
      [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions, teams: [] }],
      [teamQuery("owls").queryKey, { name: "owls", displayName: "Owls", quotas: {} }],
    ],
    `/owls/workflows/create${search}`,
  );
  return { ...shown, sent };
}

const create = () => screen.getByRole("button", { name: "Create and open designer" });
const name = () => screen.findByRole("textbox", { name: /^Name/ });

test("from scratch a taken name is refused at the field, and what was typed stays", async () => {
  const { user, sent, address } = await showCreation();
  fireEvent.change(await name(), { target: { value: "Ship it" } });
  fireEvent.change(screen.getByLabelText("Description"), { target: { value: "To production" } });
  screen.getByText(/Slug: ship-it/);
  await user.click(create());
  await expect.poll(async () => faultOf(await name())).toContain("ship-it");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Description").value).toBe("To production");
  fireEvent.change(await name(), { target: { value: "Ship it now" } });
  await user.click(create());
  await expect.poll(address).toBe("/owls/workflows/ship-it-now/design");
  expect(sent.at(-1)).toMatchObject({ name: "ship-it-now", displayName: "Ship it now", description: "To production", tasks: [] });
});

test("a workflow is created from a file, under another name", async () => {
  const { user, sent, address } = await showCreation("?from=file");
  const file = new File([JSON.stringify({ name: "exported", tasks: [] })], "exported.json", { type: "application/json" });
  const input = () => document.querySelector<HTMLInputElement>("input[type=file]");
  await expect.poll(input).not.toBeNull();
  await user.upload(input() as HTMLInputElement, file);
  fireEvent.change(await name(), { target: { value: "brought" } });
  await user.click(create());
  await expect.poll(address).toBe("/owls/workflows/brought/design");
  expect(sent).toEqual([{ name: "brought", tasks: [] }]);
});

test("a reader sees why it is not allowed", async () => {
  await showCreation("", ["workflow/read"]);
  expect((await screen.findByRole("alert")).textContent).toContain("workflow/write");
});
