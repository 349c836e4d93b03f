import { expect, test } from "vitest";
import { letterOf, placeOf } from "./use-page-keys.ts";

test("each page of a team has a key, and so has the administration", () => {
  expect(["/home", "/mill/workflows", "/mill/actions", "/mill/manage", "/admin/teams"].map(letterOf)).toEqual(["h", "w", "i", "m", "d"]);
});

test("a page of the administration never gets the key of a team's page", () => {
  expect(["/admin/task-manager", "/admin/parameters", "/admin/insights"].map(letterOf)).toEqual([undefined, undefined, undefined]);
});

test("a key leads only to pages that are shown", () => {
  const places = [
    { name: "Home", link: "/home" },
    { name: "Activity", link: "/mill/activity" },
  ];
  expect(placeOf("a", places)?.link).toBe("/mill/activity");
  expect(placeOf("w", places)).toBeUndefined();
});
