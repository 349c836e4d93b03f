import { expect } from "vitest";
import { checkedCalls, deniedCalls, type SystemCall } from "../process/call-filter/system-calls.ts";
import { makeJob, run, type Scenario } from "./scenario.ts";

const place = process.arch === "arm64" ? 2 : 1;
const numbers = new Map([...deniedCalls, ...Object.values(checkedCalls)].map((call: SystemCall) => [call[0], call[place]]));

/** What a hostile step requests, with meaningful arguments, and the error that it gets. */
const attempts: { call: string; args: (number | string)[]; error: number }[] = [
  { call: "add_key", args: ["user", "millrace-probe", "text", 4, -3], error: 1 },
  { call: "keyctl", args: [0, -3, 1], error: 1 },
  { call: "request_key", args: ["user", "millrace-probe", 0, 0], error: 1 },
  { call: "io_uring_setup", args: [1, " ".repeat(120)], error: 1 },
  { call: "bpf", args: [0, " ".repeat(120), 120], error: 1 },
  { call: "perf_event_open", args: [" ".repeat(120), 0, -1, -1, 0], error: 1 },
  { call: "userfaultfd", args: [1], error: 1 },
  { call: "open_by_handle_at", args: [-100, " ".repeat(120), 0], error: 1 },
  { call: "mount", args: ["none", "/task", "tmpfs", 0, 0], error: 1 },
  { call: "open_tree", args: [-100, "/", 1], error: 1 },
  { call: "setns", args: [0, 0], error: 1 },
  { call: "unshare", args: [0x10000000], error: 1 },
  { call: "unshare", args: [0x40000000], error: 1 },
  { call: "clone", args: [0x10000011, 0, 0, 0, 0], error: 1 },
  { call: "clone3", args: [" ".repeat(88), 88], error: 38 },
  // A lease on an open file.
  { call: "fcntl", args: [0, 1024, 1], error: 1 },
  { call: "personality", args: [0x400000], error: 1 },
  // AF_ALG and AF_VSOCK
  { call: "socket", args: [38, 5, 0], error: 97 },
  { call: "socket", args: [40, 1, 0], error: 97 },
];

const perlLine = ({ call, args }: (typeof attempts)[number]): string =>
  `$r = syscall(${[numbers.get(call), ...args.map((arg) => (typeof arg === "string" ? `my $t${arg.length} = "${arg}"` : arg))].join(", ")}); print "${call} ", ($r == -1 ? $! + 0 : "worked"), "\\n"; exit if $r == 0 && "${call}" =~ /^clone/;`;

/** The ways in which a step may call the kernel. */
export const systemCallScenarios: Scenario[] = [
  {
    name: "the kernel answers a step no calls that only a system needs",
    needs: "filteredCalls",
    async check(bench, skip) {
      const script = `#!/usr/bin/env perl\n$| = 1;\n${attempts.map((each) => `{ ${perlLine(each)} }`).join("\n")}\n`;
      const { texts, outcome } = await run(bench, makeJob(script));
      // Perl is part of every Debian and of most other systems; without it nothing here can make a call by its number.
      if (outcome.exitCode === 127) return skip("this machine has no perl");
      expect(texts()).toEqual(attempts.map(({ call, error }) => `${call} ${error}`));
      expect(outcome.status).toBe("succeeded");
    },
  },
  {
    name: "a step and the first process of its sandbox run under the filter of system calls",
    needs: "filteredCalls",
    async check(bench) {
      const script = "grep -h -E '^(Seccomp|NoNewPrivs):' /proc/self/status /proc/1/status 2>/dev/null | tr -s '\\t ' ' '; true";
      const { texts } = await run(bench, makeJob(script));
      expect(texts().filter((line) => line !== "Seccomp: 2" && line !== "NoNewPrivs: 1")).toEqual([]);
    },
  },
  {
    name: "what a step puts into the kernel's key store is found by no later step of another team",
    needs: "ownTemporaryFiles",
    async check(bench, skip) {
      const [add, ask] = [numbers.get("add_key"), numbers.get("keyctl")];
      // Into the keyring of its user (-4), as programs do that keep a ticket or a password there; 10 searches for a key.
      const script = (line: string): string =>
        `#!/usr/bin/env perl\nmy ($t, $n, $v) = ("user", "exercise-${process.pid}", "secret");\n${line}\n`;
      const first = await run(bench, makeJob(script(`syscall(${add}, $t, $n, $v, 6, -4);`), { teamId: "one" }));
      if (first.outcome.exitCode === 127) return skip("this machine has no perl");
      for (let tries = 0; tries < 4; tries++) {
        const look = script(`print syscall(${ask}, 10, -4, $t, $n, 0) == -1 ? "nothing" : "found";`);
        expect((await run(bench, makeJob(look, { teamId: "two" }))).texts()).toEqual(["nothing"]);
      }
    },
  },
  {
    name: "a step can't keep others waiting for a file that all steps see",
    needs: "noLeases",
    async check(bench, skip) {
      // F_SETLEASE, for reading and for writing; each is released.
      const code = `chomp; my $path = $_; for my $kind (0, 1) { open(my $file, "<", $path) or next; fcntl($file, 1024, $kind) and print "$kind $path\\n"; fcntl($file, 1024, 2); }`;
      const { texts, outcome } = await run(
        bench,
        makeJob(`command -v perl > /dev/null || exit 127\nfind /etc /run/millrace/programs -type f 2> /dev/null | perl -ne '${code}'`),
      );
      if (outcome.exitCode === 127) return skip("this machine has no perl");
      expect(texts()).toEqual([]);
    },
  },
  {
    name: "a step makes no user namespace, in which it could mount what no look at it counts",
    needs: "noNamespaces",
    async check(bench, skip) {
      const script = `set +e
        command -v unshare > /dev/null || { echo missing; exit; }
        unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /mnt && echo mounted' 2>&1 | tail -n 1
        unshare --user true 2> /dev/null && echo made
        grep -E '^Cap(Prm|Eff|Amb):' /proc/self/status 2> /dev/null | tr -d '\t'`;
      const { texts } = await run(bench, makeJob(script));
      if (texts()[0] === "missing") return skip("this machine has no unshare");
      const rights = texts().filter((line) => line.startsWith("Cap"));
      // Without /proc there is nothing to read.
      expect(rights.filter((line) => !/:0{16}$/.test(line))).toEqual([]);
      expect(texts().filter((line) => !line.startsWith("Cap"))).toEqual([expect.stringMatching(/^unshare: unshare failed/)]);
    },
  },
  {
    name: "programs with threads, children, pipes and sockets run as they do elsewhere",
    async check(bench) {
      const node = `const { Worker } = require("node:worker_threads"); const { execFileSync } = require("node:child_process");
        new Worker("require(\\"node:worker_threads\\").parentPort.postMessage(20)", { eval: true }).on("message", (n) => {
          const child = execFileSync("sh", ["-c", "echo 22 | cat"]); require("node:fs").promises.readFile("/dev/null").then(() => console.log("node", n + Number(child)));
        });`;
      const python = `import threading, subprocess, multiprocessing, socket
a, b = socket.socketpair(); t = threading.Thread(target=lambda: a.send(b"42")); t.start(); t.join()
p = multiprocessing.Process(target=lambda: None); p.start(); p.join()
print("python3", b.recv(2).decode(), subprocess.check_output(["true"]).decode())`;
      const script = `"$NODE" -e '${node}'
        ! python3 -c '' 2>/dev/null || python3 -c '${python}' | sed 's/ *$//'
        ! command -v git > /dev/null || { git init -q repo && cd repo && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git log --oneline | wc -l | sed 's/^ */git /'; }`;
      const { texts, outcome, lines } = await run(bench, makeJob(script));
      expect(outcome, JSON.stringify(lines)).toMatchObject({ status: "succeeded" });
      expect(["node 42", "python3 42", "git 1"].filter((line) => texts().includes(line))).toEqual(texts());
      expect(texts()[0]).toBe("node 42");
    },
  },
];
