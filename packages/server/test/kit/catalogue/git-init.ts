import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { takeLock } from "../../../../../scripts/lock.mjs";

const run = promisify(execFile);
const version = "v0.40.2";
const places = ["/usr/local/go/bin/go", "/usr/lib/go-1.19/bin/go", "/usr/bin/go"];

/**
 * The program of the image that the task `git-clone` of the public catalogue runs, built from source once on this machine, in two minutes.
 * @throws if Go is not installed, or its modules can't be downloaded
 */
export async function gitInit(): Promise<string> {
  const folder = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "millrace");
  const program = join(folder, `git-init-${version}`);
  mkdirSync(folder, { recursive: true });
  const lock = await takeLock(`${program}.lock`);
  try {
    if (!existsSync(program)) await build(program);
  } finally {
    lock.free();
  }
  return program;
}

/** The versions of its modules apply only if it is the main module, so `go install` can't be used. */
async function build(program: string): Promise<void> {
  const go = places.find((place) => existsSync(place));
  if (go === undefined) throw new Error("git-init can't be built: there is no Go; npm run test:kubernetes installs it with Kubernetes");
  const folder = mkdtempSync(join(tmpdir(), "git-init-"));
  const source = join(folder, "source");
  const env = {
    ...process.env,
    GOPATH: join(folder, "path"),
    GOCACHE: join(folder, "cache"),
    GOTOOLCHAIN: "local",
    GOFLAGS: "-mod=mod -modcacherw",
  };
  try {
    const { stdout } = await run(go, ["mod", "download", "-json", `github.com/tektoncd/pipeline@${version}`], { cwd: folder, env });
    cpSync(JSON.parse(stdout).Dir, source, { recursive: true, filter: (path) => !path.endsWith("/vendor") });
    await run(go, ["build", "-o", join(folder, "git-init"), "./cmd/git-init"], { cwd: source, env, maxBuffer: 64 << 20 });
    renameSync(join(folder, "git-init"), `${program}.new`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EXDEV") throw error;
    cpSync(join(folder, "git-init"), `${program}.new`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  renameSync(`${program}.new`, program);
}
