import { expect, test } from "vitest";
import { preferredType } from "./preferred-type.ts";

const possible = ["application/json", "application/x-yaml"] as const;

test.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  [" ", "application/json"],
  ["application/*", "application/json"],
  ["text/yaml", "application/x-yaml"],
  ["application/yaml;q=0.9, application/json;q=0.5", "application/x-yaml"],
  ["application/json;q=0, */*", "application/x-yaml"],
  ["text/html, */*;q=0.1", "application/json"],
  ["APPLICATION/X-YAML", "application/x-yaml"],
  ["application/json;q=abc, application/x-yaml;q=0.1", "application/x-yaml"],
])("%s means %s", (header, type) => expect(preferredType(header, possible)).toBe(type));

test.each(["text/html", "*/*;q=0", "application/json;q=0, application/x-yaml;q=0"])("%j accepts nothing that is available", (header) => {
  expect(() => preferredType(header, possible)).toThrow("is available");
});
