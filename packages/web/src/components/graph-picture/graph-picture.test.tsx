import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../../ui/show-component.tsx";
import { TaskPicture } from "./task-picture.tsx";

afterEach(cleanup);

test("a picture of a graph zooms in and out up to its limits, and resets", async () => {
  const { user } = show(<TaskPicture tasks={[{ name: "start", type: "start" }]} label="The graph" />);
  const width = () => Number(screen.getByRole("img").getAttribute("width"));
  const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  const actual = width();
  await user.click(button("Zoom in"));
  expect(width()).toBe(actual * 1.5);
  for (let times = 0; times < 2; times++) await user.click(button("Zoom in"));
  expect(button("Zoom in").disabled).toBe(true);
  await user.click(button("Actual size"));
  expect(width()).toBe(actual);
  for (let times = 0; times < 2; times++) await user.click(button("Zoom out"));
  expect([width(), button("Zoom out").disabled]).toEqual([actual / 2, true]);
});
