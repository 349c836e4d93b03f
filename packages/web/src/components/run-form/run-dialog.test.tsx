import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { workflowQuery } from "../../api/queries/workflow/workflows.ts";
import type { Param } from "../../forms/parameter-values.ts";
import { service } from "../../ui/answer-requests.ts";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import { fieldOfOption } from "./run-body.ts";
import { RunDialog } from "./run-dialog.tsx";

// The page of a previous test may still have sent something.
beforeEach(() => {
  service.sent.length = 0;
});
afterEach(cleanup);

const params: Param[] = [
  { name: "city.name", type: "text", label: "City", required: true },
  { name: "count", type: "number", label: "Count" },
];

async function openDialog(asked = params) {
  const { user } = await showPage(<RunDialog team="owls" workflow="nightly" onClose={() => {}} />, [
    [callerQuery.queryKey, { id: "ada", permissions: ["workflow/action"], teams: [] }],
    [workflowQuery("owls", "nightly").queryKey, { data: { name: "nightly", version: 3, params: asked, tasks: [] }, etag: "1" }],
  ]);
  const run = () => user.click(screen.getByRole("button", { name: "Run" }));
  return { user, run };
}
const field = (name: string) => screen.getByRole("textbox", { name });

test("faults are shown at the parameters until they are changed, and nothing is sent", async () => {
  const { user, run } = await openDialog();
  await user.type(field("Count"), "1");
  await run();
  await waitFor(() => expect(faultOf(field("City"))).toBe("Enter a value."));
  expect(document.activeElement).toBe(field("City"));
  await user.type(field("City"), "Oslo");
  expect(faultOf(field("City"))).toBeUndefined();
  expect(service.sent).toEqual([]);
});

test("a read-only parameter looks like one, and a secret does not show whether it is set", async () => {
  const fixed: Param[] = [
    { name: "region", type: "text", label: "Region", readOnly: true, default: "eu" },
    { name: "key", type: "password", label: "Key", required: true, hiddenValue: true, default: "" },
  ];
  await openDialog(fixed);
  expect(field("Region").hasAttribute("readonly")).toBe(true);
  expect(field("Region").closest("[data-variant]")?.getAttribute("data-variant")).toBe("filled");
  expect(screen.getByPlaceholderText("Leave empty to use the stored secret")).toBeTruthy();
});

test("errors of the service are shown at their parameter or option, which is opened", async () => {
  const errors = [
    { path: "/params/0/value", message: "There is no such city." },
    { path: "/workflowVersion", message: "There is no version 7." },
  ];
  service.answers.push({ status: 400, body: { status: 400, reason: "VALIDATION_FAILED", message: "No.", errors } });
  const { user, run } = await openDialog();
  await user.type(field("City"), "Oslo");
  await run();
  await waitFor(() => expect(faultOf(field("City"))).toBe("There is no such city."));
  expect(faultOf(field("Version"))).toBe("There is no version 7.");
  expect(service.sent).toEqual([{ trigger: "manual", params: [{ name: "city.name", value: "Oslo" }] }]);
  await user.type(field("City"), "!");
  expect(faultOf(field("Version"))).toBe("There is no version 7.");
});

test.each([
  ["/workflowVersion", "version"],
  ["/labels/a", "labels"],
  ["/debug", "isDebug"],
  ["/trigger", undefined],
])("what is wrong at %s stands at the field %s", (path, name) => {
  expect(fieldOfOption(path)).toBe(name);
});
