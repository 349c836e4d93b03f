/**
 * A small assembler for the programs that the kernel runs before each system call of a process (seccomp, mode filter). Such a program is a
 * list of classic BPF instructions; jumps only go forward, by at most 255 instructions, and it ends with what is to be done with the call.
 */
export type Instruction =
  | { kind: "label"; name: string }
  /** Loads 32 bits of the data about the call. */
  | { kind: "load"; offset: number }
  /** Compares the loaded value; without a label, the next instruction follows. */
  | { kind: "jump"; test: keyof typeof tests; value: number; ifTrue?: string; ifFalse?: string }
  | { kind: "return"; action: number };

/** Offsets in `struct seccomp_data`; arguments are 64 bits, the lower half first. */
export const callData = { number: 0, architecture: 4, argument: (index: number): number => 16 + 8 * index } as const;

export const callActions = { allow: 0x7fff0000, endProcess: 0x80000000, fail: (errno: number): number => 0x00050000 | errno } as const;

/** Codes of `linux/bpf_common.h`: BPF_JMP with BPF_JEQ, BPF_JGT, BPF_JSET and a constant; BPF_LD of a word; BPF_RET of a constant. */
const tests = { equals: 0x15, greater: 0x25, hasAnyOf: 0x45 } as const;
const loadWord = 0x20;
const returnConstant = 0x06;
const instructionBytes = 8;
const longestJump = 255;

/** @returns the program in the kernel's format (`struct sock_filter`, little-endian) */
export function assemble(source: readonly Instruction[]): Buffer {
  const labels = new Map<string, number>();
  const lines: Exclude<Instruction, { kind: "label" }>[] = [];
  for (const line of source) {
    if (line.kind === "label") labels.set(line.name, lines.length);
    else lines.push(line);
  }
  const program = Buffer.alloc(lines.length * instructionBytes);
  lines.forEach((line, index) => {
    const distance = (label: string | undefined): number => distanceTo(labels, label, index);
    const [code, ifTrue, ifFalse, value] = encode(line, distance);
    const at = index * instructionBytes;
    program.writeUInt16LE(code, at);
    program.writeUInt8(ifTrue, at + 2);
    program.writeUInt8(ifFalse, at + 3);
    program.writeUInt32LE(value >>> 0, at + 4);
  });
  return program;
}

function encode(
  line: Exclude<Instruction, { kind: "label" }>,
  distance: (label: string | undefined) => number,
): [code: number, ifTrue: number, ifFalse: number, value: number] {
  switch (line.kind) {
    case "load":
      return [loadWord, 0, 0, line.offset];
    case "jump":
      return [tests[line.test], distance(line.ifTrue), distance(line.ifFalse), line.value];
    case "return":
      return [returnConstant, 0, 0, line.action];
  }
}

function distanceTo(labels: ReadonlyMap<string, number>, label: string | undefined, index: number): number {
  if (label === undefined) return 0;
  const target = labels.get(label);
  if (target === undefined) throw new Error(`no instruction has the label ${label}`);
  const distance = target - index - 1;
  if (distance < 0 || distance > longestJump)
    throw new Error(`the jump to ${label} goes ${distance} instructions; 0 to ${longestJump} are possible`);
  return distance;
}
