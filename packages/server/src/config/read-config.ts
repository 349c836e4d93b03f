import { join, resolve } from "node:path";
import { StartError } from "../base/error/start-error.ts";
import { refuseForeignFolder } from "../base/file/private-file.ts";
import { repositoryRoot, settingsFolder } from "../base/file/repository-root.ts";
import { parseSetting } from "./parse-value.ts";
import type { Setting } from "./setting.ts";
import { type SettingValues, settings } from "./settings.ts";

export interface Config extends Omit<SettingValues, "encryptionKey" | "encryptionKeyFile" | "databaseUrl" | "databaseDirectUrl" | "pgBin"> {
  /** Absolute. */
  dataDir: string;
  database:
    | { kind: "external"; url: string; directUrl: string | undefined }
    | { kind: "embedded"; folder: string; binFolder: string | undefined };
  /** The keys themselves, or the file that holds them. */
  encryptionKey: { text: string; origin: string } | { file: string; isMadeIfMissing: boolean };
  /** Whether only this machine can reach the service. */
  isLoopback: boolean;
  /** For the log, once there is one. */
  warnings: string[];
}

/**
 * Reads all settings of the service.
 * @throws StartError that names the setting, and what would be right
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const warnings = checkNames(env);
  const values = readValues(env);
  const { encryptionKey, encryptionKeyFile, databaseUrl: url, databaseDirectUrl: directUrl, pgBin, ...others } = values;
  const dataDir = resolve(settingsFolder, values.dataDir);
  // In a checkout it lies beside the program itself.
  if (!env["MILLRACE_DATA_DIR"] && settingsFolder !== repositoryRoot) refuseForeignFolder(dataDir);
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(values.host);
  if (values.auth === "off" && !isLoopback) {
    throw new StartError(
      `MILLRACE_AUTH=off needs a loopback address, but MILLRACE_HOST is ${values.host}: use 127.0.0.1, or leave MILLRACE_AUTH on`,
    );
  }
  checkSignIn(values);
  warnings.push(...hostNetworkWarnings(values));
  if (url === undefined && directUrl !== undefined) throw new StartError("MILLRACE_DATABASE_DIRECT_URL requires DATABASE_URL");
  return {
    ...others,
    dataDir,
    isLoopback,
    warnings,
    database:
      url === undefined ? { kind: "embedded", folder: join(dataDir, "postgres"), binFolder: pgBin } : { kind: "external", url, directUrl },
    encryptionKey: chooseKey({ encryptionKey, encryptionKeyFile, hasExternalDatabase: url !== undefined, dataDir }),
  };
}

/** Settings that mean nothing, or something dangerous, without each other. */
function checkSignIn({ oidcIssuer, oidcClientId, oidcScopes, publicUrl: url, proxyEmailHeader, trustedProxy }: SettingValues): void {
  if (oidcIssuer !== undefined && oidcClientId === undefined) throw new StartError("MILLRACE_OIDC_ISSUER requires MILLRACE_OIDC_CLIENT_ID");
  if (oidcIssuer === undefined && oidcClientId !== undefined) throw new StartError("MILLRACE_OIDC_CLIENT_ID requires MILLRACE_OIDC_ISSUER");
  if (oidcIssuer !== undefined && url === undefined) {
    throw new StartError(
      "MILLRACE_OIDC_ISSUER requires MILLRACE_PUBLIC_URL, the address that browsers return to, such as https://millrace.example.com",
    );
  }
  if (!oidcScopes.split(/\s+/).includes("openid"))
    throw new StartError(`MILLRACE_OIDC_SCOPES must contain openid, not ${JSON.stringify(oidcScopes)}`);
  if (proxyEmailHeader !== undefined && trustedProxy.length === 0) {
    throw new StartError("MILLRACE_PROXY_EMAIL_HEADER requires MILLRACE_TRUSTED_PROXY, the addresses whose header is trusted");
  }
}

/** With the network of the machine a task can reach all that trusts that machine: behind a proxy that is the service itself. */
function hostNetworkWarnings({ allowHostNetwork, trustedProxy, auth }: SettingValues): string[] {
  if (!allowHostNetwork) return [];
  const trusting = [...(trustedProxy.length > 0 ? ["MILLRACE_TRUSTED_PROXY"] : []), ...(auth === "off" ? ["MILLRACE_AUTH=off"] : [])];
  return trusting.map(
    (name) => `MILLRACE_ALLOW_HOST_NETWORK=true beside ${name}: a task that has the network of this machine can act as an administrator`,
  );
}

function readValues(env: Readonly<Record<string, string | undefined>>): SettingValues {
  const read = ([key, setting]: [string, Setting<unknown>]) => {
    const given = isServiceLink(setting.name, env[setting.name]) ? undefined : env[setting.name];
    // An empty text is how composition files leave a setting out.
    const text = given === undefined || given === "" ? setting.default : given;
    return [key, text === undefined ? undefined : parseSetting(setting.name, text, setting.parse)];
  };
  return Object.fromEntries(Object.entries(settings).map(read)) as SettingValues;
}

/** Replicas with keys of their own could not read each other's secrets, so with a shared database the key has to be given. */
function chooseKey(given: {
  encryptionKey: string | undefined;
  encryptionKeyFile: string | undefined;
  hasExternalDatabase: boolean;
  dataDir: string;
}) {
  const { encryptionKey, encryptionKeyFile, hasExternalDatabase, dataDir } = given;
  if (encryptionKey !== undefined && encryptionKeyFile !== undefined) {
    throw new StartError("MILLRACE_ENCRYPTION_KEY and MILLRACE_ENCRYPTION_KEY_FILE are both set; set only one of them");
  }
  if (encryptionKey !== undefined) return { text: encryptionKey, origin: "MILLRACE_ENCRYPTION_KEY" };
  if (encryptionKeyFile !== undefined) return { file: resolve(settingsFolder, encryptionKeyFile), isMadeIfMissing: !hasExternalDatabase };
  if (!hasExternalDatabase) return { file: join(dataDir, "encryption-key"), isMadeIfMissing: true };
  throw new StartError(
    "DATABASE_URL requires MILLRACE_ENCRYPTION_KEY (or MILLRACE_ENCRYPTION_KEY_FILE), the same for every process; create one with: openssl rand -base64 32",
  );
}

/** Of the commands that talk to a service: those who use both in one shell have them set. */
const ofTheCommandLine = ["MILLRACE_URL", "MILLRACE_TOKEN", "MILLRACE_TEAM", "MILLRACE_CONTEXT"];

/**
 * Holds the names of the environment against the table.
 * @returns warnings
 * @throws StartError on a name that is only almost right, because nothing else would tell
 */
function checkNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(settings).map((setting) => setting.name);
  const ours = Object.keys(env).filter((name) => /^MILLRACE_(?!TEST_)/.test(name) && !ofTheCommandLine.includes(name));
  const links = ours.filter((name) => isServiceLink(name, env[name]));
  const unknown = ours.find((name) => !known.includes(name) && !links.includes(name));
  if (unknown !== undefined)
    throw new StartError(`Unknown setting ${unknown}; did you mean ${findNearest(unknown, known)}? See docs/configuration.md`);
  if (links.length === 0) return [];
  return [`ignored variables that Kubernetes sets for a service of this name: ${links.sort().join(", ")} (set enableServiceLinks: false)`];
}

/** Kubernetes describes a service named millrace (or millrace-something) to every pod by variables like these. */
function isServiceLink(name: string, value: string | undefined): boolean {
  if (/^MILLRACE_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)$/.test(name)) return true;
  if (/^MILLRACE_(\w+_)?PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true;
  return /^MILLRACE_(\w+_)?PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value ?? "");
}

/** The name with the fewest letters to change. */
function findNearest(name: string, known: readonly string[]): string {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }));
  return ranked.reduce((best, next) => (next.distance < best.distance ? next : best)).candidate;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
