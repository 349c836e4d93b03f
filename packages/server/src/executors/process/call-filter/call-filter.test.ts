import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { createCallFilter, writeCallFilter } from "./call-filter.ts";
import { assemble } from "./filter-program.ts";
import { checkedCalls, deniedCalls, newestCall, type SystemCall } from "./system-calls.ts";

const [allow, endProcess] = [0x7fff0000, 0x80000000];
const fail = (errno: number): number => 0x00050000 + errno;
const [denied, unknown, noSuchFamily] = [fail(1), fail(38), fail(97)];

interface Call {
  architecture: number;
  number: number;
  first?: number;
  second?: number;
}

/** Behaves as the kernel does with such a program. */
function interpret(program: Buffer, { architecture, number, first = 0, second = 0 }: Call): number {
  const data = new Map([
    [0, number],
    [4, architecture],
    [16, first],
    [24, second],
  ]);
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const value = program.readUInt32LE(at + 4);
    const jump = (holds: boolean): void => {
      at += 8 * program.readUInt8(at + (holds ? 2 : 3));
    };
    switch (program.readUInt16LE(at)) {
      case 0x20:
        loaded = data.get(value) ?? Number.NaN;
        break;
      case 0x15:
        jump(loaded === value);
        break;
      case 0x25:
        jump(loaded > value);
        break;
      case 0x45:
        jump((loaded & value) !== 0);
        break;
      case 0x06:
        return value;
      default:
        throw new Error(`an unknown instruction at ${at}`);
    }
  }
  throw new Error("the program has no end");
}

const kinds = [
  { name: "x64", architecture: 0xc000003e, place: 1, others: [0xc00000b7, 0x40000003] },
  { name: "arm64", architecture: 0xc00000b7, place: 2, others: [0xc000003e, 0x40000028] },
] as const;

describe.each(kinds)("the filter of system calls on $name", ({ name, architecture, place, others }) => {
  const program = createCallFilter(name) ?? Buffer.alloc(0);
  const answer = (number: number, first?: number): number =>
    interpret(program, { architecture, number, ...(first === undefined ? {} : { first }) });
  const numberOf = (call: SystemCall): number => call[place] ?? -1;
  const known = deniedCalls.filter((call) => call[place] !== undefined);

  test.each(known.map((call) => [call[0], numberOf(call)] as const))("refuses %s (%i)", (_, number) => {
    expect(answer(number)).toBe(denied);
  });

  it("allows everything else up to the newest call that it knows, and says of newer ones that they do not exist", () => {
    const listed = new Set([...known, ...Object.values(checkedCalls)].map(numberOf));
    const rest = Array.from({ length: newestCall + 1 }, (_, number) => number).filter((number) => !listed.has(number));
    expect(rest.filter((number) => answer(number) !== allow)).toEqual([]);
    expect([newestCall + 1, 512, 547, 1_000_000].map((number) => answer(number))).toEqual([unknown, unknown, unknown, unknown]);
  });

  it("lists no call twice", () => {
    const numbers = [...known, ...Object.values(checkedCalls)].map(numberOf);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("refuses system calls of another ABI", () => {
    expect([0, 1, 165].map((number) => answer(0x40000000 + number))).toEqual([unknown, unknown, unknown]);
  });

  it.each(others)("ends a program for another processor (%i)", (other) => {
    expect(interpret(program, { architecture: other, number: 1 })).toBe(endProcess);
  });

  it("lets processes and threads be made, but no namespaces", () => {
    const [clone, unshare] = [numberOf(checkedCalls.clone), numberOf(checkedCalls.unshare)];
    const [fork, thread, vfork] = [0x01200011, 0x003d0f00, 0x00004111];
    expect([fork, thread, vfork].map((flags) => answer(clone, flags))).toEqual([allow, allow, allow]);
    const namespaces = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000];
    expect(namespaces.filter((flag) => answer(clone, flag | 17) !== denied)).toEqual([]);
    expect([...namespaces, 0x80].filter((flag) => answer(unshare, flag | 0x400) !== denied)).toEqual([]);
    // CLONE_FS and CLONE_FILES create no namespaces.
    expect(answer(unshare, 0x600)).toBe(allow);
    expect(answer(numberOf(checkedCalls.clone3))).toBe(unknown);
  });

  it("allows every operation on an open file except leases, which block others that open it", () => {
    const ask = (command: number): number => interpret(program, { architecture, number: numberOf(checkedCalls.fcntl), second: command });
    // F_DUPFD, F_GETFL, F_SETLK, F_OFD_SETLK, F_GETLEASE, F_DUPFD_CLOEXEC, F_SETPIPE_SZ, F_ADD_SEALS.
    expect([0, 3, 6, 37, 1025, 1030, 1031, 1033].map(ask)).toEqual(Array(8).fill(allow));
    // F_SETLEASE and F_SETDELEG.
    expect([1024, 1040].map(ask)).toEqual([denied, denied]);
  });

  it("lets a program have the usual personalities only", () => {
    const ask = (value: number): number => answer(numberOf(checkedCalls.personality), value);
    expect([0, 8, 0x20000, 0x20008, 0xffffffff].map(ask)).toEqual([allow, allow, allow, allow, allow]);
    // READ_IMPLIES_EXEC, ADDR_NO_RANDOMIZE, MMAP_PAGE_ZERO.
    expect([0x400000, 0x40000, 0x100000].map(ask)).toEqual([denied, denied, denied]);
  });

  it.each([checkedCalls.socket, checkedCalls.socketpair])(
    "allows the socket families of the network and of the machine for %s",
    (...call) => {
      const ask = (family: number): number => answer(call[place], family);
      expect([1, 2, 10, 16].map(ask)).toEqual([allow, allow, allow, allow]);
      // AX25, PACKET, RDS, TIPC, ALG, VSOCK.
      expect([3, 17, 21, 30, 38, 40].map(ask)).toEqual(Array(6).fill(noSuchFamily));
    },
  );
});

describe("the file of the filter", () => {
  const folder = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), "millrace-filter-"));
    onTestFinished(() => rm(made, { recursive: true }));
    return made;
  };

  it("is for the service alone", async () => {
    const { file = "", detail } = await writeCallFilter(await folder(), "arm64", "kill_process kill_thread errno allow");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file)).toEqual(createCallFilter("arm64"));
    expect(detail).toBe("system calls filtered");
  });

  it.each([
    ["riscv64", "kill_process errno", "system calls are not filtered: there is no filter for processors of the kind riscv64"],
    ["x64", "", "system calls are not filtered: this kernel has no seccomp filters"],
  ])("is not there on %s with the actions %j, and that is said", async (architecture, actions, detail) => {
    expect(await writeCallFilter(await folder(), architecture, actions)).toEqual({ file: undefined, detail });
  });
});

describe("the assembler", () => {
  it("refuses a jump that is too long, goes back or leads nowhere", () => {
    const jump = { kind: "jump", test: "equals", value: 1, ifTrue: "end" } as const;
    const end = [
      { kind: "label", name: "end" },
      { kind: "return", action: allow },
    ] as const;
    const between = Array.from({ length: 256 }, () => ({ kind: "load", offset: 0 }) as const);
    expect(() => assemble([jump, ...between, ...end])).toThrow("the jump to end goes 256 instructions");
    expect(assemble([jump, ...between.slice(1), ...end]).length).toBe(257 * 8);
    expect(() => assemble([...end, jump])).toThrow("the jump to end goes -2 instructions");
    expect(() => assemble([jump])).toThrow("no instruction has the label end");
  });
});
