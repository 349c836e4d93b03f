import { expect, test } from "vitest";
import { isInContainer } from "../process-executor.ts";
import { bubblewrapVariants, canWriteSettings, createBubblewrap, type SandboxFiles } from "./bubblewrap.ts";
import { findTools } from "./tools.ts";

const machine = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
24 22 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
`;
const container = `812 700 0:55 / / ro,relatime master:310 - overlay overlay rw,lowerdir=/a:/b,upperdir=/c,workdir=/d
813 812 0:58 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw
830 813 0:58 /bus /proc/bus ro,nosuid,nodev,noexec,relatime - proc proc rw
833 813 0:58 /sys /proc/sys ro,nosuid,nodev,noexec,relatime - proc proc rw
834 813 0:59 / /proc/acpi ro,relatime - tmpfs tmpfs ro
`;

test("a container is distinguished from a machine, and a read-only /proc/sys from a writable one", () => {
  expect([machine, container, ""].map(isInContainer)).toEqual([false, true, false]);
  expect([machine, container, ""].map(canWriteSettings)).toEqual([true, false, true]);
});

test.each([
  { canWriteSettings: true, file: "/scratch/call-filter", isLocked: true },
  { canWriteSettings: true, file: undefined, isLocked: true },
  { canWriteSettings: false, file: "/scratch/call-filter", isLocked: false },
  // The level then fails instead of letting steps create user namespaces.
  { canWriteSettings: false, file: undefined, isLocked: true },
])("only the system call filter can replace the lock on user namespaces: %o", ({ canWriteSettings: canWrite, file, isLocked }) => {
  const files: SandboxFiles = {
    system: { folders: ["/usr"], links: [] },
    etc: "/scratch/etc",
    nodeBinary: "/usr/bin/node",
    programsDir: undefined,
    callFilter: { file, detail: "" },
    covers: { folders: [], files: [] },
    tools: findTools(),
    takesDescriptors: false,
    canWriteSettings: canWrite,
  };
  const variant = bubblewrapVariants.find(({ name }) => name === "bubblewrap-no-proc")!;
  const attempt = { writable: "/scratch/writable", fixed: "/scratch/fixed" };
  const request = { attempt, argv: ["/bin/true"], network: "none", folders: [], files: [], workspaceSources: [], joinFiles: [] } as const;
  const { args } = createBubblewrap(variant, files).launch(request as never);
  expect([args.includes("--disable-userns"), args.includes("--seccomp")]).toEqual([isLocked, file !== undefined]);
});
