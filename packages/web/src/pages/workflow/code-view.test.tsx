import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { service } from "../../ui/answer-requests.ts";
import { editorOf, showWorkflow, textOf } from "./show-workflow.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

/** Replaces the text, as pasting over all of it does. */
async function write(label: string, text: string) {
  await expect.poll(() => textOf(label)).toContain("report");
  act(() => editorOf(label)?.dispatch({ changes: { from: 0, to: textOf(label)?.length ?? 0, insert: text } }));
}

test("what is written in the code is drawn, and what can't be read is said and not saved", async () => {
  const { user, kept } = await showWorkflow("code?format=json");
  await write("Workflow as JSON", "{ broken");
  await screen.findByText(/^Invalid: /);
  const save = screen.getByRole("button", { name: "Save" });
  expect(save.getAttribute("aria-description")).toBe("Fix the errors in the code first.");
  await user.click(save);
  const rest = { name: "renamed", taskRef: "sleep", params: [{ name: "duration", value: 10 }], dependencies: [{ taskRef: "start" }] };
  act(() =>
    editorOf("Workflow as JSON")?.dispatch({
      changes: { from: 0, to: 8, insert: JSON.stringify({ name: "report", params: [], tasks: [{ name: "start" }, rest] }) },
    }),
  );
  await user.click(screen.getByRole("link", { name: "Design" }));
  await screen.findByRole("group", { name: /^renamed,/ });
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved as version 2.");
  expect(kept.saves.map(({ body }) => body.tasks?.map(({ name }) => name))).toEqual([["start", "renamed"]]);
});

test("comments are not kept, and a notice says so as soon as there is one", async () => {
  const { user } = await showWorkflow("code");
  await expect.poll(() => textOf("Workflow as YAML")).toContain("report");
  expect(screen.queryByText(/Comments are not saved/)).toBeNull();
  await write("Workflow as YAML", `# why it is there\n${textOf("Workflow as YAML")}`);
  expect(screen.getByRole("note").textContent).toContain("Comments are not saved: they are lost when the graph changes");
  await user.click(screen.getByRole("link", { name: "Design" }));
  await user.click(screen.getByRole("link", { name: "Code" }));
  await expect.poll(() => textOf("Workflow as YAML")).toContain("report");
  expect(textOf("Workflow as YAML")).not.toContain("why it is there");
});
