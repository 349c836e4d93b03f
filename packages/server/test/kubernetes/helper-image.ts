import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { runCommand } from "./run-command.ts";

/** The contents of the product's helper image, in which any simple step can also run. */
export const helperImage = "localhost/millrace-helper:1";
/** Holds a pod's network; the same file system under another name. */
export const pauseImage = "localhost/millrace-pause:1";

/** A file system with only a static busybox, its command names, and a /tmp. */
export async function writeHelperTar(folder: string): Promise<string> {
  const busybox = await readFile("/usr/bin/busybox");
  const names = (await runCommand("/usr/bin/busybox", ["--list"])).split("\n").filter((name) => name !== "" && name !== "busybox");
  const file = join(folder, "helper.tar");
  const packer = pack();
  const written = pipeline(packer, createWriteStream(file));
  for (const name of ["bin", "etc", "proc", "sys", "dev", "run", "root"]) packer.entry({ name, type: "directory", mode: 0o755 });
  packer.entry({ name: "tmp", type: "directory", mode: 0o1777 });
  packer.entry({ name: "etc/passwd" }, "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n");
  packer.entry({ name: "etc/group" }, "root:x:0:\nnogroup:x:65534:\n");
  packer.entry({ name: "bin/busybox", mode: 0o755 }, busybox);
  for (const name of names) packer.entry({ name: `bin/${name}`, type: "symlink", linkname: "busybox" });
  packer.finalize();
  await written;
  return file;
}
