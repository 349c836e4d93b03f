import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { navigationQuery } from "../../api/queries/identity/session.ts";
import { answerBy } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { CommandPalette } from "./command-palette.tsx";

afterEach(cleanup);

test("while the palette is loading, Escape closes it, and what is typed is searched for: it is no shortcut of the page", async () => {
  answerBy({ "/search": { hits: [] }, "/overview": { runs: [] }, "/search/workflowrun": { hits: [] } });
  await showPage(<CommandPalette team="hawks" />, [[navigationQuery("hawks").queryKey, [{ name: "Activity", link: "/hawks/activity" }]]]);
  const press = (key: string, init = {}) => fireEvent.keyDown(document.body, { key, code: key, ...init });
  press("k", { ctrlKey: true });
  press("x");
  press("Escape");
  press("k", { ctrlKey: true });
  for (const key of "act") press(key);
  expect(screen.queryByRole("combobox"), "none of the keys waited for its code").toBeNull();
  const field = await screen.findByRole<HTMLInputElement>("combobox");
  expect(field.value).toBe("act");
  await screen.findByRole("option", { name: /Activity/ });
});
