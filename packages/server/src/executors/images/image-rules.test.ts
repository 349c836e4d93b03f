import { describe, expect, test } from "vitest";
import { publicRegistries } from "../../config/executor-settings.ts";
import { isLocalImage, readImage, requireReachableRegistry, requireRegistry } from "./image-rules.ts";

const rules = (registries: readonly string[], localImages: readonly string[] = []) => ({ registries, localImages });
const judge = (image: string, registries: readonly string[], trusted: readonly string[] = []) => {
  try {
    return requireRegistry(rules(registries), readImage(image), trusted) ? "named" : "public";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("an image may come from", () => {
  test.each([
    ["busybox", publicRegistries],
    ["eu.gcr.io/project/tool:1", publicRegistries],
    ["registry.corp:5000/tool", ["registry.corp:5000"]],
    ["127.0.0.1:5000/tool", ["127.0.0.1:5000"]],
    ["registry.corp:5000/tool", ["registry.corp:*"]],
    ["ghcr.io/acme/tool", ["ghcr.io/acme"]],
    ["a.registry.corp/tool", ["*.registry.corp", "*"]],
  ])("%s with %j, which name its registry", (image, registries) => {
    expect(judge(image, registries)).toBe("named");
  });

  test("a registry that the operator has credentials for", () => {
    expect(judge("10.0.0.7:5000/tool", publicRegistries, ["10.0.0.7:5000"])).toBe("named");
  });

  test("every public registry with *", () => {
    expect(judge("registry.example.com/tool", ["*"])).toBe("public");
  });

  test.each([
    ["registry.example.com/tool", publicRegistries],
    ["ghcr.io/acme-evil/tool", ["ghcr.io/acme"]],
    ["ghcr.io/other/tool", ["ghcr.io/acme"]],
    ["evil.docker.io/tool", ["docker.io"]],
    ["docker.io.evil.com/tool", ["docker.io"]],
    ["a.b.gcr.io.evil.com/tool", publicRegistries],
    ["registry.corp:5001/tool", ["registry.corp:5000"]],
    ["docker.io:80/tool", publicRegistries],
    ["registry.corp:8080/api/v2", ["registry.corp"]],
    ["registry.corp:8080/tool", ["*.corp", "registry.*"]],
    ["127.0.0.1:5000/tool", publicRegistries],
    ["localhost/tool", publicRegistries],
    ["busybox", []],
  ])("not %s with %j: the setting is named", (image, registries) => {
    expect(judge(image, registries)).toContain("MILLRACE_IMAGE_REGISTRIES does not list it");
  });

  test.each([
    "127.0.0.1:5000",
    "10.1.2.3",
    "192.168.0.1:80",
    "172.16.0.9",
    "localhost:5000",
    "db.internal",
    "printer.local",
    "registry:5000",
    "100.64.1.1",
  ])("not %s, which is not on the open internet, with *", (host) => {
    expect(judge(`${host}/tool`, ["*"])).toContain("list it by name in MILLRACE_IMAGE_REGISTRIES");
  });

  test.each([
    "169.254.169.254",
    "169.254.169.254:80",
    "metadata.google.internal",
    "0.0.0.0:5000",
    "100.100.100.200",
    "224.0.0.1",
    "255.255.255.255",
  ])("never %s, also where it is listed", (host) => {
    expect(judge(`${host}/tool`, [host, "*"])).toContain("link-local or metadata address");
  });

  test("not a name that currently resolves to an internal address", async () => {
    // The system's resolver takes a number without dots as an address: 127.0.0.1.
    const reference = readImage("2130706433:5000/tool");
    await expect(requireReachableRegistry(rules(["*"]), reference, [])).rejects.toThrow(/not on the public internet/);
    await expect(requireReachableRegistry(rules(["0x7f.1", "*"]), readImage("0x7f.2/tool"), [])).rejects.toThrow(/127\.0\.0\.2/);
    await expect(requireReachableRegistry(rules(["0xa9fea9fe:80"]), readImage("0xa9fea9fe:80/tool"), [])).rejects.toThrow(
      /169\.254\.169\.254/,
    );
    await expect(requireReachableRegistry(rules(["0x7f.1"]), readImage("0x7f.1/tool"), [])).resolves.toBeUndefined();
  });
});

test("an id is not a name, and the message says what is", () => {
  expect(() => readImage("sha256:4f2a")).toThrow('"sha256:4f2a" is the id of an image; use its name');
  expect(() => readImage("localhost/millrace-network-0a1b:latest")).toThrow("is an image of the service itself");
  expect(() => readImage("Not one")).toThrow('"Not one" is not the name of an image');
});

test.each([
  ["localhost/*", "localhost/tool:1", true],
  ["localhost/*", "localhost.evil.com/tool:1", false],
  ["tool", "tool:2", true],
  ["tool:1", "docker.io/library/tool:1", true],
  ["tool:1", "tool:12", false],
  ["tool", "toolbox", false],
  ["acme/tool", "docker.io/acme/tool", true],
  ["acme/tool", "ghcr.io/acme/tool", false],
])("the local images %s hold %s: %s", (pattern, image, expected) => {
  expect(isLocalImage(rules([], [pattern]), readImage(image))).toBe(expected);
});
