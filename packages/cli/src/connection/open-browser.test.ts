import { expect, test } from "vitest";
import { browserCommand } from "./open-browser.ts";

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string[] | undefined]>([
  ["darwin", {}, ["open"]],
  ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
  ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
  ["linux", {}, undefined],
  ["linux", { BROWSER: "/usr/bin/firefox" }, ["/usr/bin/firefox"]],
  ["linux", { BROWSER: "firefox %s; rm -rf ~" }, undefined],
])("on %s with %j, %j opens a page", (platform, env, command) => expect(browserCommand(platform, env)).toEqual(command));
