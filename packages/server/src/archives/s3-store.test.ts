import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasS3Server, type S3Server, startS3Server } from "../../test/fakes/s3-server.ts";
import { LostArchive } from "../engine/workspace-store.ts";
import { S3Store } from "./s3-store.ts";

if (!hasS3Server) console.log("skipped: versitygw is not installed");

describe.runIf(hasS3Server)("a bucket", () => {
  let server: S3Server;
  let store: S3Store;

  beforeAll(async () => {
    server = await startS3Server();
    for (const [name, value] of Object.entries(server.credentials)) vi.stubEnv(name, value);
    store = new S3Store({ bucket: "bucket", prefix: "pre/fix/", endpoint: server.endpoint });
  });
  afterAll(() => {
    server?.stop();
    vi.unstubAllEnvs();
  });

  const bytesOf = async (content: Readable) => Buffer.concat(await content.toArray());
  const keysOf = async (prefix: string) => {
    const keys: string[] = [];
    for await (const key of store.list(prefix)) keys.push(key);
    return keys.sort();
  };

  test.each([0, 1, 100_000, 20_000_000])("returns an object of %d bytes as it was stored", async (size) => {
    const content = randomBytes(size);
    const pieces = Array.from({ length: Math.ceil(size / 65_536) }, (_, index) => content.subarray(index * 65_536, (index + 1) * 65_536));
    await store.put("a/b/one.tar.gz", Readable.from(pieces, { objectMode: false }));
    expect((await bytesOf(await store.get("a/b/one.tar.gz"))).equals(content)).toBe(true);
    expect(existsSync(join(server.folder, "pre/fix/a/b/one.tar.gz"))).toBe(true);
  });

  test("returns a part of an object, or what is left of it", async () => {
    await store.put("a/part", Readable.from([Buffer.from("0123456789")], { objectMode: false }));
    const part = async (offset: number, bytes: number) =>
      (await bytesOf(await store.get("a/part", undefined, { offset, bytes }))).toString();
    expect([await part(0, 1), await part(3, 4), await part(8, 100)]).toEqual(["0", "3456", "89"]);
  });

  test("stores nothing if the content ends with an error, or the upload is aborted", async () => {
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(9_000_000);
        throw new Error("the disk is broken");
      })(),
      { objectMode: false },
    );
    await expect(store.put("a/broken", broken)).rejects.toThrow("the disk is broken");
    const controller = new AbortController();
    const endless = Readable.from(
      (async function* () {
        for (let index = 0; ; index++) {
          if (index === 20) controller.abort();
          yield randomBytes(1_000_000);
        }
      })(),
      { objectMode: false },
    );
    await expect(store.put("a/aborted", endless, controller.signal)).rejects.toThrow(/abort/i);
    await expect(store.get("a/broken")).rejects.toThrow(LostArchive);
    await expect(store.get("a/aborted")).rejects.toThrow(LostArchive);
  });

  test("lists by prefix, over several pages, and removes", async () => {
    const keys = Array.from({ length: 1_010 }, (_, index) => `many/${String(index).padStart(4, "0")}`);
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, Readable.from([Buffer.from("x")], { objectMode: false }))));
    expect(await keysOf("many/")).toEqual(keys);
    await store.remove(keys[0] as string);
    await store.remove(keys[0] as string);
    expect(await keysOf("many/00")).toEqual(keys.slice(1, 100));
    expect(await keysOf("nothing/")).toEqual([]);
  });

  test("reports wrong credentials and a missing bucket", async () => {
    const missing = new S3Store({ bucket: "missing", prefix: "", endpoint: server.endpoint });
    await expect(missing.put("key", Readable.from([Buffer.from("x")], { objectMode: false }))).rejects.toThrow(/bucket/i);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "another");
    const outsider = new S3Store({ bucket: "bucket", prefix: "", endpoint: server.endpoint });
    await expect(outsider.get("key")).rejects.toThrow(/signature/i);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", server.credentials.AWS_SECRET_ACCESS_KEY);
  });
});
