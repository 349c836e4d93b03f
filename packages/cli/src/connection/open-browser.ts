import { spawn } from "node:child_process";
import { environment } from "../environment.ts";

/** Tries to open a browser, without a shell. If there is none, does nothing: the address is also printed. @param url http or https */
export function openBrowser(url: string): void {
  const command = browserCommand(process.platform, environment);
  if (command === undefined) return;
  const [program, ...args] = command;
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/** Undefined where a browser would have no display. `BROWSER` is the name of a program; other formats that some tools support aren't. */
export function browserCommand(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): [string, ...string[]] | undefined {
  if (env.BROWSER && /^[\w./-]+$/.test(env.BROWSER)) return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}
