import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { taskImage, taskImageOrWhy } from "../../kit/container/task-image.ts";

const run = promisify(execFile);
const image = await taskImageOrWhy();
const folder = mkdtempSync(join(tmpdir(), "millrace-image-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programs =
  "sh bash env node git make curl tar gzip python3 awk sed grep find xargs od seq yes tee mkfifo setsid ps kill head tail tr cut sort uniq wc base64 sha256sum stat du df touch timeout sleep mount umount mknod id which hostname diff cmp";

describe.skipIf("why" in image)("the image for tests", () => {
  test("is built once, however many ask", async () => {
    const all = await Promise.all([taskImage(), taskImage(), taskImage()]);
    expect(new Set(all.map(({ tar }) => tar)).size).toBe(1);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "has every program that tests and tasks use, for a user that it does not know",
    { timeout: 60_000 },
    async () => {
      if ("why" in image) return;
      await run("tar", ["-xf", image.tar, "-C", folder]);
      const script = `for name in ${programs}; do command -v $name > /dev/null || echo "missing: $name"; done
      mkdir /tmp/home; cd /tmp/home; export HOME=/tmp/home LANG=C.UTF-8
      git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first && git clone -q . copy && git log --format=%s
      node -p '[process.getuid(), require("os").tmpdir(), "é"].join()'; python3 -c 'import json, sys; print(json.dumps({"a": 1}))'
      printf 'all:\\n\\t@echo made\\n' > Makefile; make -s; curl -s file:///etc/passwd | head -n 1; echo a b | awk '{ print $2 }'; id -u`;
      const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
      const enter =
        'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot --userspec=12345:12345 --groups= "$0" /bin/sh -c "$1"';
      const { stdout, stderr } = await run("unshare", ["-m", "sh", "-c", enter, folder, script], { env: { PATH: path } });
      const expected = ["first", "12345,/tmp,é", '{"a": 1}', "made", "root:x:0:0:root:/root:/bin/sh", "b", "12345"];
      expect([stderr, stdout.trim().split("\n")]).toEqual(["", expected]);
    },
  );
});

test("the image for tests can be built here", ({ skip }) => {
  const isRequired = /container|podman|kubernetes/.test(process.env["MILLRACE_TEST_REQUIRE"] ?? "");
  skip("why" in image && !isRequired, "why" in image ? image.why : "");
  expect(image).not.toHaveProperty("why");
});
