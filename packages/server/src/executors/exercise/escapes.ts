import { access, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { makeJob, run, type Scenario } from "./scenario.ts";
import { workspace } from "./workspaces.ts";

/** What a hostile author tries with the paths of workspaces, and with what steps leave for the steps after them. */
export const escapeScenarios: Scenario[] = [
  {
    name: "no workspace may lie at, below or above another one",
    needs: "files",
    async check(bench) {
      const pairs = [
        ["/w", "/w"],
        ["/w", "/w/link"],
        ["/w/link", "/w"],
        ["/w", "//w/./"],
        ["/w/", "/w//link/deeper"],
        ["/tekton/home/x", "/tekton/home/x/y"],
      ];
      for (const [first, second] of pairs) {
        const workspaces = [workspace(bench, "one", { mountPath: first }), workspace(bench, "two", { mountPath: second })];
        const { outcome } = await run(bench, makeJob("true", { workspaces }));
        expect(outcome, `${first} and ${second}`).toMatchObject({ status: "invalid", reason: "InvalidTask" });
      }
    },
  },
  {
    name: "a link in one workspace leads the mount of another one nowhere",
    needs: "files",
    async check(bench) {
      const outside = join(bench.privateDir, "outside");
      await mkdir(outside, { recursive: true });
      const first = workspace(bench, "linked", { mountPath: "/w" });
      for (const target of ["/usr/local/sbin", outside, `/oldroot${outside}`, "../../../.."]) {
        await run(bench, makeJob(`ln -sfn '${target}' /w/link`, { workspaces: [first] }));
        const second = workspace(bench, "second", { mountPath: "/w/link" });
        for (const workspaces of [
          [first, second],
          [second, first],
        ]) {
          const { outcome } = await run(bench, makeJob("touch /w/link/escaped", { workspaces }));
          expect(outcome.status).toBe("invalid");
        }
      }
      expect(await readdir(outside)).toEqual([]);
      await expect(access("/usr/local/sbin/escaped")).rejects.toThrow();
    },
  },
  {
    name: "no workspace may be mounted at halves of characters, which differ as text and not in a file system",
    needs: "files",
    async check(bench) {
      const [first, second] = ["/w/\ud800", "/w/\ud801/link"].map((mountPath) => workspace(bench, "half", { mountPath }));
      for (const workspaces of [[first], [first, second], [second, first]]) {
        const { outcome } = await run(bench, makeJob("true", { workspaces: workspaces.filter((one) => one !== undefined) }));
        expect(outcome).toMatchObject({ status: "invalid", reason: "InvalidTask" });
      }
    },
  },
  {
    name: "the folder of a workspace is never a link that someone put in its place",
    needs: "ownMounts",
    async check(bench) {
      const target = join(bench.privateDir, "target");
      await mkdir(target, { recursive: true });
      await writeFile(join(target, "secret"), "the-secret");
      const used = workspace(bench, "replaced");
      await run(bench, makeJob("true", { workspaces: [{ ...used, source: join(used.source, "..", "beside") }] }));
      await symlink(target, used.source);
      const { outcome, texts } = await run(bench, makeJob(`cat ${used.mountPath}/*; true`, { workspaces: [used] }));
      expect(outcome.status).toBe("failed");
      expect(texts()).toEqual([]);
    },
  },
  {
    name: "no workspace is mounted in the home of the steps, which they can exchange for a link at any moment",
    needs: "ownMounts",
    async check(bench) {
      for (const mountPath of ["/tekton/home", "/tekton/home/.config/tool", "/task/home/x"]) {
        const { outcome } = await run(bench, makeJob("true", { workspaces: [workspace(bench, "in-home", { mountPath })] }));
        expect(outcome, mountPath).toMatchObject({ status: "invalid", reason: "InvalidTask" });
        expect(outcome.message).toContain("/task/home, which belongs to the sandbox");
      }
    },
  },
  {
    name: "nothing in the sandbox belongs to root and has rights",
    needs: "processes",
    async check(bench) {
      const script = `set +e
        for status in /proc/[0-9]*/status; do
          grep -E '^(Name|Uid|CapEff|CapPrm)' "$status" 2>/dev/null | tr -s '\\t\\n ' '   '; echo
        done`;
      const { texts } = await run(bench, makeJob(script));
      const processes = texts().filter((line) => line.includes("Uid:"));
      expect(processes.length).toBeGreaterThan(0);
      expect(processes.filter((line) => / Uid: 0 | Cap(Eff|Prm): (?!0{16})/.test(` ${line}`))).toEqual([]);
    },
  },
];
