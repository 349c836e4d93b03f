import { expect, test } from "vitest";
import type { FoundPath } from "../engine/engine-client.ts";
import { requireOwnPlaces } from "./image-places.ts";

const targets = ["/task", "/task/work", "/task/tmp", "/tmp", "/var/tmp", "/tekton/results", "/workspace/w"];

/** @param links of the image; everything else in it is a folder */
const check = (links: Record<string, string>) => {
  const look = async (path: string): Promise<FoundPath> =>
    links[path] === undefined ? { kind: "folder", sizeBytes: 0, target: "" } : { kind: "link", sizeBytes: 0, target: links[path] };
  return requireOwnPlaces("i", "docker", targets, look);
};

test.each<[string, Record<string, string>]>([
  ["of a mount in a workspace", { "/tekton": "/workspace/w/t" }],
  ["by a relative link", { "/tekton": "workspace/w" }],
  ["by links after one another", { "/tekton": "/a", "/a": "/b/c", "/b": "/workspace/w" }],
  ["by a link to where another one leads", { "/workspace": "/other", "/tekton": "/other/w/t" }],
  ["of a mount because a workspace is above it", { "/workspace/w": "/tekton" }],
  ["of the accounts in the task's folder", { "/etc/passwd": "../task/work/passwd" }],
  ["of the accounts, with the whole folder", { "/etc": "/tmp/etc" }],
  ["of what an engine mounts itself", { "/etc/hosts": "/task/tmp/hosts" }],
  ["of everything", { "/workspace/w": "/" }],
])("the place %s is refused", async (_, links) => {
  await expect(check(links)).rejects.toThrow("a folder of the task");
});

test("links that go in a circle are refused", async () => {
  await expect(check({ "/tekton": "/a", "/a": "/tekton" })).rejects.toThrow("leads through too many links");
});

test.each<[string, Record<string, string>]>([
  ["none at all", {}],
  ["links within the image", { "/etc/resolv.conf": "../run/systemd/resolve/stub-resolv.conf", "/etc/passwd": "/usr/lib/passwd" }],
  ["one folder for temporary files", { "/var/tmp": "/tmp" }],
  ["the same the other way round", { "/tmp": "var/tmp" }],
  ["everything in another folder", { "/workspace": "/srv/workspace", "/var": "/srv/var" }],
])("images have %s", async (_, links) => {
  await expect(check(links)).resolves.toBeUndefined();
});

test("nothing is searched below a missing folder", async () => {
  const asked: string[] = [];
  await requireOwnPlaces("i", "docker", ["/task", "/task/work"], async (path) => void asked.push(path));
  expect(asked).not.toContain("/task/work");
});
