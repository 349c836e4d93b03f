import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { canPool, startPgBouncer, whyNotPooled } from "../../../test/fakes/pgbouncer.ts";
import { testDatabase } from "../../../test/kit/database.ts";
import { createLog } from "../../base/process/log.ts";
import { addressOptions } from "./database-address.ts";
import { openDatabase } from "./open-database.ts";

/** The other side of TLS is PgBouncer with a certificate that the test makes. */
const { address } = await testDatabase();
const log = createLog("silent");
const canEncrypt = canPool && spawnSync("openssl", ["version"]).status === 0;
if (!canEncrypt) console.log(`skipped: ${canPool ? "openssl is not installed" : whyNotPooled}`);

const folder = mkdtempSync(join(tmpdir(), "tls-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));
const files = { key: join(folder, "key.pem"), certificate: join(folder, "certificate.pem") };

async function encrypted(settings: Record<string, string>): Promise<string> {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", files.key, "-out", files.certificate];
  execFileSync("openssl", [...request, ...subject], { stdio: "ignore" });
  chmodSync(files.key, 0o644);
  const plain = { pool_mode: "session", ignore_startup_parameters: "statement_timeout,idle_in_transaction_session_timeout" };
  const made = await startPgBouncer(address, { ...plain, ...settings });
  onTestFinished(() => made.stop());
  return made.address.url.replace("127.0.0.1", "localhost");
}

/** The single line of the refusal, which must come long before the time limit; undefined if the database opens. */
async function refusal(url: string): Promise<string | undefined> {
  try {
    const sql = await openDatabase({ address: { url }, patienceMs: 600_000 }, log);
    await sql.end({ timeout: 1 });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.runIf(canEncrypt)("TLS", () => {
  test("a server without it is named at once when the URL asks for it, and used plainly with `prefer`", async () => {
    const url = await encrypted({});
    expect(await refusal(`${url}?sslmode=require`)).toMatch(/does not speak TLS \(TLS_REFUSED\)\. Remove sslmode from DATABASE_URL/);
    expect(await refusal(`${url}?sslmode=prefer`)).toBeUndefined();
    expect(await refusal(`${url}?sslmode=disable&channel_binding=prefer&connect_timeout=5`)).toBeUndefined();
  });

  test("a server that requires it, and a certificate that cannot be checked, are reported at once with the remedy", async () => {
    const url = await encrypted({ client_tls_sslmode: "require", client_tls_key_file: files.key, client_tls_cert_file: files.certificate });
    expect(await refusal(url)).toMatch(/SSL required \(08P01\)\. Add sslmode=require to DATABASE_URL/);
    expect(await refusal(`${url}?sslmode=require`)).toBeUndefined();
    expect(await refusal(`${url}?sslmode=verify-full`)).toMatch(
      /self-signed certificate.* \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*sslrootcert=/,
    );
    expect(await refusal(`${url}?sslmode=verify-full&sslrootcert=${files.certificate}`)).toBeUndefined();
    const elsewhere = url.replace("localhost", "127.0.0.1");
    expect(await refusal(`${elsewhere}?sslmode=verify-full&sslrootcert=${files.certificate}`)).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID/);
    expect(await refusal(`${elsewhere}?sslmode=verify-ca&sslrootcert=${files.certificate}`)).toBeUndefined();
  });
});

test("a file that is missing and a mode that does not exist are named", () => {
  const options = (query: string) => () => addressOptions({ url: `postgres://me@host/db?${query}` });
  expect(options("sslmode=verify-full&sslrootcert=/no/such.pem")).toThrow("/no/such.pem, which sslrootcert in the database URL names");
  expect(options("sslmode=strict")).toThrow("sslmode=strict; it must be one of disable, allow, prefer, require, verify-ca, verify-full");
});
