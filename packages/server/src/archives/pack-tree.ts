import { createHash } from "node:crypto";
import type { EventEmitter } from "node:events";
import { constants } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { type Header, type Pack, pack } from "tar-stream";
import { type ArchiveLimits, NotArchivable } from "../engine/workspace-store.ts";
import { shown, type TreeEntry, walkTree } from "./walk-tree.ts";

/**
 * A workspace as a tar archive (POSIX.1-2001) that `tar` can read. Hard links are preserved, and modification times to the
 * nanosecond, which build tools compare; permissions without setuid and setgid. Entries of the owner of the workspace have no owner
 * in the archive, because it is another user on another machine. Sockets, pipes and devices are left out.
 */
interface PackedTree {
  content: Readable;
  /** Number of entries that were left out; call it when the content has been read. */
  leftOut(): number;
}

export function packTree(root: string, limits: ArchiveLimits): PackedTree {
  const archive = pack();
  let leftOut = 0;
  const owner = { uid: 0n, gid: 0n };
  const names = new Map<string, string>();
  const fill = async () => {
    for await (const entry of walkTree(root, limits)) {
      if (archive.destroyed) return;
      if (entry.path === "") Object.assign(owner, { uid: entry.stat.uid, gid: entry.stat.gid });
      const header = headerOf(entry, owner);
      if (header === undefined) leftOut++;
      else if (header.type === "file") await addFile(archive, entry, header, names);
      else await addEntry(archive, header);
    }
    archive.finalize();
  };
  fill().catch((error: Error) => archive.destroy(error));
  return { content: Readable.from(archive, { objectMode: false }), leftOut: () => leftOut };
}

/** Changes with every change in the tree: a digest of names, types, sizes and times, without reading files. */
export async function fingerprintTree(root: string, limits: ArchiveLimits): Promise<string> {
  const hash = createHash("sha256");
  for await (const { path, stat, target } of walkTree(root, limits))
    hash.update(`${JSON.stringify([path, target])} ${stat.mode} ${stat.uid} ${stat.size} ${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}\n`);
  return hash.digest("hex");
}

type PaxHeader = Pick<Header, "name" | "type" | "mode" | "size"> & { linkname?: string; pax: Record<string, string> };

/** Undefined: it cannot be archived. */
function headerOf({ path, stat, target }: TreeEntry, owner: { uid: bigint; gid: bigint }): PaxHeader | undefined {
  const type = typeOf(Number(stat.mode) & constants.S_IFMT);
  if (type === undefined) return undefined;
  const isForeign = stat.uid !== owner.uid || stat.gid !== owner.gid;
  const pax = { mtime: seconds(stat.mtimeNs), ...(isForeign && { uid: `${stat.uid}`, gid: `${stat.gid}` }) };
  return {
    name: path === "" ? "./" : type === "directory" ? `${path}/` : path,
    type,
    mode: Number(stat.mode) & 0o1777,
    size: type === "file" ? Number(stat.size) : 0,
    ...(target !== undefined && { linkname: target }),
    pax,
  };
}

function typeOf(kind: number): "file" | "directory" | "symlink" | undefined {
  if (kind === constants.S_IFREG) return "file";
  if (kind === constants.S_IFDIR) return "directory";
  return kind === constants.S_IFLNK ? "symlink" : undefined;
}

function seconds(nanoseconds: bigint): string {
  const [sign, size] = nanoseconds < 0n ? ["-", -nanoseconds] : ["", nanoseconds];
  return `${sign}${size / 1_000_000_000n}.${String(size % 1_000_000_000n).padStart(9, "0")}`;
}

async function addFile(archive: Pack, entry: TreeEntry, header: PaxHeader, names: Map<string, string>): Promise<void> {
  const { stat, path } = entry;
  if (stat.nlink > 1n) {
    if (header.pax["uid"] !== undefined && !(await areLinksProtected()))
      throw new NotArchivable(
        `"${shown(path)}" is a hard link to a file of another user, and this system lets users link files that are not theirs`,
      );
    const first = names.get(`${stat.ino}`);
    if (first !== undefined) return addEntry(archive, { ...header, type: "link", linkname: first, size: 0 });
  }
  const file = await entry.open();
  if (file === undefined) return;
  try {
    // Another file may have taken the name before it was opened.
    const { size, ino } = await file.stat({ bigint: true });
    if (ino !== stat.ino) return;
    if (stat.nlink > 1n) names.set(`${ino}`, path);
    // Growth since the file was counted is left out; otherwise the limits would be meaningless.
    await writeFile(archive, { ...header, size: Math.min(Number(size), header.size) }, (buffer, at) =>
      file.read(buffer, 0, buffer.length, at),
    );
  } finally {
    await file.close();
  }
}

/**
 * Whether a user can only link files that they own or can write. Otherwise a link in a workspace could be to any file that only we
 * can read.
 */
async function areLinksProtected(): Promise<boolean> {
  return (await readFile("/proc/sys/fs/protected_hardlinks", "utf8").catch(() => "0")).trim() === "1";
}

function addEntry(archive: Pack, header: PaxHeader): Promise<void> {
  return new Promise((resolve, reject) => {
    const sink = archive.entry(header, (error) => (error ? reject(error) : resolve()));
    sink.on("error", ignoreReported);
    sink.end(null);
  });
}

/**
 * If the store fails, or the time is over, all entries of the archive end as well, and each emits an error event, which would end the
 * service if nobody listened. The callback of the entry has reported it already.
 */
function ignoreReported(): void {}

const pieceBytes = 256 * 1024;

/** Writes as many bytes as the header says, whatever happens to the file meanwhile: growth is left out, truncated bytes are zeros. */
async function writeFile(
  archive: Pack,
  header: PaxHeader & { size: number },
  read: (buffer: Buffer, at: number) => Promise<{ bytesRead: number }>,
): Promise<void> {
  let failed: Error | undefined;
  const done = new Promise<void>((resolve, reject) => {
    const sink = archive.entry(header, (error) => (error ? reject(error) : resolve()));
    sink.on("error", ignoreReported);
    copy(sink).catch((error: Error) => {
      failed = error;
      sink.destroy(error);
    });
  });
  async function copy(sink: ReturnType<Pack["entry"]>): Promise<void> {
    for (let at = 0; at < header.size; ) {
      const buffer = Buffer.alloc(Math.min(pieceBytes, header.size - at));
      const { bytesRead } = await read(buffer, at);
      const piece = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
      at += piece.length;
      if (!sink.write(piece)) await waitForDrain(sink);
      if (sink.destroyed) return;
    }
    sink.end(null);
  }
  await done.catch((error: Error) => {
    throw failed ?? error;
  });
}

/** Resolves when a stream that refused more takes it again, or is closed. Leaves no listener behind. */
export function waitForDrain(stream: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}
