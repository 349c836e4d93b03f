import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContainerBench, openContainerBench } from "../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { makeJob, run } from "../exercise/scenario.ts";

/** AF_VSOCK is 40, AF_ALG 38; the flags are those of new user, network and mount namespaces. */
const script = `#!/usr/bin/env python3
import ctypes, errno, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(name, result): print(name, "worked" if result >= 0 else errno.errorcode[ctypes.get_errno()])
for flag in (0x10000000, 0x40000000, 0x20000, 0x80): call(hex(flag), libc.unshare(flag))
call("mount", libc.mount(b"none", b"/task/work", b"tmpfs", 0, None))
call("keyctl", libc.syscall(250 if os.uname().machine == "x86_64" else 219, 0, -3, 1))
call("io_uring", libc.syscall(425, 1, ctypes.create_string_buffer(120)))
call("lease", libc.fcntl(os.open("own", os.O_CREAT | os.O_RDONLY), 1024, 0))
for family in (40, 38):
    try: socket.socket(family, socket.SOCK_STREAM); print(family, "worked")
    except OSError as error: print(family, errno.errorcode[error.errno])
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6): socket.socket(family, socket.SOCK_STREAM).close()
`;

const tier = await openContainerTier("podman");
tier.describe("system calls of steps with podman", () => {
  let bench: ContainerBench;
  beforeAll(async () => {
    bench = await openContainerBench(tier.engine);
  }, 60_000);
  afterAll(() => bench?.close());

  test("no user namespaces, mounts, keys of the kernel, or sockets past the network", async () => {
    const { outcome, texts } = await run(bench, makeJob(script));
    expect([outcome.status, texts()]).toEqual([
      "succeeded",
      [
        ...["0x10000000 EPERM", "0x40000000 EPERM", "0x20000 EPERM", "0x80 EPERM", "mount EPERM", "keyctl EPERM", "io_uring EPERM"],
        ...["lease EPERM", "40 EAFNOSUPPORT", "38 EAFNOSUPPORT"],
      ],
    ]);
  });
});
