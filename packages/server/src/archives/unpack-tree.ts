import { chmod, constants, copyFile, type FileHandle, lchown, link, lstat, lutimes, mkdir, open, symlink } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type Extract, extract, type Header } from "tar-stream";
import { LostArchive } from "../engine/workspace-store.ts";
import { waitForDrain } from "./pack-tree.ts";

/**
 * Creates a folder from an archive of `packTree`. The archive is not trusted, since others may be able to write to the store:
 * entries are only created below the folder, inside folders of the same archive, and never written through an existing entry.
 *
 * Unless this process is root, everything belongs to its user.
 *
 * @param folder must not exist; after an error it may be there in part
 * @throws LostArchive if `packTree` cannot have created it, and system errors
 */
export async function unpackTree(content: Readable, folder: string): Promise<void> {
  const tree = new Tree(folder);
  const archive = extract();
  let fault: Error | undefined;
  const feeding = feed(archive, content, (error) => (fault = error));
  try {
    for await (const entry of archive) await tree.add(entry);
  } catch (error) {
    // An error in the middle of a file only means that its archive was destroyed.
    throw fault ?? error;
  }
  await feeding;
  await tree.finish();
}

/** Never rejects: `onError` gets an error of the content, which destroys the archive. */
async function feed(archive: Extract, content: Readable, onError: (error: Error) => void): Promise<void> {
  try {
    for await (const piece of content) {
      if (archive.destroyed) return;
      if (!archive.write(piece)) await waitForDrain(archive);
    }
    archive.end(null);
  } catch (error) {
    onError(error as Error);
    archive.destroy(error as Error);
  }
}

type Entry = AsyncIterableItem<Extract>;
type AsyncIterableItem<T> = T extends AsyncIterable<infer Item> ? Item : never;

interface Attributes {
  mode: number;
  mtime: number | Date;
  /** Absent: the owner of the workspace. */
  owner: { uid: number; gid: number } | undefined;
}

class Tree {
  readonly #root: string;
  /** Paths of created folders, with the attributes to set at the end. */
  readonly #folders = new Map<string, Attributes>();
  readonly #files = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async add(entry: Entry): Promise<void> {
    const { header } = entry;
    const path = this.#pathOf(header);
    const attributes = attributesOf(header);
    const at = path === "" ? this.#root : `${this.#root}/${path}`;
    if (header.type === "directory") {
      await mkdir(at, { mode: 0o700 });
      this.#folders.set(path, attributes);
    } else if (header.type === "file") {
      await writeFile(entry, at, attributes);
      this.#files.add(path);
    } else if (header.type === "symlink") {
      await symlink(header.linkname, at);
      await lutimes(at, attributes.mtime, attributes.mtime);
      await give(at, attributes);
    } else if (header.type === "link" && this.#files.has(header.linkname)) {
      await addName(`${this.#root}/${header.linkname}`, at);
      this.#files.add(path);
    } else throw new LostArchive(`"${header.name}" is a ${header.type} that cannot be there`);
    entry.resume();
  }

  /** At the end and deepest first: creating entries changes the time of a folder, and its permissions may forbid it. */
  async finish(): Promise<void> {
    for (const [path, attributes] of [...this.#folders].reverse()) {
      const at = path === "" ? this.#root : `${this.#root}/${path}`;
      await give(at, attributes);
      await lutimes(at, attributes.mtime, attributes.mtime);
      await chmod(at, attributes.mode);
    }
  }

  #pathOf({ name, type }: Header): string {
    if (name === "./" && type === "directory" && this.#folders.size === 0) return "";
    const path = type === "directory" ? name.replace(/\/$/, "") : name;
    const parts = path.split("/");
    const above = parts.slice(0, -1).join("/");
    const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..") && !path.includes("\0");
    if (!isPlain || !this.#folders.has(above)) throw new LostArchive(`the name "${name}" cannot be in an archive of a workspace`);
    return path;
  }
}

function attributesOf(header: Header): Attributes {
  const { mtime = "0", uid, gid } = (header.pax ?? {}) as Partial<Record<string, string>>;
  const owner = uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
  return { mode: header.mode & 0o1777, mtime: timeOf(Number(mtime)), owner };
}

/** Times before 1970 Node takes only as dates, and nothing that is no number. */
function timeOf(seconds: number): number | Date {
  return seconds < 0 ? new Date(seconds * 1000) : seconds || 0;
}

/**
 * Another name for a file of the archive. For root it is a copy: the folder is given to the user of the steps afterwards, and files
 * with several names are left out of that, since a step may have linked one that is not its own.
 */
async function addName(existing: string, path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return link(existing, path);
  await copyFile(existing, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const { atime, mtime } = await lstat(existing);
  await lutimes(path, atime, mtime);
}

const zeros = Buffer.alloc(64 * 1024);

async function writeFile(entry: Entry, path: string, attributes: Attributes): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    let at = 0;
    for await (const piece of entry as AsyncIterable<Buffer>) {
      await writePiece(file, piece, at);
      at += piece.length;
    }
    await file.truncate(at);
    await file.utimes(attributes.mtime, attributes.mtime);
    await file.chmod(attributes.mode);
  } finally {
    await file.close();
  }
  await give(path, attributes);
}

/** Leaves holes for zeros, so that a restored workspace does not exceed its disk limit. */
async function writePiece(file: FileHandle, piece: Buffer, at: number): Promise<void> {
  for (let start = 0; start < piece.length; start += zeros.length) {
    const part = piece.subarray(start, start + zeros.length);
    if (!part.equals(zeros.subarray(0, part.length))) await file.write(part, 0, part.length, at + start);
  }
}

async function give(path: string, { owner }: Attributes): Promise<void> {
  if (owner !== undefined && process.geteuid?.() === 0) await lchown(path, owner.uid, owner.gid);
}
