import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const folder = mkdtempSync(join(tmpdir(), "millrace-web-"));
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), "<!doctype html><title>the page</title>");
writeFileSync(join(folder, "icon.svg"), "<svg/>");
writeFileSync(join(folder, "secret.txt"), "not for anyone");
writeFileSync(join(folder, "assets/app-1a2b.js"), "export {};");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const app = await testApp({ config: { webFolder: folder } });
const browser = app.as(null);
const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test.each(["/", "/home", "/owls/activity/0198c1de?task=build", "/admin/workers", "/owls/workflows/a%2Fb/design"])(
  "%s is the page, whatever deep link it is",
  async (path) => {
    const { status, text, headers } = await browser.get(path, asBrowser);
    expect([status, text]).toEqual([200, "<!doctype html><title>the page</title>"]);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  },
);

test("a page runs only its own scripts, can't be framed, and sends no referrer", async () => {
  const { headers } = await browser.get("/home", asBrowser);
  const policy = new Map(
    String(headers["content-security-policy"])
      .split("; ")
      .map((part) => [part.split(" ", 1)[0], part.slice(part.indexOf(" ") + 1)]),
  );
  expect(policy.get("default-src")).toBe("'none'");
  expect(policy.get("script-src")).toBe("'self'");
  expect(policy.get("connect-src")).toBe("'self'");
  expect(policy.get("frame-ancestors")).toBe("'none'");
  expect(policy.get("base-uri")).toBe("'none'");
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "same-origin", "cache-control": "no-cache" });
});

test("assets are kept for good, since their names change with what is in them", async () => {
  const { status, headers } = await browser.get("/assets/app-1a2b.js");
  expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
  expect(String(headers["content-type"])).toContain("javascript");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("an asset that is not there is a 404, never the page", async () => {
  for (const path of ["/assets/app-old.js", "/assets/", "/assets"]) {
    const { status, text } = await browser.get(path, asBrowser);
    expect([path, status, text.includes("the page")]).toEqual([path, 404, false]);
  }
});

test.each(["/assets/../secret.txt", "/assets/%2e%2e/secret.txt", "/assets/..%2fsecret.txt", "/assets/..%5csecret.txt", "/assets/%00"])(
  "%s can't leave the folder",
  async (path) => {
    const { status, text } = await browser.get(path);
    expect(text).not.toContain("not for anyone");
    expect([400, 403, 404]).toContain(status);
  },
);

test("what is not in the API stays a 404 in JSON, for browsers too", async () => {
  for (const path of ["/api/v2/nothing", "/api", "/api/v2/team/owls/nothing?x=1"]) {
    expect(await browser.get(path, asBrowser)).toMatchObject({ status: 404, body: { reason: "NOT_FOUND" } });
  }
});

test("a program that requests a missing page gets JSON", async () => {
  for (const accept of ["application/json", "*/*"]) {
    expect(await browser.get("/owls/activity", { accept })).toMatchObject({ status: 404, body: { reason: "NOT_FOUND" } });
  }
  expect((await browser.post("/owls/activity", {}, asBrowser)).status).toBe(404);
});

test("HEAD answers as GET, without the body", async () => {
  const { status, headers, text } = await browser.send("HEAD", "/owls/activity", undefined, asBrowser);
  expect([status, headers["content-type"], text]).toEqual([200, "text/html; charset=utf-8", ""]);
});

test("the icon is there", async () => {
  expect(await browser.get("/icon.svg")).toMatchObject({ status: 200, headers: { "content-type": "image/svg+xml" } });
});
