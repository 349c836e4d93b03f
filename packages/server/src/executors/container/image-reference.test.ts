import { describe, expect, test } from "vitest";
import { imageText, parseImage } from "./image-reference.ts";

describe("the name of an image", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  test.each([
    ["busybox", "docker.io", "busybox", "busybox:latest"],
    ["library/busybox:1.36", "docker.io", "library/busybox", "library/busybox:1.36"],
    ["localhost/millrace-test:1", "localhost", "millrace-test", "localhost/millrace-test:1"],
    ["registry.example.com:5000/team/tool", "registry.example.com:5000", "team/tool", "registry.example.com:5000/team/tool:latest"],
    [`ghcr.io/a/b:v1@${digest}`, "ghcr.io", "a/b", `ghcr.io/a/b@${digest}`],
    [`tool__x@${digest}`, "docker.io", "tool__x", `tool__x@${digest}`],
  ])("%s is taken apart", (text, registry, path, asked) => {
    const reference = parseImage(text);
    expect(reference).toMatchObject({ registry, path });
    expect(reference && imageText(reference)).toBe(asked);
  });

  test.each([
    "",
    "Not an image",
    "a/../../containers/json?x",
    "a:b:c",
    "a@sha256:12",
    "a?x=1",
    "a#b",
    "/a",
    "a/",
    "lower/UPPER",
    "a//b",
    "a%2fb",
  ])("%s is none", (text) => {
    expect(parseImage(text)).toBeUndefined();
  });
});
