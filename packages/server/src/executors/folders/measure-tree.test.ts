import { execFileSync, spawn } from "node:child_process";
import { chmod, copyFile, link, mkdir, mkdtemp, readFile, rename, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { countTurns } from "../../../test/kit/count-turns.ts";
import { removeTree } from "../../base/file/remove-tree.ts";
import { measureTree } from "./measure-tree.ts";
import { measureUnlinked, noUnlinked } from "./open-files.ts";

const root = await mkdtemp(join(tmpdir(), "millrace-measure-"));
afterAll(() => removeTree(root));

async function folder(name: string): Promise<string> {
  const path = join(root, name);
  await mkdir(path);
  return path;
}

function program(code: string, cwd: string): void {
  execFileSync(process.execPath, ["-e", code], { cwd });
}

const big = Buffer.alloc(1 << 20, 1);

describe("the size of a folder", () => {
  test("counts the space in use: a file with two names once, holes not at all, a link itself and not its target", async () => {
    const path = await folder("kinds");
    await writeFile(join(path, "big"), big);
    await link(join(path, "big"), join(path, "again"));
    await writeFile(join(path, "hole"), "");
    await truncate(join(path, "hole"), 1 << 30);
    await symlink("/usr", join(path, "link"));
    const size = await measureTree(path);
    expect(size).toMatchObject({ files: 4, isComplete: true, isCut: false });
    expect(size.bytes).toBeGreaterThanOrEqual(1 << 20);
    expect(size.bytes).toBeLessThan(1.1 * (1 << 20));
  });

  test("counts folders at any depth, and what is beside them", async () => {
    const path = await folder("deep");
    program(
      `for (let i = 0; i < 100; i++) { fs.writeFileSync("file", Buffer.alloc(4096, 1)); fs.mkdirSync("beside/inner", { recursive: true });
         fs.mkdirSync("d".repeat(100)); process.chdir("d".repeat(100)); }`,
      path,
    );
    const size = await measureTree(path);
    expect(size).toMatchObject({ files: 400, isComplete: true });
    expect(size.bytes).toBeGreaterThanOrEqual(100 * 4096);
  });

  test("counts in folders without permissions, and leaves these permissions unchanged", async () => {
    const path = await folder("closed");
    await mkdir(join(path, "a/b"), { recursive: true });
    await writeFile(join(path, "a/b/big"), big);
    await chmod(join(path, "a/b"), 0o100);
    await chmod(join(path, "a"), 0);
    const size = await measureTree(path);
    expect(size).toMatchObject({ files: 3, isComplete: true });
    expect(size.bytes).toBeGreaterThanOrEqual(1 << 20);
    expect((await stat(join(path, "a"))).mode & 0o777).toBe(0);
  });

  test("is counted only up to the limit, and does not block the event loop", { timeout: 120_000 }, async () => {
    const path = await folder("wide");
    execFileSync("/bin/sh", ["-c", "seq 10000 | xargs touch; mkdir more; cd more; seq 2000 | xargs mkdir"], { cwd: path });
    const rss = process.memoryUsage().rss;
    const { result, turns } = await countTurns(() => measureTree(path));
    expect(result).toMatchObject({ files: 12_001, isComplete: true, isCut: false });
    expect(turns).toBeGreaterThan(120);
    const cut = await measureTree(path, { bytes: Number.POSITIVE_INFINITY, files: 1_000 });
    expect(cut).toMatchObject({ isCut: true });
    expect(cut.files).toBeLessThan(1_100);
    expect(process.memoryUsage().rss - rss).toBeLessThan(200 << 20);
  });

  test("is known to be incomplete when folders are moved while they are counted, and nothing outside is counted", async () => {
    const path = await folder("moving");
    program(
      'for (let i = 0; i < 60; i++) { for (let k = 0; k < 20; k++) fs.writeFileSync("f" + k, ""); fs.mkdirSync("d"); process.chdir("d"); }',
      path,
    );
    const away = join(root, "away");
    const counting = measureTree(path);
    for (let round = 0; round < 50; round++) {
      await rename(join(path, "d"), away);
      await rename(away, join(path, "d"));
    }
    expect((await counting).files).toBeLessThanOrEqual(60 * 21);
  });
});

describe("files without a name", () => {
  async function holding(code: string, cwd: string): Promise<number> {
    const child = spawn(process.execPath, ["-e", code], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return child.pid ?? 0;
  }

  test("count as long as a process has them open, each once", async () => {
    const path = await folder("unlinked");
    const code = `const open = () => fs.openSync("gone", "a+"); const kept = [open(), open()]; fs.writeSync(kept[0], Buffer.alloc(1 << 20, 1));
      fs.unlinkSync("gone"); fs.openSync("named", "w"); console.log("ready"); setInterval(() => 0, 1000);`;
    const pid = await holding(code, path);
    const { dev } = await stat(path);
    const size = await measureUnlinked({ pids: [pid, pid], devices: new Set([dev]) });
    expect(size).toMatchObject({ files: 1, isComplete: true });
    expect(size.bytes).toBeGreaterThanOrEqual(1 << 20);
    expect(await measureUnlinked({ pids: [pid], devices: new Set() })).toMatchObject({ bytes: 0, files: 0, isComplete: true });
    expect(await measureUnlinked({ pids: [2 ** 22 + 1], devices: new Set([dev]) })).toEqual(noUnlinked);
  });

  test("count when they are a program that runs, or are named like a file in memory", async () => {
    const path = await folder("disguised");
    await mkdir(join(path, "memfd:a"));
    const own = join(path, "memfd:a/program (deleted)");
    await copyFile(execFileSync("sh", ["-c", "command -v sleep"], { encoding: "utf8" }).trim(), own);
    const { size, dev } = await stat(own);
    const child = spawn(own, ["1000"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await expect.poll(() => readFile(`/proc/${child.pid}/cmdline`, "utf8")).toContain("program (deleted)");
    await removeTree(join(path, "memfd:a"));
    const found = await measureUnlinked({ pids: [child.pid ?? 0], devices: new Set([dev]) });
    expect(found.files).toBe(1);
    expect(found.bytes).toBeGreaterThanOrEqual(size);
  });

  test("are not counted for a process that has ended, even if only root could inspect it", async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip("only root can become someone else for a moment");
    // The shell becomes `sleep`, which never reaps its child; the child ends after that, because until then the shell might still reap it.
    const shell = spawn("sh", ["-c", "(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 1000"], {
      uid: 65_534,
      gid: 65_534,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void shell.kill("SIGKILL"));
    const child = await new Promise<number>((resolve) => shell.stdout.once("data", (text) => resolve(Number(text))));
    await expect.poll(() => readFile(`/proc/${child}/stat`, "utf8")).toMatch(/\) Z/);
    process.seteuid?.(65_534);
    try {
      expect(await measureUnlinked({ pids: [child], devices: new Set() })).toEqual(noUnlinked);
    } finally {
      process.seteuid?.(0);
    }
  });

  test("are reported as hidden if they are only in transit through a socket or only mapped", async ({ skip }) => {
    const path = await folder("sent");
    const script = `import array, mmap, os, socket, sys, time
one, other = socket.socketpair()
held = os.open("sent", os.O_CREAT | os.O_RDWR); os.write(held, b"x" * 1048576); os.unlink("sent")
one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [held]))]); os.close(held)
mapped = os.open("mapped", os.O_CREAT | os.O_RDWR); os.write(mapped, b"x" * 2097152)
kept = mmap.mmap(mapped, 4096); os.close(mapped); os.unlink("mapped")
print("ready", flush=True); time.sleep(1000)`;
    let python: ReturnType<typeof spawn>;
    try {
      execFileSync("python3", ["-c", ""]);
    } catch {
      return skip("python3 is not there to send a descriptor");
    }
    python = spawn("python3", ["-c", script], { cwd: path, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void python.kill("SIGKILL"));
    await new Promise((resolve) => python.stdout?.once("data", resolve));
    const size = await measureUnlinked({ pids: [python.pid ?? 0], devices: new Set([(await stat(path)).dev]) });
    expect(size.isComplete).toBe(false);
    // Python may keep its own descriptor of the mapped file; otherwise the file is found by its mapping.
    expect(size.bytes).toBeGreaterThanOrEqual(2 << 20);
  });

  test("are counted together with the epoll entries of a process, if requested", async ({ skip }) => {
    const script = `import os, select, time
held = [os.pipe()[0] for _ in range(40)]
polls = [select.epoll() for _ in range(3)]
for poll in polls:
    for file in held: poll.register(file)
print("ready", flush=True); time.sleep(1000)`;
    const python = spawn("python3", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void python.kill("SIGKILL"));
    const isThere = await new Promise((resolve) => python.on("error", () => resolve(false)).stdout.once("data", () => resolve(true)));
    if (!isThere) return skip("python3 is not there to watch anything");
    const search = { pids: [python.pid ?? 0], devices: new Set<number>() };
    expect((await measureUnlinked({ ...search, countsWatches: true })).watches).toBe(120);
    expect((await measureUnlinked(search)).watches).toBe(0);
  });

  test("are reported as hidden if the list of mappings is too long to read", async ({ skip }) => {
    const path = await folder("mapped");
    const script = `import ctypes, os, sys, time
for _ in range(int(sys.argv[1])): os.makedirs("d" * 250, exist_ok=True); os.chdir("d" * 250)
file = os.open("file", os.O_CREAT | os.O_RDWR); os.ftruncate(file, 4096)
mmap = ctypes.CDLL(None).mmap
mmap.restype = ctypes.c_void_p
mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
for _ in range(int(sys.argv[2])): mmap(None, 4096, 1, 1, file, 0)
print("ready", flush=True); time.sleep(1000)`;
    const mapped = async (depth: number, times: number) => {
      const python = spawn("python3", ["-c", script, `${depth}`, `${times}`], { cwd: path, stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void python.kill("SIGKILL"));
      const isThere = await new Promise((resolve) => python.on("error", () => resolve(false)).stdout.once("data", () => resolve(true)));
      return isThere && (await measureUnlinked({ pids: [python.pid ?? 0], devices: new Set() }));
    };
    const many = await mapped(14, 5_000);
    if (!many) return skip("python3 is not there to map a file");
    expect(many).toMatchObject({ isComplete: false, isMemoryComplete: false });
    // One line of it is 75 KB.
    expect(await mapped(300, 1)).toMatchObject({ isComplete: false, isMemoryComplete: false });
  });
});
