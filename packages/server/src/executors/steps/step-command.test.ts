import { expect, test } from "vitest";
import { stepCommand } from "./step-command.ts";

const view = { steps: "/steps" };

test("the image says what runs where a step has neither script nor command; its arguments are the step's", () => {
  expect(stepCommand({ name: "s", image: "a" }, "s", view)).toEqual({ argv: [], imageArgs: [], files: [] });
  expect(stepCommand({ name: "s", image: "a", args: ["x", "\0y"] }, "s", view)).toEqual({ argv: [], imageArgs: ["x", "y"], files: [] });
  expect(stepCommand({ name: "s", image: "a", command: ["x"], args: ["y"] }, "s", view)).toEqual({ argv: ["x", "y"], files: [] });
});

test("without an image there is nothing to run, and an empty command counts as none", () => {
  expect(() => stepCommand({ name: "s", args: ["x"] }, "s", view)).toThrow("neither a script nor a command");
  expect(() => stepCommand({ name: "s", image: "a", command: ["", "x"] }, "s", view)).toThrow("neither a script nor a command");
});
