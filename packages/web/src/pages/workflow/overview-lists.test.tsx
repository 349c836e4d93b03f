import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showPage } from "../../ui/show-component.tsx";
import { OpenActions } from "./overview-lists.tsx";

afterEach(cleanup);

type Action = Parameters<typeof OpenActions>[0]["actions"][number];

const action = (id: string, title: string | null): Action =>
  ({
    ...{ id, title, type: "approval", status: "submitted", taskName: "approve", teamName: "hawks", workflowName: "release" },
    ...{ creationDate: "2026-01-01T10:00:00Z", deadline: null },
  }) as Action;

test("an open action has its title, so that two of one task differ; without one it has the name of its task", async () => {
  const actions = [action("a", "Release 1.4.1?"), action("b", "Release 1.4.2?"), action("c", null)];
  await showPage(
    <OpenActions team="hawks" actions={actions} />,
    [],
    "/hawks/workflows/release/overview",
    "/$team/workflows/$workflow/overview",
  );
  const names = ["Release 1.4.1?", "Release 1.4.2?", "approve"];
  expect(screen.getAllByRole("listitem").map((item) => names.find((name) => item.textContent?.startsWith(name)))).toEqual(names);
  for (const name of names) screen.getByRole("link", { name: new RegExp(`Decide.*${name.replace(/[?.]/g, ".")}`) });
});
