import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, statSync, truncateSync } from "node:fs";
import { chmod, link, lstat, lutimes, mkdir, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pack } from "tar-stream";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { LostArchive, NotArchivable } from "../engine/workspace-store.ts";
import { ArchiveStore, type ObjectStore } from "./archive-store.ts";
import { FolderStore } from "./folder-store.ts";
import { packTree } from "./pack-tree.ts";
import { unpackTree } from "./unpack-tree.ts";

const base = mkdtempSync(join(tmpdir(), "archives-"));
afterAll(() => rm(base, { recursive: true, force: true }));
const root = join(base, "store");
const store = new ArchiveStore(new FolderStore(root));
const limits = { bytes: 2 ** 30, files: 100_000 };
const isRoot = process.geteuid?.() === 0;
let count = 0;
const fresh = () => join(base, `folder-${++count}`);

async function made(fill: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = fresh();
  await mkdir(folder);
  await fill(folder);
  return folder;
}

/** Saves and restores it. */
async function through(folder: string): Promise<string> {
  const key = `team/workflowrun/${++count}/one.tar.gz`;
  const { sha256, bytes } = await store.save(folder, key, limits);
  expect(statSync(join(root, key)).size).toBe(bytes);
  const again = fresh();
  await store.restore(again, key, sha256);
  return again;
}

test("an archive is not larger than its limits, however files grow while it is made", async () => {
  const large = 2 ** 22;
  const names = Array.from({ length: 64 }, (_, index) => `file-${index}`);
  const folder = await made((at) => Promise.all(names.map((name) => writeFile(join(at, name), "x"))));
  const sizes = [1, large];
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  // Between counting a file and opening it there are several turns of the event loop.
  const flip = (): void => {
    const [size = 1] = sizes.reverse();
    for (const name of names) truncateSync(join(folder, name), size);
    if (!isOver) setImmediate(flip);
  };
  flip();
  for (let round = 0; round < 10; round++) {
    let bytes = 0;
    const count = async () => {
      for await (const piece of packTree(folder, { bytes: large - 1, files: 100 }).content) bytes += (piece as Buffer).length;
    };
    await count().catch((error) => expect(error).toBeInstanceOf(NotArchivable));
    expect(bytes).toBeLessThan(large);
  }
});

describe("a restored workspace", () => {
  test("has times before 1970, which steps can set", async () => {
    const at = await made((folder) => writeFile(join(folder, "old"), ""));
    for (const seconds of [-1.5, -0.25, -100]) {
      // Node takes no number below 0.
      await utimes(join(at, "old"), new Date(seconds * 1000), new Date(seconds * 1000));
      expect((await lstat(join(await through(at), "old"))).mtimeMs).toBeCloseTo(seconds * 1000, 0);
    }
  });

  test("has files, folders, links, permissions and times as before", async () => {
    const folder = await made(async (at) => {
      await mkdir(join(at, "src/deep"), { recursive: true });
      await writeFile(join(at, "src/a.c"), "int a;");
      await writeFile(join(at, "src/deep/ü ✓\n"), randomBytes(700_000));
      await writeFile(join(at, "x".repeat(200)), "long");
      await writeFile(join(at, "empty"), "");
      await link(join(at, "src/a.c"), join(at, "same"));
      await symlink("/etc/passwd", join(at, "out"));
      await symlink("src", join(at, "in"));
      await chmod(join(at, "src/a.c"), 0o4755);
      await utimes(join(at, "src/a.c"), 1_000_000_000.25, 1_000_000_000.25);
      await lutimes(join(at, "in"), 1_100_000_000, 1_100_000_000);
      await chmod(join(at, "src/deep"), 0o500);
      await utimes(join(at, "src"), 1_200_000_000, 1_200_000_000);
    });
    const again = await through(folder);
    const names = (at: string) => readdir(at, { recursive: true }).then((list) => list.sort());
    expect(await names(again)).toEqual(await names(folder));
    for (const name of await names(folder)) {
      const [before, after] = await Promise.all([lstat(join(folder, name)), lstat(join(again, name))]);
      expect([name, after.mode & 0o171777, Math.round(after.mtimeMs), after.nlink]).toEqual([
        name,
        before.mode & 0o171777,
        Math.round(before.mtimeMs),
        isRoot && before.isFile() ? 1 : before.nlink,
      ]);
      if (before.isFile()) expect(readFileSync(join(again, name)).equals(readFileSync(join(folder, name)))).toBe(true);
    }
    // setuid is not archived.
    expect((await lstat(join(again, "src/a.c"))).mode & 0o7777).toBe(0o755);
    // For root a second name is a copy.
    expect((await lstat(join(again, "src/a.c"))).ino === (await lstat(join(again, "same"))).ino).toBe(!isRoot);
  });

  test("has the holes of its files", async () => {
    const folder = await made(async (at) => {
      await writeFile(join(at, "sparse"), "begin");
      await truncate(join(at, "sparse"), 200_000_000);
    });
    const { size, blocks } = await lstat(join(await through(folder), "sparse"));
    expect(size).toBe(200_000_000);
    expect(blocks * 512).toBeLessThan(1_000_000);
  });

  test("comes from an archive that tar can read", async () => {
    const folder = await made((at) => writeFile(join(at, "note.txt"), "hello"));
    await store.save(folder, "team/workflowrun/tar/one.tar.gz", limits);
    expect(String(execFileSync("tar", ["xzOf", join(root, "team/workflowrun/tar/one.tar.gz"), "note.txt"]))).toBe("hello");
  });

  test("lacks sockets and pipes, and reports their number", async () => {
    const server = createServer();
    const folder = await made(async (at) => {
      execFileSync("mkfifo", [join(at, "pipe")]);
      await new Promise<void>((resolve) => server.listen(join(at, "socket"), resolve));
      await writeFile(join(at, "file"), "");
    });
    expect(await store.save(folder, "team/workflowrun/odd/one.tar.gz", limits)).toMatchObject({ leftOut: 2 });
    server.close();
  });
});

describe("what cannot be archived", () => {
  test.each([
    ["more files than the limit", (at: string) => Promise.all([1, 2, 3].map((n) => writeFile(join(at, `${n}`), ""))), /more than 2 files/],
    ["longer files", (at: string) => writeFile(join(at, "a"), Buffer.alloc(2_000)), /more than 1000 bytes in total/],
    [
      "deeper folders",
      (at: string) => mkdir(join(at, Array(300).fill("d").join("/")), { recursive: true }),
      /more than 2 files|deeper than 256/,
    ],
    [
      "names that are not UTF-8",
      async (at: string) => execFileSync("sh", ["-c", `touch "$(printf 'a\\377b')"`], { cwd: at }),
      /is not UTF-8/,
    ],
  ])("%s: the reason is given, and nothing is stored", async (_, fill, words) => {
    const folder = await made(async (at) => void (await fill(at)));
    const saving = store.save(folder, "team/workflowrun/none/one.tar.gz", { bytes: 1_000, files: 2 });
    await expect(saving).rejects.toThrow(words);
    await expect(saving).rejects.toBeInstanceOf(NotArchivable);
    expect(existsSync(join(root, "team/workflowrun/none/one.tar.gz"))).toBe(false);
    expect(await readdir(join(root, "team/workflowrun/none"))).toEqual([]);
  });

  test("a link to a folder elsewhere stays a link", async () => {
    const secret = await made((at) => writeFile(join(at, "secret"), "s"));
    const again = await through(await made((at) => symlink(secret, join(at, "link"))));
    expect((await lstat(join(again, "link"))).isSymbolicLink()).toBe(true);
    expect(await readdir(again)).toEqual(["link"]);
  });
});

describe("the store", () => {
  const folder = () => made((at) => writeFile(join(at, "a"), randomBytes(100_000)));

  test("refuses an archive that is missing, truncated or changed", async () => {
    const key = "team/workflowrun/lost/one.tar.gz";
    const { sha256 } = await store.save(await folder(), key, limits);
    const restore = () => store.restore(fresh(), key, sha256);
    await expect(store.restore(fresh(), "team/workflowrun/lost/two.tar.gz", sha256)).rejects.toThrow(LostArchive);
    await truncate(join(root, key), 50_000);
    await expect(restore()).rejects.toThrow(LostArchive);
    await store.save(await folder(), key, limits);
    await expect(restore()).rejects.toThrow(`the content of ${key} in the folder ${root} differs from what was stored`);
    await writeFile(join(root, key), "no archive");
    await expect(restore()).rejects.toThrow(LostArchive);
  });

  test("refuses an archive that ends anywhere before its end", async () => {
    const key = "team/workflowrun/short/one.tar.gz";
    const { sha256, bytes } = await store.save(await folder(), key, limits);
    const content = await readFile(join(root, key));
    for (let part = 0; part < 60; part++) {
      await writeFile(join(root, key), content.subarray(0, Math.floor((bytes * part) / 60)));
      await expect(store.restore(fresh(), key, sha256), `${part} of 60 parts`).rejects.toThrow(LostArchive);
    }
  });

  test("lists archives by prefix, and removes empty folders", async () => {
    const keys = ["team-2/workflow/a/1.tar.gz", "team-2/workflow/a/2.tar.gz", "team-2/workflow/b/1.tar.gz"];
    for (const key of keys) await store.save(await folder(), key, limits);
    const listed = async (prefix: string) => {
      const found: string[] = [];
      for await (const key of store.list(prefix)) found.push(key);
      return found.sort();
    };
    expect(await listed("team-2/")).toEqual(keys);
    expect(await listed("team-2/workflow/a/")).toEqual(keys.slice(0, 2));
    for (const key of keys) await store.remove(key);
    await store.remove("team-2/workflow/a/1.tar.gz");
    expect(await listed("team-2/")).toEqual([]);
    expect(existsSync(join(root, "team-2"))).toBe(false);
  });
});

/** Content that someone with access to the store could have created. */
describe("a hostile archive", () => {
  const file = (name: string) => ({ name, type: "file" as const, content: "evil" });
  const folder = (name: string) => ({ name, type: "directory" as const });

  test.each([
    ["a name with ..", [folder("./"), file("../evil")]],
    ["an absolute name", [folder("./"), file("/tmp/evil-millrace")]],
    ["a name below a link", [folder("./"), { name: "link", type: "symlink" as const, linkname: "/tmp" }, file("link/evil-millrace")]],
    ["a name twice", [folder("./"), { name: "a", type: "symlink" as const, linkname: "/tmp/evil-millrace" }, file("a")]],
    ["a name to a file elsewhere", [folder("./"), { name: "a", type: "link" as const, linkname: "/etc/passwd" }]],
    ["a name to a file above", [folder("./"), { name: "a", type: "link" as const, linkname: "../secret" }]],
    ["a device", [folder("./"), { name: "a", type: "character-device" as const, devmajor: 1, devminor: 3 }]],
    ["no folder to begin with", [file("a")]],
  ])("with %s creates nothing outside of its folder", async (_, entries) => {
    const archive = pack();
    for (const entry of entries)
      "content" in entry ? archive.entry({ name: entry.name, type: entry.type }, entry.content) : archive.entry(entry).end(null);
    archive.finalize();
    const at = fresh();
    await writeFile(join(base, "secret"), "secret");
    await expect(unpackTree(Readable.from(archive), at)).rejects.toThrow();
    expect(existsSync("/tmp/evil-millrace") || existsSync(join(base, "evil"))).toBe(false);
    expect((await lstat(join(base, "secret"))).nlink).toBe(1);
  });
});

test("two names that are the same once they are read as UTF-8 cannot be archived, and neither can a link to such a name", async () => {
  const bytes = (folder: string, name: number[]) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]);
  const twice = await made(async (at) => {
    await writeFile(join(at, "a\ufffd"), "one");
    await writeFile(bytes(at, [0x61, 0xff]), "other");
  });
  await expect(through(twice)).rejects.toThrow(NotArchivable);
  const linked = await made((at) => symlink(Buffer.from([0x61, 0xff]), join(at, "link")));
  await expect(through(linked)).rejects.toThrow(NotArchivable);
  const odd = await made((at) => Promise.all([writeFile(join(at, "a\ufffd"), "one"), symlink("a\ufffd", join(at, "link"))]));
  expect((await readdir(await through(odd))).sort()).toEqual(["a\ufffd", "link"]);
});

test("the fingerprint of a folder changes with each change in it", async () => {
  const folder = await made((at) => writeFile(join(at, "a"), "one"));
  const look = () => store.fingerprint(folder, limits);
  const first = await look();
  expect(await look()).toBe(first);
  await writeFile(join(folder, "a"), "two");
  const second = await look();
  await chmod(join(folder, "a"), 0o600);
  const third = await look();
  await symlink("a", join(folder, "b"));
  expect(new Set([first, second, third, await look()]).size).toBe(4);
  expect(await readFile(join(folder, "b"), "utf8")).toBe("two");
  expect(await store.fingerprint(fresh(), limits)).toBeUndefined();
});

test.each(["the store fails", "it takes too long"])(
  "a save ends with an error, and nothing else does, when %s in the middle of a file",
  async (why) => {
    const source = await made((folder) => writeFile(join(folder, "large"), "").then(() => truncate(join(folder, "large"), 2 ** 36)));
    const ending = new AbortController();
    const cut: ObjectStore = {
      name: "cut",
      put: async (_key, content) => {
        let pieces = 0;
        for await (const _piece of content) {
          if (++pieces < 5) continue;
          if (why === "the store fails") throw new Error("the connection broke");
          ending.abort();
        }
      },
      get: () => Promise.reject(new Error("nothing is here")),
      remove: async () => undefined,
      async *list() {},
    };
    const saved = new ArchiveStore(cut).save(source, "key", { bytes: 2 ** 40, files: 10 }, ending.signal);
    await expect(saved).rejects.toThrow(why === "the store fails" ? "the connection broke" : /abort/);
  },
);

test("a restore ends with an error, and nothing else does, when the store fails in the middle of a file", async () => {
  const archive = pack();
  archive.entry({ name: "./", type: "directory", mode: 0o755 });
  archive.entry({ name: "large", size: 1 << 20 }, Buffer.alloc(1 << 20, 1));
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  async function* breaking() {
    yield Buffer.concat(parts).subarray(0, 2_048);
    throw new Error("the connection broke");
  }
  await expect(unpackTree(Readable.from(breaking()), fresh())).rejects.toThrow("the connection broke");
});
