import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showPage } from "../../ui/show-component.tsx";
import { ActivatePage } from "./activate-page.tsx";

afterEach(cleanup);

test("an instance can't be activated twice: the page leads to the next one", async () => {
  const caller = { kind: "global", id: "token:1", name: "admin token", email: null, userId: null, permissions: ["**/**"], teams: [] };
  await showPage(<ActivatePage />, [[["caller"], caller]]);
  screen.getByRole("heading", { name: "This instance is already activated" });
  expect(screen.queryByLabelText("One-time code")).toBeNull();
  expect(screen.getByRole("link", { name: "Go to the home page" }).getAttribute("href")).toBe("/home");
});
