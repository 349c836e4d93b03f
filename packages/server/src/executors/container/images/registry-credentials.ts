import { readFile } from "node:fs/promises";
import { StartError } from "../../../base/error/start-error.ts";
import type { ImageReference } from "../../images/image-reference.ts";
import type { RegistryAuth } from "./registry-question.ts";

interface AuthEntry {
  auth?: string;
  username?: string;
  password?: string;
  identitytoken?: string;
  /** Ids of the teams that may use the entry; absent: all. Docker's own programs ignore this field. */
  teams?: unknown;
}

type Entry = Omit<RegistryAuth, "serveraddress"> & { teams: readonly string[] | undefined };

/** The credentials with which images are pulled. Read again for each pull, so that a renewed token applies at once. */
export class RegistryCredentials {
  readonly #path: string | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** @throws StartError if the file can't be used at all */
  async check(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      throw new StartError(`MILLRACE_CONTAINER_REGISTRIES names ${this.#path}, which can't be used: ${(error as Error).message}`);
    }
  }

  /**
   * @returns the entry for the team that matches the longest part of the image's name, or none: the registry is asked without credentials;
   * and the registries that the file names for this team, which the operator thereby trusts
   */
  async find({ registry, path }: ImageReference, teamId: string): Promise<{ auth: RegistryAuth | undefined; trusted: string[] }> {
    const all = [...(await this.#read())].filter(([, { teams }]) => teams === undefined || teams.includes(teamId));
    const auths = new Map(all);
    const trusted = all.map(([key]) => key.split("/")[0] ?? "");
    const parts = [registry, ...path.split("/")];
    for (let length = parts.length; length > 0; length--) {
      const entry = auths.get(parts.slice(0, length).join("/"));
      if (!entry) continue;
      const { teams: _, ...auth } = entry;
      return { auth: { ...auth, serveraddress: registry }, trusted };
    }
    return { auth: undefined, trusted };
  }

  async #read(): Promise<Map<string, Entry>> {
    if (this.#path === undefined) return new Map();
    const { auths } = parse(await readFile(this.#path, "utf8"));
    if (typeof auths !== "object" || auths === null) throw new Error('it has no object "auths", like the config.json of docker login');
    return new Map(
      Object.entries(auths as Record<string, AuthEntry>).map(([key, entry]) => {
        const server = serverOf(key);
        return [server, { ...plain(entry ?? {}), teams: teamsOf(server, entry?.teams) }];
      }),
    );
  }
}

function teamsOf(server: string, teams: unknown): readonly string[] | undefined {
  if (teams === undefined) return undefined;
  if (Array.isArray(teams) && teams.every((id) => typeof id === "string")) return teams;
  throw new Error(`"teams" of ${server} must be an array with the ids of teams`);
}

/** The parser's own message would show a part of the file. */
function parse(text: string): { auths?: unknown } {
  try {
    return JSON.parse(text) as { auths?: unknown };
  } catch {
    throw new Error("it is not JSON");
  }
}

/** Keys may be URLs; that of Docker's own registry is a special case. */
function serverOf(key: string): string {
  const server = key.replace(/^https?:\/\//, "").replace(/\/(v[12]\/?)?$/, "");
  return server.replace(/^index\.docker\.io(?=\/|$)/, "docker.io");
}

function plain({ auth, username, password, identitytoken }: AuthEntry): Omit<Entry, "teams"> {
  if (identitytoken) return { identitytoken };
  if (!auth) return { username: username ?? "", password: password ?? "" };
  const text = Buffer.from(auth, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** All forms of it that may appear in messages of a registry or an engine. */
export function secretsOf(auth: RegistryAuth | undefined): string[] {
  const { username, password, identitytoken } = auth ?? {};
  const encoded = username && password ? [Buffer.from(`${username}:${password}`).toString("base64")] : [];
  return [password, identitytoken, ...encoded].filter((text): text is string => text !== undefined && text !== "");
}
