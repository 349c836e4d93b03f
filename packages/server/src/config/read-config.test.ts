import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../base/file/repository-root.ts";
import { readConfig } from "./read-config.ts";

const key = "c2VjcmV0IGtleSBvZiAzMiBieXRlcyBmb3IgdGVzdHM=";

test("nothing set: all roles on loopback with the embedded server, everything under .millrace", () => {
  expect(readConfig({ HOME: "/home/me" })).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    isLoopback: true,
    dataDir: join(repositoryRoot, ".millrace"),
    roles: ["api", "engine", "worker"],
    adminToken: undefined,
    database: { kind: "embedded", folder: join(repositoryRoot, ".millrace/postgres"), binFolder: undefined },
    encryptionKey: { file: join(repositoryRoot, ".millrace/encryption-key"), isMadeIfMissing: true },
    auth: "on",
    allowUnsandboxed: "auto",
    executors: ["process"],
    leaseSeconds: 8,
    graceSeconds: 5,
    seed: true,
    logLevel: "info",
    logFormat: "auto",
    logRequests: false,
    warnings: [],
  });
});

test("an external database comes with a key", () => {
  const env = {
    DATABASE_URL: "postgres://me:pw@db/millrace",
    MILLRACE_ENCRYPTION_KEY: key,
    MILLRACE_DATABASE_DIRECT_URL: "postgres://me:pw@db:6432/millrace",
  };
  expect(readConfig(env)).toMatchObject({
    database: { kind: "external", url: env.DATABASE_URL, directUrl: env.MILLRACE_DATABASE_DIRECT_URL },
    encryptionKey: { text: key, origin: "MILLRACE_ENCRYPTION_KEY" },
  });
});

test("empty values count as not set, lists may have spaces and doubles", () => {
  expect(
    readConfig({ MILLRACE_PORT: "", DATABASE_URL: "", MILLRACE_ROLES: "api, worker,api", MILLRACE_WORKER_LABELS: "gpu,," }),
  ).toMatchObject({
    port: 8080,
    roles: ["api", "worker"],
    workerLabels: ["gpu"],
  });
});

test("everything that signing in needs", () => {
  expect(
    readConfig({
      MILLRACE_PUBLIC_URL: "https://Millrace.example.com/",
      MILLRACE_OIDC_ISSUER: "http://127.0.0.1:9000/realms/main/",
      MILLRACE_OIDC_CLIENT_ID: "millrace",
      MILLRACE_OIDC_DOMAINS: "Example.com",
      MILLRACE_ADMIN_EMAILS: "Boss@Example.com, other@example.com",
      MILLRACE_TRUSTED_PROXY: "10.0.0.7, fd00::/8",
      MILLRACE_PROXY_EMAIL_HEADER: "X-Forwarded-Email",
    }),
  ).toMatchObject({
    publicUrl: "https://millrace.example.com",
    oidcIssuer: "http://127.0.0.1:9000/realms/main/",
    oidcDomains: ["example.com"],
    adminEmails: ["boss@example.com", "other@example.com"],
    trustedProxy: ["10.0.0.7", "fd00::/8"],
    proxyEmailHeader: "x-forwarded-email",
    sessionHours: 24,
  });
});

test("executors keep the order in which they are named: the first is the most wanted", () => {
  expect(readConfig({ MILLRACE_EXECUTORS: "kubernetes, process,kubernetes,container" }).executors).toEqual([
    "kubernetes",
    "process",
    "container",
  ]);
});

test("a data folder may be absolute", () => {
  expect(readConfig({ MILLRACE_DATA_DIR: "/srv/mill race" }).dataDir).toBe("/srv/mill race");
});

test("proxies are trusted by address or network, and none by default", () => {
  expect(readConfig({}).trustedProxy).toEqual([]);
  const env = { MILLRACE_TRUSTED_PROXY: "10.0.0.0/8, 2001:db8::1" };
  expect(readConfig(env).trustedProxy).toEqual(["10.0.0.0/8", "2001:db8::1"]);
});

test("what Kubernetes injects for services of our name is ignored with a warning", () => {
  const config = readConfig({
    MILLRACE_PORT: "tcp://10.0.0.1:8080",
    MILLRACE_SERVICE_HOST: "10.0.0.1",
    MILLRACE_SERVICE_PORT: "8080",
    MILLRACE_SERVICE_PORT_HTTP: "8080",
    MILLRACE_PORT_8080_TCP: "tcp://10.0.0.1:8080",
    MILLRACE_PORT_8080_TCP_ADDR: "10.0.0.1",
    MILLRACE_API_PORT: "tcp://10.0.0.2:80",
    MILLRACE_API_SERVICE_HOST: "10.0.0.2",
  });
  expect(config.port).toBe(8080);
  expect(config.warnings.join()).toMatch(/MILLRACE_API_PORT.*MILLRACE_SERVICE_PORT_HTTP.*enableServiceLinks: false/);
});

test("variables for tests are not accepted as settings", () => {
  expect(readConfig({ MILLRACE_TEST_DATABASE_URL: "postgres://x" }).warnings).toEqual([]);
});

test("those of the command line may be set beside them", () => {
  const set = { MILLRACE_URL: "https://x", MILLRACE_TOKEN: "t", MILLRACE_TEAM: "mill", MILLRACE_CONTEXT: "x" };
  expect(readConfig(set).warnings).toEqual([]);
});

test.each([
  ["/mnt/archives", { kind: "folder", path: "/mnt/archives" }],
  ["s3://bucket", { kind: "s3", bucket: "bucket", prefix: "" }],
  [
    "s3://bucket/a/b%20c/?endpoint=http://minio:9000/s3&region=x",
    { kind: "s3", bucket: "bucket", prefix: "a/b c/", endpoint: "http://minio:9000/s3", region: "x" },
  ],
])("a store of workspaces or logs: %s", (text, store) => {
  const config = readConfig({ MILLRACE_WORKSPACE_STORE: text, MILLRACE_LOG_STORE: text });
  expect([config.workspaceStore, config.logStore]).toEqual([store, store]);
});

describe("faults are named with the remedy", () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ MILLRACE_PROT: "1" }, /Unknown setting MILLRACE_PROT; did you mean MILLRACE_PORT\?/],
    [{ MILLRACE_LOGLEVEL: "info" }, /did you mean MILLRACE_LOG_LEVEL\?/],
    [{ MILLRACE_PORT: "99999" }, /MILLRACE_PORT must be a whole number from 0 to 65535, not "99999"/],
    [{ MILLRACE_PORT: "1e3" }, /MILLRACE_PORT must be a whole number/],
    [{ MILLRACE_SEED: "yes" }, /MILLRACE_SEED must be one of true, false, not "yes"/],
    [{ MILLRACE_ROLES: "api,boss" }, /MILLRACE_ROLES must be one of api, engine, worker/],
    [{ MILLRACE_ROLES: "," }, /MILLRACE_ROLES must be a list/],
    [{ MILLRACE_EXECUTORS: "process,docker" }, /MILLRACE_EXECUTORS must be one of process, container, kubernetes/],
    [{ MILLRACE_WORKER_LABELS: "my label" }, /MILLRACE_WORKER_LABELS must be a list of labels .* without spaces/],
    [{ MILLRACE_WORKSPACE_STORE: "archives" }, /MILLRACE_WORKSPACE_STORE must be an absolute path, or a bucket such as s3:\/\/bucket/],
    [{ MILLRACE_WORKSPACE_STORE: "s3://bucket?endpont=https://minio:9000" }, /MILLRACE_WORKSPACE_STORE must be/],
    [{ MILLRACE_WORKSPACE_STORE: "s3://bucket?endpoint=minio:9000" }, /MILLRACE_WORKSPACE_STORE must be/],
    [{ MILLRACE_WORKSPACE_STORE: "s3://user:password@bucket" }, /MILLRACE_WORKSPACE_STORE must be/],
    [{ MILLRACE_TRUSTED_PROXY: "10.0.0.0/8,proxy" }, /MILLRACE_TRUSTED_PROXY must be a list of IP addresses or ranges/],
    [{ MILLRACE_TRUSTED_PROXY: "10.0.0.0/33" }, /MILLRACE_TRUSTED_PROXY must be a list of IP addresses or ranges/],
    [{ MILLRACE_TRUSTED_PROXY: "::/0" }, /MILLRACE_TRUSTED_PROXY must be a list of IP addresses or ranges/],
    [{ MILLRACE_LOG_LEVEL: "loud" }, /MILLRACE_LOG_LEVEL must be one of trace/],
    [{ MILLRACE_AUTH: "off", MILLRACE_HOST: "0.0.0.0" }, /MILLRACE_AUTH=off needs a loopback address, but MILLRACE_HOST is 0\.0\.0\.0/],
    [{ DATABASE_URL: "postgres://db/x" }, /DATABASE_URL requires MILLRACE_ENCRYPTION_KEY/],
    [{ MILLRACE_DATABASE_DIRECT_URL: "postgres://db/x" }, /MILLRACE_DATABASE_DIRECT_URL requires DATABASE_URL/],
    [{ MILLRACE_PUBLIC_URL: "millrace.example.com" }, /MILLRACE_PUBLIC_URL must be a URL without a path/],
    [{ MILLRACE_PUBLIC_URL: "https://example.com/millrace" }, /MILLRACE_PUBLIC_URL must be a URL without a path/],
    [{ MILLRACE_OIDC_ISSUER: "http://id.example.com" }, /MILLRACE_OIDC_ISSUER must be a URL like https/],
    [{ MILLRACE_OIDC_ISSUER: "https://id.example.com" }, /MILLRACE_OIDC_ISSUER requires MILLRACE_OIDC_CLIENT_ID/],
    [{ MILLRACE_OIDC_CLIENT_ID: "x" }, /MILLRACE_OIDC_CLIENT_ID requires MILLRACE_OIDC_ISSUER/],
    [{ MILLRACE_OIDC_ISSUER: "https://id.example.com", MILLRACE_OIDC_CLIENT_ID: "x" }, /requires MILLRACE_PUBLIC_URL/],
    [{ MILLRACE_OIDC_SCOPES: "email" }, /MILLRACE_OIDC_SCOPES must contain openid/],
    [{ MILLRACE_ADMIN_EMAILS: "me" }, /MILLRACE_ADMIN_EMAILS must be a list of email addresses/],
    [{ MILLRACE_TRUSTED_PROXY: "10.0.0.0/33" }, /MILLRACE_TRUSTED_PROXY must be a list of IP addresses/],
    [{ MILLRACE_TRUSTED_PROXY: "proxy" }, /MILLRACE_TRUSTED_PROXY must be a list of IP addresses/],
    [{ MILLRACE_PROXY_EMAIL_HEADER: "x-email" }, /MILLRACE_PROXY_EMAIL_HEADER requires MILLRACE_TRUSTED_PROXY/],
    [{ MILLRACE_ENCRYPTION_KEY: key, MILLRACE_ENCRYPTION_KEY_FILE: "k" }, /both set; set only one/],
  ])("%j", (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  test("secrets are not repeated", () => {
    for (const env of [
      { MILLRACE_ADMIN_TOKEN: "short-secret" },
      { MILLRACE_ADMIN_TOKEN: "secret with a line\nbreak in it" },
      { DATABASE_URL: "mysql://me:secret@db" },
    ]) {
      const failure = String(catchError(() => readConfig(env)));
      expect(failure).toMatch(/must be/);
      expect(failure).not.toContain("secret");
    }
  });
});

test("an admin token may be any 20 printable characters", () => {
  const token = "!~ \"'\\{}$(x)<>&=:;,.";
  expect(readConfig({ MILLRACE_ADMIN_TOKEN: token }).adminToken).toBe(token);
});

function catchError(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("what tasks reach", () => {
  test("endpoints that outbound tasks may reach are addresses, ranges and names, with or without a port", () => {
    const MILLRACE_TASK_OUTBOUND_ALLOW = "127.0.0.1:9000, 10.0.0.0/8,[fd00::1]:443,[fd00::/8]:1,fd00::2,Build.internal:8443";
    expect(readConfig({ MILLRACE_TASK_OUTBOUND_ALLOW }).taskOutboundAllow).toEqual([
      ...["127.0.0.1:9000", "10.0.0.0/8", "[fd00::1]:443", "[fd00::/8]:1", "fd00::2", "build.internal:8443"],
    ]);
  });

  test.each(["127.0.0.1:0", "127.0.0.1:70000", "10.0.0.0/40", "a b", "[::1", "host:http", "300.1.1.1"])("%j is none", (text) => {
    expect(() => readConfig({ MILLRACE_TASK_OUTBOUND_ALLOW: text })).toThrow("MILLRACE_TASK_OUTBOUND_ALLOW must be");
  });

  test("combining the network of the machine with trust in that machine gives a warning", () => {
    expect(readConfig({ MILLRACE_ALLOW_HOST_NETWORK: "true" }).warnings).toEqual([]);
    const open = { MILLRACE_ALLOW_HOST_NETWORK: "true", MILLRACE_AUTH: "off", MILLRACE_TRUSTED_PROXY: "127.0.0.1" };
    expect(readConfig(open).warnings).toEqual([
      expect.stringContaining("MILLRACE_TRUSTED_PROXY"),
      expect.stringContaining("MILLRACE_AUTH=off"),
    ]);
    expect(readConfig({ ...open, MILLRACE_ALLOW_HOST_NETWORK: "" }).warnings).toEqual([]);
  });
});
