// `node scripts/pictures.mjs`: takes the pictures of docs/pictures from a service in the state that the pages describe: it starts on an
// empty folder, follows the walks of the pages, and takes screenshots. Needs curl, bash and Chromium.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./install.mjs";

const { chromium } = await import("playwright-core");
const places = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const walks = ["README.md", "docs/getting-started.md", "docs/guides/deploy-on-approval.md"];
const team = "getting-started";

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
const service = await start();
try {
  for (const document of walks) walk(document);
  await takePictures();
} finally {
  service.process.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}

async function start() {
  const environment = { ...process.env, HOME: folder, MILLRACE_PORT: "0", MILLRACE_DATA_DIR: join(folder, ".millrace") };
  const child = spawn(process.execPath, [join(root, "scripts/start.mjs")], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^millrace ready on (http:\S+)/.exec(line) ?? [];
    if (url) return { process: child, url, token: readFileSync(join(folder, ".millrace/admin-token"), "utf8").trim() };
  }
  throw new Error("the service did not start");
}

function walk(document) {
  const script = execFileSync(process.execPath, [
    join(root, ".ci/walk-script.mjs"),
    join(root, document),
    service.url,
    join(folder, "output"),
  ]);
  execFileSync("bash", ["-s"], { cwd: folder, input: script, stdio: ["pipe", "inherit", "inherit"] });
}

async function takePictures() {
  const browser = await chromium.launch({ executablePath: places.find((place) => existsSync(place)), args: ["--no-sandbox"] });
  const look = { viewport: { width: 1180, height: 640 }, baseURL: service.url, colorScheme: "light" };
  const context = await browser.newContext(look);
  await context.request.post("/api/v2/auth/token", { headers: { authorization: `Bearer ${service.token}` } });
  const call = async (method, path, data) =>
    (
      await context.request.fetch(`/api/v2/team/${team}/${path}`, { method, data, headers: { authorization: `Bearer ${service.token}` } })
    ).json();
  const submit = (workflow, params, wait = "") =>
    call("POST", `workflow/${workflow}/submit?start=true${wait}`, {
      params: Object.entries(params).map(([name, value]) => ({ name, value })),
    });

  const take = async (name, path, shown, seenBy = context) => {
    const page = await seenBy.newPage();
    await page.goto(path);
    await page.getByText(shown).first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(root, "docs/pictures", `${name}.png`) });
  };

  await take("workflows", `/${team}/workflows`, "Hello chain");
  const chain = await submit("hello-chain", { name: "everyone in the mill" }, "&wait=60s");
  await take("chain", `/${team}/activity/${chain.id}`, "keep-short");
  const { id } = await submit("deploy-site", { version: "1.1.0" });
  let run = await call("GET", `workflowrun/${id}`);
  while (!run.awaitingApproval) run = await call("GET", `workflowrun/${id}`);
  await take("deploy-on-approval", `/${team}/activity/${id}`, "Waiting for task");

  // As in the guide: the user who started the run can't approve it.
  const approver = await browser.newContext(look);
  await approver.request.post("/api/v2/auth/password", { data: { email: "release@example.com", password: "battery staple" } });
  const { content } = await call("GET", "action/query?statuses=submitted&workflows=deploy-site");
  await take("approve", `/${team}/actions/${content[0].id}`, "Who can decide", approver);
  await browser.close();
}
