// A small codehost and file server for tests, run by plain Node wherever git is installed: beside the tests, or inside a container or pod
// of the image for tests, so that the network of its engine or cluster can reach it. Prints `ready PORT`. It creates a sample project with
// two tags, a branch `broken` whose tests and syntax are wrong, and a branch `npm` with a package.json, serves it by git's own HTTP
// program, and stores what is PUT to /files with the token in FORGE_TOKEN.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "forge-"));
const identity = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};
const environment = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...identity };
const git = (...args) => execFileSync("git", args, { cwd: join(folder, "work"), env: environment, encoding: "utf8" }).trim();

const greet = "export const greet = (name) => `Hello, ${name}!`;\n";
const test = (expected) => `import assert from "node:assert";
import { test } from "node:test";
import { greet } from "../src/greet.mjs";
test("greets by name", () => assert.equal(greet("you"), "${expected}"));
test("greets twice", () => assert.equal(greet("a") + greet("b"), "Hello, a!Hello, b!"));
`;
const manifest = '{ "name": "sample", "version": "1.0.0", "scripts": { "test": "node --test" } }\n';
const instructions = `# What the sample becomes
FROM scratch
ARG version=0
LABEL org.example.version="\${version}"
ENV GREETING hello
WORKDIR /app
COPY src scripts /app/
CMD ["/bin/sh", "/app/scripts/run.sh"]
`;

function commit(message, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "work", path)), { recursive: true });
    writeFileSync(join(folder, "work", path), text);
  }
  git("add", "-A");
  git("commit", "-q", "-m", message);
}

mkdirSync(join(folder, "work"));
git("init", "-q", "-b", "main");
commit("Greet by name", { "src/greet.mjs": greet, "test/greet.test.mjs": test("Hello, you!"), "package-lock.json": "{}\n" });
git("tag", "v1.0.0");
commit("Run from a script", { "scripts/run.sh": '#!/bin/sh\necho "$GREETING from the sample"\n' });
commit("BREAKING: become an image", { Dockerfile: instructions });
git("tag", "v1.1.0");
git("checkout", "-q", "-b", "broken");
commit("Break things", {
  "test/greet.test.mjs": test("Good day, you!"),
  "src/odd.mjs": "export const = 1;\n",
  "scripts/odd.sh": "if true; then\n",
});
git("checkout", "-q", "-b", "npm", "main");
commit("Test by npm", { "package.json": manifest });
git("checkout", "-q", "main");
git("clone", "-q", "--bare", ".", join(folder, "sample.git"));

const files = new Map();

function serveGit(request, response) {
  const { pathname, search } = new URL(request.url, "http://forge");
  const backend = spawn("git", ["http-backend"], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: request.headers["git-protocol"] ?? "",
    },
  });
  request.pipe(backend.stdin).on("error", () => {});
  const parts = [];
  backend.stdout.on("data", (part) => parts.push(part));
  backend.on("close", () => {
    const output = Buffer.concat(parts);
    const end = output.indexOf("\r\n\r\n");
    const headers = Object.fromEntries(
      output
        .subarray(0, end)
        .toString()
        .split("\r\n")
        .map((line) => line.split(": ")),
    );
    const { Status = "200", ...others } = headers;
    response.writeHead(Number.parseInt(Status, 10), others).end(output.subarray(end + 4));
  });
}

async function serveFile(request, response) {
  const { pathname } = new URL(request.url, "http://forge");
  if (request.method === "GET") {
    const found = files.get(pathname);
    return response.writeHead(found ? 200 : 404).end(found ?? "not here\n");
  }
  const parts = [];
  for await (const part of request) parts.push(part);
  if (request.headers.authorization !== `Bearer ${process.env.FORGE_TOKEN}`) return response.writeHead(403).end("wrong token\n");
  files.set(pathname, Buffer.concat(parts));
  return response.writeHead(201).end();
}

const server = createServer((request, response) => (request.url.startsWith("/files/") ? serveFile : serveGit)(request, response));
server.listen(Number(process.env.FORGE_PORT ?? 0), "0.0.0.0", () => console.log(`ready ${server.address().port}`));
process.on("SIGTERM", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
