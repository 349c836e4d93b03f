/** Programs of our own in machine code, for what no program on every machine does. They need no library. */

const architectures = {
  x64: { machine: 62, pageBytes: 4_096 },
  arm64: { machine: 183, pageBytes: 65_536 },
} as const;

export type ProgramArchitecture = keyof typeof architectures;

const headerBytes = 64;
const segmentBytes = 56;
const loadAt = 0x400000;
const isExecutable = 1;
const isWritable = 2;
const isReadable = 4;

/**
 * The smallest file that Linux executes: one segment with all of it, and a header that makes the stack non-executable.
 * @param code the bytes of each instruction in hex; text after a semicolon is for people
 */
export function machineProgram(architecture: ProgramArchitecture, code: string): Buffer {
  const { machine, pageBytes } = architectures[architecture];
  const bytes = Buffer.from(code.replace(/;.*$/gm, "").replace(/\s/g, ""), "hex");
  const codeAt = headerBytes + 2 * segmentBytes;
  const header = Buffer.alloc(codeAt);
  header.write("\x7fELF\x02\x01\x01", "latin1");
  // Type, machine, version.
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(machine, 18);
  header.writeUInt32LE(1, 20);
  // Entry point, offset of the program headers; sizes and number of these headers.
  header.writeBigUInt64LE(BigInt(loadAt + codeAt), 24);
  header.writeBigUInt64LE(BigInt(headerBytes), 32);
  header.writeUInt16LE(headerBytes, 52);
  header.writeUInt16LE(segmentBytes, 54);
  header.writeUInt16LE(2, 56);
  const fileBytes = codeAt + bytes.length;
  writeSegment(header, headerBytes, { type: 1, flags: isReadable | isExecutable, address: loadAt, bytes: fileBytes, align: pageBytes });
  writeSegment(header, headerBytes + segmentBytes, { type: 0x6474e551, flags: isReadable | isWritable, address: 0, bytes: 0, align: 16 });
  return Buffer.concat([header, bytes]);
}

interface Segment {
  type: number;
  flags: number;
  address: number;
  bytes: number;
  align: number;
}

/** From the start of the file. */
function writeSegment(into: Buffer, at: number, { type, flags, address, bytes, align }: Segment): void {
  into.writeUInt32LE(type, at);
  into.writeUInt32LE(flags, at + 4);
  const numbers = [0, address, address, bytes, bytes, align];
  for (const [index, number] of numbers.entries()) into.writeBigUInt64LE(BigInt(number), at + 8 + 8 * index);
}
