import { expect, test } from "vitest";
import { imagesOfSteps } from "./executor-set.ts";

const steps = [
  { name: "a", image: " alpine ", script: "x" },
  { name: "b", script: "y" },
  { name: "c", image: " " },
];

test("processes have no images, containers that of the step or of the instance", () => {
  expect(imagesOfSteps(steps, "process", "debian")).toEqual([{ name: "a", script: "x" }, { name: "b", script: "y" }, { name: "c" }]);
  expect(imagesOfSteps(steps, "container", "debian").map(({ image }) => image)).toEqual(["alpine", "debian", "debian"]);
  expect(imagesOfSteps(steps, "kubernetes", null).map(({ image }) => image)).toEqual(["alpine", undefined, undefined]);
});
