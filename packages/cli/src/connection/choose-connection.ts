import { exitCodes, Failure } from "../failure.ts";
import { readAddress } from "./address.ts";
import type { Config, SavedContext } from "./config-file.ts";

/** The requested connection: flags take precedence over the environment, and both over what is saved. */
export interface Wanted {
  url?: string;
  team?: string;
  context?: string;
  /** From the environment. */
  token?: string;
  /** The address in the environment, to which the token in the environment then belongs. */
  tokenUrl?: string;
}

export interface Choice {
  url: string;
  token: string | undefined;
  team: string | undefined;
  /** The saved context it comes from, if any. */
  context: string | undefined;
}

export interface ConnectionFlags {
  url?: string;
  team?: string;
  context?: string;
}

export function readWanted(flags: ConnectionFlags, environment: NodeJS.ProcessEnv): Wanted {
  return {
    url: flags.url ?? (flags.context === undefined ? environment.MILLRACE_URL || undefined : undefined),
    team: flags.team ?? (environment.MILLRACE_TEAM || undefined),
    context: flags.context ?? (flags.url === undefined ? environment.MILLRACE_CONTEXT || undefined : undefined),
    token: environment.MILLRACE_TOKEN || undefined,
    tokenUrl: environment.MILLRACE_URL || undefined,
  };
}

/**
 * A saved token is used only for the address it was saved for, however that address was given. For any other address a token from the
 * environment is needed; it isn't used if the environment names another address with it.
 * @throws {Failure} when nothing says which service is meant
 */
export function chooseConnection(wanted: Wanted, config: Config): Choice {
  const url = wanted.url === undefined ? undefined : readAddress(wanted.url);
  const [name, saved] = findContext(wanted, url, config) ?? [];
  if (url === undefined && saved === undefined)
    throw new Failure(
      exitCodes.notUnderstood,
      "No service is chosen",
      "Sign in with: millrace login URL, or set MILLRACE_URL and MILLRACE_TOKEN",
    );
  const chosen = url ?? saved!.url;
  const isForAnother = wanted.tokenUrl !== undefined && readAddress(wanted.tokenUrl) !== chosen;
  return { url: chosen, token: (isForAnother ? undefined : wanted.token) ?? saved?.token, team: wanted.team ?? saved?.team, context: name };
}

function findContext({ context, url: wantedUrl }: Wanted, url: string | undefined, config: Config): [string, SavedContext] | undefined {
  if (context !== undefined) {
    const saved = contextOf(config, context);
    if (saved === undefined) throw unknownContext(config, context);
    if (url !== undefined && saved.url !== url)
      throw new Failure(
        exitCodes.notUnderstood,
        `The context ${context} is for ${saved.url}, not for ${url}`,
        "Give either the URL or the context",
      );
    return [context, saved];
  }
  if (wantedUrl !== undefined) {
    const current = config.current === undefined ? undefined : contextOf(config, config.current);
    if (current?.url === url) return [config.current!, current!];
    return Object.entries(config.contexts).find(([, saved]) => saved.url === url);
  }
  const current = config.current === undefined ? undefined : contextOf(config, config.current);
  return current && [config.current!, current];
}

export function contextOf({ contexts }: Config, name: string): SavedContext | undefined {
  return Object.hasOwn(contexts, name) ? contexts[name] : undefined;
}

export function unknownContext({ contexts }: Config, name: string): Failure {
  const known = Object.keys(contexts);
  const remedy = known.length === 0 ? "Sign in with: millrace login URL" : `Known: ${known.join(", ")}`;
  return new Failure(exitCodes.notFound, `There is no context ${name}`, remedy);
}
