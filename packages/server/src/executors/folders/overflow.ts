import { inMebibytes } from "./measure-tree.ts";

/** Why a folder is too large, as a sentence. */
export type Overflow = string;

/** An empty file takes space too, but not in the folder's size: each file counts as one block of the disk. */
const bytesPerFile = 4_096;
const fewestFiles = 10_000;
const mostFiles = 1_000_000;

/** @returns how many files, folders and links a folder may hold */
export function fileLimit(limitBytes: number): number {
  return Math.min(mostFiles, Math.max(fewestFiles, Math.ceil(limitBytes / bytesPerFile)));
}

/** The parts that don't show in the folder. */
export interface HiddenParts {
  /** In files that were deleted and are still open. */
  unlinkedBytes?: number;
  /** In volumes that an image declares, and in the image itself where the node can't count it. */
  volumeBytes?: number;
  /** The space that the disk has lost, if something can't be read. */
  hiddenBytes?: number;
}

interface Limited {
  label: string;
  limitBytes: number;
}

export function tooLarge({ label, limitBytes }: Limited, bytes: number, hidden: HiddenParts): Overflow {
  const { unlinkedBytes = 0, volumeBytes = 0, hiddenBytes = 0 } = hidden;
  const [has, may] = [inMebibytes(bytes), inMebibytes(limitBytes)];
  const parts = [
    ...(unlinkedBytes > 0 ? [`${inMebibytes(unlinkedBytes)} in files that were deleted and are still open`] : []),
    ...(volumeBytes > 0 ? [`${inMebibytes(volumeBytes)} in its image and that image's volumes`] : []),
    ...(hiddenBytes > 0 ? [`up to ${inMebibytes(hiddenBytes)} where it can't be read`] : []),
  ];
  const of = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return has === may
    ? `${label} contains more than the ${may} allowed${of}`
    : `${label} contains ${has}${of}, more than the ${may} allowed`;
}

export function tooMany(label: string, limit: number): Overflow {
  return `${label} contains more than the ${limit} files and folders allowed (one for every 4 KiB of its size)`;
}
