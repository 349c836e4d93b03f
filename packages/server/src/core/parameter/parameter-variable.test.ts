import { expect, test } from "vitest";
import { parameterVariable, sharedVariableWarnings } from "./parameter-variable.ts";

test.each([
  ["name", "PARAM_NAME"],
  ["some-name.x", "PARAM_SOME_NAME_X"],
  ["größe 2", "PARAM_GR__E_2"],
  ["", "PARAM_"],
])("the variable of %s is %s", (name, variable) => {
  expect(parameterVariable(name)).toBe(variable);
});

test("parameters that share a variable are named, with the one whose value it has", () => {
  const params = ["a-b", "other", "a_b", "A.B"].map((name) => ({ name, value: "" }));
  expect(sharedVariableWarnings(params)).toEqual([
    {
      code: "SHARED_VARIABLE",
      reference: "PARAM_A_B",
      why: 'the parameters "a-b" and "a_b" and "A.B" share this variable; it has the value of "A.B"',
    },
  ]);
  expect(sharedVariableWarnings(params.slice(0, 2))).toEqual([]);
});
