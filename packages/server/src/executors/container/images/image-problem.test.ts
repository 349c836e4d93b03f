import { expect, test } from "vitest";
import { parseImage } from "../../images/image-reference.ts";
import { EngineRefusal } from "../engine/engine-error.ts";
import { toProblem } from "./image-problem.ts";

test("the digest of content at a URL in a manifest is not revealed", () => {
  const [expected, found] = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`);
  const words = `reading blob ${expected}: Digest did not match, expected ${expected}, got ${found}`;
  const image = "registry.test/a:1";
  const problem = toProblem(new EngineRefusal(500, words), image, parseImage(image)!, undefined) as Error;
  expect(problem.message).toContain(`expected ${expected}, got another`);
  expect(problem.message).not.toContain(found);
});
