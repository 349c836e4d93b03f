import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../../test/kit/build-program.ts";
import { machineProgram } from "../../steps/machine-program.ts";
import { deniedCalls } from "../call-filter/system-calls.ts";
import type { LevelName } from "../settings.ts";
import { freshSessionArm64, freshSessionX64, writeFreshSession } from "./launcher.ts";

let folder = "";
let session: string | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-session-"));
  await chmod(folder, 0o711);
  session = await writeFreshSession(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const place = process.arch === "arm64" ? 2 : 1;
const numberOf = (name: string) => deniedCalls.find((call) => call[0] === name)?.[place];
/** Joins a new session keyring (1), adds a key to it (-3), as whatever started the service may have done, and then executes a program. */
const withKey = `syscall(${numberOf("keyctl")}, 1, 0); my ($t, $n, $v) = ("user", "of-the-service", "secret");
  syscall(${numberOf("add_key")}, $t, $n, $v, 6, -3) > 0 or print("no key store\\n"), exit; $| = 1; exec @ARGV;`;
/** 10 searches for a key, 11 reads one. */
const look = `my ($t, $n, $b) = ("user", "of-the-service", " " x 20); my $k = syscall(${numberOf("keyctl")}, 10, -3, $t, $n, 0);
  print $k == -1 ? "nothing\\n" : "found\\n";`;
const perl = (code: string, ...args: string[]) => spawnSync("perl", ["-e", code, ...args], { encoding: "utf8", timeout: 60_000 });
const isAble = process.platform === "linux" && perl("1").status === 0 && perl(withKey, "echo", "able").stdout === "able\n";

describe.skipIf(!isAble)("a key in the session keyring of the service", () => {
  test("is found by processes that inherit it, but not by those that the program starts", () => {
    expect(perl(withKey, "perl", "-e", look).stdout).toBe("found\n");
    expect(session).toBeDefined();
    const inside = perl(withKey, session!, "/usr/bin/perl", "-e", `${look} print "@ARGV $ENV{OWN}\\n"; exit 7`, "a b", "");
    expect([inside.stdout, inside.status]).toEqual(["nothing\na b  \n", 7]);
  });

  describe.skipIf(process.getuid?.() !== 0).each<LevelName>(["bubblewrap", "bubblewrap-as-root", "unshare", "own-uid"])(
    "at level %s",
    (level) => {
      test("is not accessible to a step", async ({ skip }) => {
        const program = await buildProgram(fileURLToPath(new URL("../../../../test/processes/executor-program.ts", import.meta.url)));
        const step = `#!/usr/bin/env perl\n$| = 1; ${look} open(my $f, "<", "/proc/keys") or exit; print "seen: $_" for grep { /of-the-service/ } <$f>;`;
        const { stdout, stderr } = perl(withKey, process.execPath, program, join(folder, level), level, step);
        await rm(program);
        skip(stdout.includes("no way to isolate"), "this level does not work here");
        expect(stdout.split("\n").slice(1, -2), stdout + stderr).toEqual(["nothing"]);
      });
    },
  );
});

describe("the program", () => {
  test("is the same bytes on each machine, for both processors", () => {
    expect([machineProgram("x64", freshSessionX64).length, machineProgram("arm64", freshSessionArm64).length]).toEqual([246, 264]);
  });

  test("is left out where there is none for the processor", async () => {
    expect(await writeFreshSession(folder, "riscv64")).toBeUndefined();
  });

  test.runIf(session !== undefined || isAble)("reports by its exit code that the program to start can't be executed", () => {
    expect(spawnSync(session!, ["/no/such"]).status).toBe(126);
  });
});
