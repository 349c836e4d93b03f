import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { show } from "../../ui/show-component.tsx";
import { CollectPanel } from "./collect-panel.tsx";
import { type LimitsValue, newCollect } from "./limits-draft.ts";

afterEach(cleanup);

interface PanelProps {
  first?: LimitsValue["collect"];
  params?: string[];
  faults?: Record<string, string>;
}

function Panel({ first, params = ["events"], faults = {} }: PanelProps) {
  const [value, setValue] = useState(first);
  return <CollectPanel value={value} params={params} faultAt={(path) => faults[path]} onChange={setValue} />;
}

test("shows the fields of what is chosen, and takes the first parameter that can hold a list", async () => {
  const user = userEvent.setup();
  show(<Panel />);
  expect(screen.queryByRole("textbox", { name: /Start when no event/ })).toBeNull();
  await user.click(screen.getByRole("switch", { name: /^Start one run for many events/ }));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Start when no event has come for" }).value).toBe("10s");
  await user.click(screen.getByRole("combobox", { name: "The run gets" }));
  await user.click(screen.getByRole("option", { name: /batch/, hidden: true }));
  expect(screen.getByRole<HTMLInputElement>("combobox", { name: "Parameter for the list" }).value).toBe("events");
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Start with this many events" }).value).toBe("100");
  expect(screen.queryByRole("textbox", { name: /at the latest/ })).toBeNull();
});

test("says what is missing, and what was refused beside its field", () => {
  show(<Panel first={{ ...newCollect, kind: "batch" }} params={[]} faults={{ "/batch/period": "it must be at most 7d" }} />);
  expect(screen.getByText("First add a parameter of the type json to the workflow.")).toBeTruthy();
  expect(screen.getByText("it must be at most 7d")).toBeTruthy();
});
