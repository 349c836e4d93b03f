// Compressed copies beside the files of a built interface, which the server sends unchanged: NAME.br and NAME.gz. Browsers accept Brotli
// over HTTPS and on their own machine, gzip everywhere.
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Fonts are already compressed. */
const compressible = /\.(?:js|css|svg)$/;

/** Both compressed copies of a file, at the highest level: a file is compressed once and sent many times. */
const copies = {
  ".br": (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  ".gz": (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * @param {string} folder of files whose names change with their content
 * @param {string} before the same folder of an earlier build: copies with the same name are taken from there
 */
export async function compressAssets(folder, before) {
  const names = (await readdir(folder)).filter((name) => compressible.test(name));
  await Promise.all(names.map((name) => compressOne(folder, before, name)));
}

async function compressOne(folder, before, name) {
  const bytes = await readFile(join(folder, name));
  for (const [ending, compress] of Object.entries(copies)) {
    const copy = join(folder, name + ending);
    if (await isCopied(join(before, name + ending), copy)) continue;
    const made = await compress(bytes);
    // If a copy would not be smaller, the file itself is sent.
    if (made.length < bytes.length) await writeFile(copy, made);
  }
}

async function isCopied(from, to) {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}
