import { expect, test } from "vitest";
import { letterOf, placeOf } from "./use-page-keys.ts";

test("each place of a team has its letter, and so has the administration", () => {
  expect(["/home", "/mill/workflows", "/mill/actions", "/mill/manage", "/admin/teams"].map(letterOf)).toEqual(["h", "w", "i", "m", "d"]);
});

test("a place of the administration never takes the letter of a team's place", () => {
  expect(["/admin/task-manager", "/admin/parameters", "/admin/insights"].map(letterOf)).toEqual([undefined, undefined, undefined]);
});

test("a letter leads only to what is shown", () => {
  const places = [
    { name: "Home", link: "/home" },
    { name: "Activity", link: "/mill/activity" },
  ];
  expect(placeOf("a", places)?.link).toBe("/mill/activity");
  expect(placeOf("w", places)).toBeUndefined();
});
