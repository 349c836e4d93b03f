import { ApiError } from "@millrace/client/api-error.ts";
import { expect, test } from "vitest";
import { placeErrors } from "./place-errors.ts";

const refusal = (...errors: { path: string; message: string }[]) =>
  new ApiError(400, "VALIDATION_FAILED", "2 members are wrong.", "r1", errors);
const names = ["name", "quotas", "limits.runs"];

test.each([
  ["nothing", null, {}, undefined],
  ["what names no place, as a whole", new ApiError(409, "CONFLICT", "The name is taken."), {}, "The name is taken."],
  ["what never reached the service", new Error("No answer."), {}, "No answer."],
  ["a member, at its field alone", refusal({ path: "/name", message: "Too long." }), { name: "Too long." }, undefined],
  [
    "two faults of a member, one after the other",
    refusal({ path: "/name", message: "Too long." }, { path: "/name", message: "No blanks." }),
    { name: "Too long. No blanks." },
    undefined,
  ],
  ["a member inside, at its own field", refusal({ path: "/limits/runs", message: "Too many." }), { "limits.runs": "Too many." }, undefined],
  ["a member inside, at the field around it", refusal({ path: "/quotas/3/max", message: "Too many." }), { quotas: "Too many." }, undefined],
  ["a place that has another name in the form", refusal({ path: "/displayName", message: "Empty." }), { name: "Empty." }, undefined],
  [
    "what has no field, beside what has one",
    refusal({ path: "/name", message: "Too long." }, { path: "/labels/a", message: "Not text." }),
    { name: "Too long." },
    "/labels/a: Not text.",
  ],
  ["places without any field, by the whole message", refusal({ path: "/labels/a", message: "Not text." }), {}, "2 members are wrong."],
])("a refusal shows %s", (_, error, fields, rest) => {
  expect(placeErrors(error, names, { "/displayName": "name" })).toEqual({ fields, rest });
});

test("a function can choose the field of an error; for other errors the path decides", () => {
  const places = ({ path, reason }: { path: string; reason: string }) =>
    reason === "CONFLICT" ? "name" : path === "/params/0" ? "params.city" : undefined;
  const placed = (error: unknown) => placeErrors(error, names, places);
  expect(placed(new ApiError(409, "CONFLICT", "The name is taken."))).toEqual({ fields: { name: "The name is taken." }, rest: undefined });
  expect(placed(refusal({ path: "/params/0", message: "No such city." }, { path: "/quotas/3", message: "Too many." }))).toEqual({
    fields: { "params.city": "No such city.", quotas: "Too many." },
    rest: undefined,
  });
});
