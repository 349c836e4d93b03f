import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { tokensQuery } from "../../api/queries/identity/tokens.ts";
import { showPage } from "../../ui/show-component.tsx";
import { TokenSection } from "./token-section.tsx";

afterEach(cleanup);

test("an editor gives a token no more than the editor's own permissions", async () => {
  const teams = [{ id: "t1", name: "hawks", displayName: "Hawks", permissions: ["**/read", "**/write", "**/action"] }];
  const { user } = await showPage(<TokenSection kind="team" team="hawks" />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams }],
    [tokensQuery("team", "hawks").queryKey, { content: [], totalElements: 0 }],
  ]);
  await user.click(screen.getByRole("button", { name: "Create token" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Create token" }));
  const isDisabled = (permission: string) => dialog.getByRole<HTMLInputElement>("checkbox", { name: permission }).disabled;
  expect([isDisabled("workflow/delete"), isDisabled("workflow/write")]).toEqual([true, false]);
});
