import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../show-component.tsx";
import { ActionButton } from "./action-button.tsx";

afterEach(cleanup);

const save = (whyNot: string | undefined, onClick = () => {}) => (
  <ActionButton whyNot={whyNot} onClick={onClick}>
    Save
  </ActionButton>
);

test("a button that can't be pressed says why, and does nothing", async () => {
  const onClick = vi.fn();
  const { user } = show(save("No unsaved changes", onClick));
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onClick).not.toHaveBeenCalled();
  expect((await screen.findByRole("tooltip")).textContent).toBe("No unsaved changes");
});

test("right after a press it shows no reason until the pointer returns", async () => {
  const { user, again } = show(save(undefined));
  await user.click(screen.getByRole("button", { name: "Save" }));
  again(save("No unsaved changes"));
  await user.hover(screen.getByRole("button", { name: "Save" }));
  expect(screen.queryByRole("tooltip")).toBeNull();
  await user.unhover(screen.getByRole("button", { name: "Save" }));
  await user.hover(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("tooltip")).textContent).toBe("No unsaved changes");
});
