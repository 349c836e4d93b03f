import { expect, test } from "vitest";
import { quotaUse } from "./quota-rows.ts";

test.each([
  [0, 25, 0, "in use"],
  [19, 25, 0.76, "in use"],
  [20, 25, 0.8, "nearly used up"],
  [25, 25, 1, "used up"],
  [26, 25, 1, "over the limit"],
  [0, 0, 1, "used up"],
])("%d of %d", (used, limit, share, word) => expect(quotaUse(used, limit)).toMatchObject({ share, word }));
