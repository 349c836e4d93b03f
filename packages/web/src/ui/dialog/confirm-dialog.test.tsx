import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../show-component.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

afterEach(cleanup);

test.each([
  [false, 1],
  [true, 0],
])("Enter does what was asked for, but nothing that is dangerous (%s)", async (isDangerous, times) => {
  const onConfirm = vi.fn(async () => {});
  const { user } = show(
    <ConfirmDialog isOpen onClose={() => {}} title="Go on?" action="Go on" isDangerous={isDangerous} onConfirm={onConfirm}>
      It can be undone.
    </ConfirmDialog>,
  );
  await screen.findByRole("button", { name: "Go on" });
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("BUTTON"));
  await user.keyboard("{Enter}");
  expect(onConfirm).toHaveBeenCalledTimes(times);
});
