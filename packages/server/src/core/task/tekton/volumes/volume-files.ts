import { describeMissing, type FindTexts, MissingSource } from "../env-sources.ts";
import { type FileSource, type FilesVolume, innerPathFault, type MaskText, quoteMasked } from "./volumes.ts";

/** A file of a volume, as an executor creates it. */
export interface VolumeFile {
  /** Relative; checked by `innerPathFault`. */
  path: string;
  text: string;
  mode: number;
}

/** Limits for the files of all volumes of a task together. */
const maxFiles = 2_000;
const maxBatchBytes = 4_194_304;

/** Counts the files of all volumes of one task. */
export interface FileBudget {
  files: number;
  bytes: number;
}

interface FileContext {
  /** Replaces references in names of sources, in keys and in paths. */
  text: (text: string) => string;
  find: FindTexts;
  budget: FileBudget;
  mask: MaskText;
}

/**
 * The files of a volume with the contents of its sources, which are inserted unchanged. If sources have the same path, the later one wins.
 * @param volume its name, for messages
 * @throws MissingSource
 */
export function volumeFiles(volume: string, { sources, defaultMode }: FilesVolume, context: FileContext): VolumeFile[] {
  const { budget, mask } = context;
  const files = new Map<string, VolumeFile>();
  for (const source of sources) {
    for (const { path, text: content, mode } of filesOf(volume, source, context)) {
      budget.files++;
      budget.bytes += Buffer.byteLength(content);
      if (budget.files > maxFiles || budget.bytes > maxBatchBytes)
        throw new MissingSource(
          `with the volume ${volume} the files of all volumes are more than ${maxFiles} or larger than ${maxBatchBytes / 1_048_576} MiB together; name the keys with items`,
        );
      files.set(path, { path, text: content, mode: mode ?? defaultMode });
    }
  }
  requireFolders(volume, files, mask);
  return [...files.values()];
}

interface FoundFile {
  path: string;
  text: string;
  mode?: number | undefined;
}

function filesOf(volume: string, source: FileSource, { text, find, mask }: FileContext): FoundFile[] {
  const named = { ...source, name: text(source.name) };
  const { kind, name, items, isOptional } = named;
  const found = find(kind, name);
  if (found === undefined) {
    if (isOptional) return [];
    throw new MissingSource(describeMissing(named, false));
  }
  if (items === undefined)
    return Object.entries(found).map(([key, content]) => {
      if (!isFileKey(key))
        throw new MissingSource(
          `the volume ${volume} can't have the key ${quoteMasked(key, mask)} of ${name} as a file: a key has letters, digits, ".", "_" and "-"; name the keys with items`,
        );
      return { path: key, text: content };
    });
  return items.flatMap(({ key: written, path: writtenPath, mode }) => {
    const [key, path] = [text(written), text(writtenPath)];
    const fault = innerPathFault(path);
    if (fault !== undefined) throw new MissingSource(`the volume ${volume} can't have the file ${quoteMasked(path, mask)}: it ${fault}`);
    if (Object.hasOwn(found, key)) return [{ path, text: found[key] as string, mode }];
    if (isOptional) return [];
    throw new MissingSource(describeMissing({ ...named, key }, true));
  });
}

function isFileKey(key: string): boolean {
  return /^[-._a-zA-Z0-9]{1,253}$/.test(key) && !key.startsWith("..") && key !== ".";
}

/** A path can't be both a file and a folder. */
function requireFolders(volume: string, files: ReadonlyMap<string, VolumeFile>, mask: MaskText): void {
  for (const path of files.keys()) {
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth++) {
      const above = names.slice(0, depth).join("/");
      if (files.has(above))
        throw new MissingSource(
          `the volume ${volume} has ${quoteMasked(above, mask)} as a file and as a folder of ${quoteMasked(path, mask)}`,
        );
    }
  }
}
