import { describe, expect, test } from "vitest";
import { imageText, parseImage } from "./image-reference.ts";

describe("the name of an image", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  test.each([
    ["busybox", "docker.io", "library/busybox", "docker.io/library/busybox:latest"],
    ["deadbeef", "docker.io", "library/deadbeef", "docker.io/library/deadbeef:latest"],
    ["library/busybox:1.36", "docker.io", "library/busybox", "docker.io/library/busybox:1.36"],
    ["index.docker.io/busybox:1.36", "docker.io", "library/busybox", "docker.io/library/busybox:1.36"],
    ["localhost/millrace-test:1", "localhost", "millrace-test", "localhost/millrace-test:1"],
    ["registry.example.com:5000/team/tool", "registry.example.com:5000", "team/tool", "registry.example.com:5000/team/tool:latest"],
    ["Registry.Example.com/tool:1", "registry.example.com", "tool", "registry.example.com/tool:1"],
    [`ghcr.io/a/b:v1@${digest}`, "ghcr.io", "a/b", `ghcr.io/a/b@${digest}`],
    [`tool__x@${digest}`, "docker.io", "library/tool__x", `docker.io/library/tool__x@${digest}`],
  ])("%s is completed, so that no engine looks for it under other names", (text, registry, path, asked) => {
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
    "a//b",
    "a%2fb",
    "@sha256:aa",
    `@${digest}`,
    "x.gcr.io/../../127.0.0.1/x",
    "ghcr.io/a/../../../containers/json",
    "ghcr.io../x",
    "ghcr.io/./x",
    "ghcr..io/x",
    "a/..",
    "a..b",
    "a.-b",
    "a___b",
  ])("%s is none", (text) => {
    expect(parseImage(text)).toBeUndefined();
  });

  test.each(["sha256:4f2a", digest, "a".repeat(64), "SHA256:4F2A"])("%s is the id of an image, which is not a name", (text) => {
    expect(parseImage(text)).toBeUndefined();
  });
});
