import { expect, test } from "vitest";
import { holds } from "./permission.ts";

test.each([
  [["workflow/read"], "workflow/read", true],
  [["workflow/read"], "workflow/write", false],
  [["**/read"], "team/read", true],
  [["**/read"], "team/write", false],
  [["team/**"], "team/delete", true],
  [["team/**"], "token/delete", false],
  [["**/**"], "system/write", true],
  [["task/read", "team/**"], "team/grant", true],
  [[], "team/read", false],
  [["workflow/read"], "workflowrun/read", false],
])("%j holds %s: %s", (held, wanted, expected) => expect(holds(held, wanted)).toBe(expected));
