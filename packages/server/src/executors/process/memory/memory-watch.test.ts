import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { countDetachedBytes, readNamespaceSegments } from "./memory-watch.ts";

const isRoot = process.geteuid?.() === 0;
const ownNamespace = [...(isRoot ? [] : ["--user"]), "--ipc", "--"];
const canTry = spawnSync("unshare", [...ownNamespace, "python3", "--version"]).status === 0;

const table = `       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime      dtime      ctime                   rss                  swap
         0          1   600               1000000    10     0      0  1000     0  1000     0          0          0 1795447748                 4096                  512
         0          2   600               1000000    10     0      1  1000     0  1000     0          0          0 1795447748                 8192                    0
         0          3   600               1000000    10     0      0  2000     0  2000     0          0          0 1795447748                16384                    0
`;

test("segments with an attached process are not counted, and those of another user only if no user is given", () => {
  expect(countDetachedBytes(table)).toBe(4096 + 512 + 16_384);
  expect(countDetachedBytes(table, 1000)).toBe(4096 + 512);
  expect(countDetachedBytes("")).toBe(0);
});

const program = `
import ctypes, time
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0, ctypes.c_size_t(1 << 20), 0o1600)
at = libc.shmat(segment, None, 0)
ctypes.memset(ctypes.c_void_p(at), 1, 1 << 20)
libc.shmdt(ctypes.c_void_p(at))
print("ready", flush=True)
time.sleep(60)
`;

test.skipIf(!canTry)("segments of another IPC namespace are counted from outside", async () => {
  const child = spawn("unshare", [...ownNamespace, "python3", "-c", program], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  expect(await readNamespaceSegments(child.pid ?? 0, isRoot)).toBe(1 << 20);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readNamespaceSegments(child.pid ?? 0, isRoot)).toBeUndefined();
});
