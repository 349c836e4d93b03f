import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { openLogArchive } from "./log-archive.ts";

const folder = mkdtempSync(join(tmpdir(), "log-archive-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* content() {
  yield Buffer.from("text of a log");
}

test("what a killed process left of an object is removed with the object", async () => {
  const store = await openLogArchive({ kind: "folder", path: folder });
  const place = join(folder, "logs/team/task");
  await store.put("logs/team/task/1-abc", content());
  await store.put("logs/team/task/1-abcd", content());
  const day = new Date(Date.now() - 24 * 3_600_000);
  const [old, fresh] = [`1-abc.${randomUUID()}`, `1-abc.${randomUUID()}`];
  for (const name of [old, fresh, "1-abc.txt"]) writeFileSync(join(place, name), "half of a log");
  for (const name of [old, "1-abc.txt", "1-abcd"]) utimesSync(join(place, name), day, day);
  await store.remove("logs/team/task/1-abc");
  expect(readdirSync(place).sort()).toEqual([fresh, "1-abc.txt", "1-abcd"].sort());
});

test("a store that returns more than the requested part is not read to the end", async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    const more = () => {
      if (response.destroyed || sent >= 64 * 1_048_576) return void response.end();
      sent += 65_536;
      if (response.write(Buffer.alloc(65_536))) setImmediate(more);
      else response.once("drain", more);
    };
    more();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) vi.stubEnv(name, "any-key");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = await openLogArchive({ kind: "s3", bucket: "bucket", prefix: "", endpoint });
  await expect(store.getPart("logs/team/task/1-abc", 0, 1000)).rejects.toThrow("more than the 1000 bytes");
  expect(sent).toBeLessThan(32 * 1_048_576);
});
