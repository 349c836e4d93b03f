/**
 * The variables by which programs find the proxy: in both spellings, since half of them read only one. Servers of the step itself
 * are reached without it.
 */
export function proxyVariables(url: string): [name: string, value: string][] {
  const own = "localhost,127.0.0.1,::1";
  const pairs = Object.entries({ http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: own });
  // Node reads them from version 24 on, when this is set.
  return [
    ...pairs.flatMap(([name, value]) => [name, name.toUpperCase()].map((each): [string, string] => [each, value])),
    ["NODE_USE_ENV_PROXY", "1"],
  ];
}

/** Where the programs of ours find the proxy: a socket file, or `http://HOST:PORT`. */
export const egressVariable = "MILLRACE_EGRESS";
