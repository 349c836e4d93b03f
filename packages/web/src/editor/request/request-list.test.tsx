import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { faultOf, showPage } from "../../ui/show-component.tsx";
import type { DraftTask } from "../draft/draft.ts";
import { setParam } from "../form/node-params.ts";
import { RequestList } from "./request-list.tsx";
import { RequestPreview } from "./request-preview.tsx";

afterEach(cleanup);

let task: DraftTask;

interface HeldProps {
  list?: "fields" | "links" | "attachments";
  value?: unknown;
}

function Held({ list = "fields", value }: HeldProps) {
  const [held, setHeld] = useState<DraftTask>({
    name: "approve",
    type: "approval",
    params: [{ name: "title", value: "Release" }, ...(value === undefined ? [] : [{ name: list, value }])],
  });
  task = held;
  return (
    <>
      <RequestList
        param={{ name: list, label: "Rows", type: "json" }}
        given={held.params?.find(({ name }) => name === list) as { name: string; value: unknown } | undefined}
        available={[]}
        upstream={["build"]}
        onChange={(name, next) => setHeld((old) => setParam(old, name, next))}
      />
      <RequestPreview task={held} type="approval" />
    </>
  );
}

const written = (name: string) => task.params?.find((param) => param.name === name)?.value;
const rows = () => within(screen.getByRole("group", { name: "Rows" })).queryAllByRole("region");

test("a field is added with a free name, and written as a list with what it has", async () => {
  const { user } = await showPage(<Held />);
  await user.click(screen.getByRole("button", { name: "Add field" }));
  await user.type(screen.getByRole("textbox", { name: "Label" }), "Region");
  await user.click(screen.getByRole("combobox", { name: "Type" }));
  await user.click(screen.getByRole("option", { name: "Single choice" }));
  await user.type(screen.getByRole("textbox", { name: "Choices" }), "eu = Europe{Enter}us");
  await user.click(screen.getByRole("checkbox", { name: "Required to approve" }));
  expect(written("fields")).toEqual([
    {
      name: "field",
      label: "Region",
      type: "select",
      options: [
        { key: "eu", value: "Europe" },
        { key: "us", value: "us" },
      ],
      required: true,
    },
  ]);
  await user.click(screen.getByRole("button", { name: "Add field" }));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("field-2");
});

test("an invalid name of a result is an error at its field", async () => {
  const value = [{ name: "region" }, { name: "b" }];
  const { user } = await showPage(<Held value={value} />);
  await user.click(screen.getByRole("button", { name: "b" }));
  const name = () => screen.getByRole("textbox", { name: "Name" });
  const type = (value: string) => fireEvent.change(name(), { target: { value } });
  for (const [typed, fault] of [
    ["2nd", /Start with a letter/],
    ["approvalStatus", /already has a result with this name/],
    ["region", /Another field/],
  ] as const) {
    type(typed);
    expect(faultOf(name())).toMatch(fault);
  }
});

test("rows can be reordered and removed; without rows the parameter is removed, and members not in the form are kept", async () => {
  const { user } = await showPage(<Held value={'[{"name": "a", "minValueLength": 3}, {"name": "b", "default": "$(params.x)"}]'} />);
  await user.click(screen.getByRole("button", { name: "Move b up" }));
  expect(written("fields")).toEqual([
    { name: "b", default: "$(params.x)" },
    { name: "a", minValueLength: 3 },
  ]);
  await user.click(screen.getByRole("button", { name: "Remove b" }));
  await user.click(screen.getByRole("button", { name: "Remove a" }));
  expect([written("fields"), rows()]).toEqual([undefined, []]);
});

test("a link has a URL and a label, an attachment a text or the log of a task before", async () => {
  const { user } = await showPage(<Held list="links" />);
  await user.click(screen.getByRole("button", { name: "Add link" }));
  await user.type(screen.getByRole("textbox", { name: "URL" }), "https://example.com/$(params.version)");
  expect(written("links")).toEqual([{ url: "https://example.com/$(params.version)" }]);
  cleanup();
  const { user: other } = await showPage(<Held list="attachments" />);
  await other.click(screen.getByRole("button", { name: "Add attachment" }));
  await other.click(screen.getByRole("combobox", { name: "What to attach" }));
  await other.click(screen.getByRole("option", { name: "Log of a task" }));
  expect(written("attachments")).toEqual([{ log: "build" }]);
});

test("a reference to a whole list is shown as text; lists are converted to rows and back", async () => {
  await showPage(<Held value="$(tasks.build.results.fields)" />);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Edit as form" }).disabled).toBe(true);
  cleanup();
  const { user } = await showPage(<Held value={[{ name: "a" }]} />);
  await user.click(screen.getByRole("button", { name: "Edit as JSON" }));
  expect(rowsShown()).toBe(false);
  await user.click(screen.getByRole("button", { name: "Edit as form" }));
  expect(rowsShown()).toBe(true);
});

const rowsShown = () => screen.queryByRole("group", { name: "Rows" }) !== null;

test("the preview shows the request with its fields, and nothing can be decided in it", async () => {
  const { user } = await showPage(<Held value={[{ name: "percent", label: "Share", type: "number", default: 10 }]} />);
  await user.click(screen.getByRole("button", { name: "Preview request" }));
  const preview = within(screen.getByRole("region", { name: "Preview of the request" }));
  preview.getByRole("heading", { name: "Release" });
  expect(preview.getByRole<HTMLInputElement>("textbox", { name: "Share" }).value).toBe("10");
  expect(preview.getByRole<HTMLButtonElement>("button", { name: "Approve" }).disabled).toBe(true);
});
