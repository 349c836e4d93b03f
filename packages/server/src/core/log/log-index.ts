/**
 * Where the chunks of an attempt's log are in its object, which has their bytes one after the other. For each chunk, the index has these
 * integers of four bytes: its number, its lines, the bytes of its text, its bytes in the object, and their CRC-32.
 */
export interface ChunkOfIndex {
  seq: number;
  lineCount: number;
  rawBytes: number;
  /** Where it begins in the object. */
  offset: number;
  bytes: number;
  crc32: number;
}

const numbersOfChunk = 5;
const bytesOfNumber = 4;

export function writeLogIndex(chunks: readonly Omit<ChunkOfIndex, "offset">[]): Buffer {
  const index = Buffer.alloc(chunks.length * numbersOfChunk * bytesOfNumber);
  let at = 0;
  for (const { seq, lineCount, rawBytes, bytes, crc32 } of chunks)
    for (const number of [seq, lineCount, rawBytes, bytes, crc32]) at = index.writeUInt32BE(number, at);
  return index;
}

export function readLogIndex(index: Uint8Array): ChunkOfIndex[] {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const chunks: ChunkOfIndex[] = [];
  let offset = 0;
  for (let at = 0; at < index.byteLength; at += numbersOfChunk * bytesOfNumber) {
    const [seq, lineCount, rawBytes, bytes, crc32] = [0, 1, 2, 3, 4].map((place) => view.getUint32(at + place * bytesOfNumber)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    chunks.push({ seq, lineCount, rawBytes, offset, bytes, crc32 });
    offset += bytes;
  }
  return chunks;
}
