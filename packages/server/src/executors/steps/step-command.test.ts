import { expect, test } from "vitest";
import { stepCommand } from "./step-command.ts";

const view = { steps: "/steps" };

test("a step without script and command runs the program of its image with the arguments of the step", () => {
  expect(stepCommand({ name: "s", image: "a" }, "s", view)).toEqual({ argv: [], imageArgs: [], files: [] });
  expect(stepCommand({ name: "s", image: "a", args: ["x", "\0y"] }, "s", view)).toEqual({ argv: [], imageArgs: ["x", "y"], files: [] });
  expect(stepCommand({ name: "s", image: "a", command: ["x"], args: ["y"] }, "s", view)).toEqual({ argv: ["x", "y"], files: [] });
});

test("without an image, a step without script and command is refused, and an empty command counts as none", () => {
  expect(() => stepCommand({ name: "s", args: ["x"] }, "s", view)).toThrow("neither a script nor a command");
  expect(() => stepCommand({ name: "s", image: "a", command: ["", "x"] }, "s", view)).toThrow("neither a script nor a command");
});
