import { chmod, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { makeJob, run, type Scenario } from "./scenario.ts";

/** What steps must not be able to reach. */
export const isolationScenarios: Scenario[] = [
  {
    name: "a step has no network unless its task asks for it",
    needs: "network",
    async check(bench) {
      const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      const script = `exec "$NODE" -e 'require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => { console.log(e.code); process.exit(9) })'`;
      try {
        const without = await run(bench, makeJob(script));
        expect(without.outcome.exitCode).toBe(9);
        const interfaces = "ls /sys/class/net 2>/dev/null; cat /proc/net/dev 2>/dev/null | tail -n +3 | cut -d: -f1";
        const isOther = (text: string): boolean => text.trim() !== "lo";
        expect((await run(bench, makeJob(interfaces))).texts().filter(isOther)).toEqual([]);
        const withNetwork = await run(bench, makeJob(bench.promises.loopback ? script : interfaces, { network: "host" }));
        if (bench.promises.loopback) expect(withNetwork.texts()).toEqual(["hello"]);
        else expect(withNetwork.texts().filter(isOther)).not.toEqual([]);
      } finally {
        server.close();
      }
    },
  },
  {
    name: "the service's data folder and keys can't be read or changed",
    needs: "files",
    async check(bench) {
      const key = join(bench.privateDir, "encryption.key");
      await writeFile(key, "the-key", { mode: 0o600 });
      const script = `cat '${key}' || ls '${bench.privateDir}' || touch '${bench.privateDir}/new' || echo x > '${key}' || rm -f '${key}' && exit 8; exit 0`;
      const { outcome, texts } = await run(bench, makeJob(`set +e\n${script.replace("rm -f", "rm")}`));
      expect(outcome).toMatchObject({ status: "succeeded" });
      expect(texts().join()).not.toContain("the-key");
      expect(await readFile(key, "utf8")).toBe("the-key");
    },
  },
  {
    name: "nothing outside its own folders can be written, whatever its mode",
    needs: "files",
    async check(bench) {
      await chmod(bench.workspacesDir, 0o777);
      const targets = ["/", "/usr", "/usr/bin", "/etc", "/opt", "/params", "/var", "/home", "/root", bench.workspacesDir, process.cwd()];
      const script = `set +e\n${targets.map((folder) => `touch '${folder}/millrace-probe' 2>/dev/null && echo '${folder}'`).join("\n")}\ntrue`;
      const { texts } = await run(bench, makeJob(script));
      expect(texts()).toEqual([]);
      await chmod(bench.workspacesDir, 0o711);
    },
  },
  {
    name: "the service's environment can't be seen",
    needs: "files",
    async check(bench) {
      const { outcome, lines } = await run(bench, makeJob("env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; true"));
      expect(outcome.status).toBe("succeeded");
      expect(lines.filter((line) => line.text.includes(bench.environmentText))).toEqual([]);
    },
  },
  {
    name: "other processes of the machine can't be seen or signalled",
    needs: "processes",
    async check(bench) {
      const { texts } = await run(
        bench,
        makeJob(`set +e\nkill -0 ${process.pid} 2>/dev/null && echo signalled; ls /proc | grep -c '^[0-9]' || true`),
      );
      const [count, ...more] = texts();
      expect(more).toEqual([]);
      expect(Number(count)).toBeLessThan(20);
    },
  },
  {
    name: "a step has no rights that it could use or regain",
    needs: "files",
    async check(bench) {
      const script = `set +e
        test -r /proc/self/status && grep -E '^(CapEff|CapPrm|CapAmb|NoNewPrivs)' /proc/self/status | tr -s '\\t ' ' '
        id -u; id -G; mount -t tmpfs none /mnt 2>/dev/null && echo mounted; chown 0 . 2>/dev/null && echo chowned
        umount -l /usr 2>/dev/null && echo unmounted; mknod dev c 1 3 2>/dev/null && echo device; true`;
      const { texts } = await run(bench, makeJob(script));
      const lines = texts();
      expect(lines.filter((line) => /^Cap/.test(line) && !/ 0{16}$/.test(line))).toEqual([]);
      expect(lines.filter((line) => /^NoNewPrivs/.test(line) && line !== "NoNewPrivs: 1")).toEqual([]);
      expect(lines.filter((line) => /mounted|chowned|device/.test(line) || line === "0")).toEqual([]);
    },
  },
  {
    name: "no open file of the service reaches a step",
    async check(bench) {
      const script = `test -e /proc/self/fd || exit 0; ls -l /proc/self/fd | sed -n 's/.* \\([0-9]*\\) -> \\(.*\\)/\\1 \\2/p' | grep -v '^[012] '`;
      const { texts } = await run(bench, makeJob(`set +e\n${script}; true`));
      // The folder that ls reads and the script that the shell reads belong to the step.
      expect(texts().filter((line) => !/ \/proc\/|\/dev\/null$|\/script-step-1$/.test(line))).toEqual([]);
    },
  },
  {
    name: "a step does not learn where the service keeps its data from its open files, its environment or its processes",
    needs: "files",
    async check(bench) {
      const script = `set +e; ls -l /proc/self/fd; env; tr '\\0' ' ' </proc/1/cmdline; cat /proc/self/cgroup; pwd; true`;
      const { outcome, lines } = await run(bench, makeJob(script));
      expect(outcome.status).toBe("succeeded");
      expect(lines.map(({ text }) => text).filter((text) => text.includes(dirname(bench.privateDir)))).toEqual([]);
    },
  },
  {
    name: "two tasks do not see each other's folders and processes",
    needs: "processes",
    async check(bench) {
      const hidden = makeJob("echo mine > own-file; exec sleep 1.2345");
      const look =
        "n=0; while [ $n -lt 8 ]; do cat /proc/*/cmdline 2>/dev/null | tr '\\0' ' '; find / -name own-file 2>/dev/null; sleep 0.05; n=$((n+1)); done; true";
      const [, { texts }] = await Promise.all([run(bench, hidden), run(bench, makeJob(look))]);
      expect(texts().join()).not.toMatch(/1\.2345|own-file.*\n/);
      expect(texts().filter((line) => line.endsWith("/own-file"))).toEqual([]);
    },
  },
];
