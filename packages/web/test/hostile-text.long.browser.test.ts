import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, openBrowser, takePictures } from "./kit/browser.ts";
import { runSite, shell } from "./kit/run-site.ts";
import { openSite } from "./kit/site.ts";

const script = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script><svg onload='window.hit=1'>";
const reversed = "user \u202egnp.exe";
const long = "W".repeat(180);
const markdown = [
  "# Do **this**",
  script,
  "[run](javascript:window.hit=1) [data](data:text/html,<script>window.hit=1</script>) [out](https://example.com/x)",
  "![pixel](https://evil.example/pixel.png)",
  '<a href="javascript:window.hit=1">raw</a> <iframe src="https://evil.example"></iframe>',
  long,
  ...Array.from({ length: 12 }, (_, index) => `Step ${index}`),
].join("\n\n");

/** What must hold on every page, whatever its texts say. */
async function expectHarmless(page: Page, where: string) {
  const found = await page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    return {
      hit: (window as unknown as { hit?: number }).hit ?? 0,
      foreign: all("main img, main iframe, main svg[onload], main script").filter(
        (one) => !(one as HTMLImageElement).src?.startsWith(location.origin) && one.matches("img, iframe, [onload], script"),
      ).length,
      handlers: all("[onerror], [onload], [onclick]").length,
      links: all("a[href]")
        .map((one) => one.getAttribute("href") as string)
        .filter((href) => /^\s*(javascript|data|vbscript):/i.test(href)),
    };
  });
  expect.soft([where, found]).toEqual([where, { hit: 0, foreign: 0, handlers: 0, links: [] }]);
  const tooWide = () => page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
  await expect.poll(tooWide, { message: `${where} scrolls sideways` }).toBeLessThanOrEqual(0);
}

describeInBrowser("texts that others wrote", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const { token } = team.owner;
  await site.call(token, "PATCH", team.api, {
    displayName: `${script} ${long}`.slice(0, 100),
    labels: { note: `${script}${reversed}`.slice(0, 200) },
  });
  const chore = { name: "decide", type: "manual", taskRef: "manual-task", params: [{ name: "instructions", value: markdown }] };
  await site.call(token, "POST", `${team.api}/workflow`, {
    name: "hostile",
    displayName: `${script.slice(0, 60)}${long}`.slice(0, 190),
    shortDescription: `${reversed} ${script}`.slice(0, 200),
    description: `${script}\n${long}`,
    labels: { evil: script.slice(0, 60) },
    params: [{ name: "city", type: "text", label: script, description: long, default: script }],
    tasks: [chore, shell("say", `printf '%s' "$PARAM_TEXT"; echo '${script.replaceAll("'", "")}' >&2`, {})],
    canvasNotes: [{ id: "note", text: markdown, position: { x: 0, y: 200 } }],
    markdown,
  });
  const { id } = await site.call<{ id: string }>(site.adminToken, "POST", `${team.api}/workflow/hostile/submit?start=true`, {
    params: [{ name: "city", value: `${script}\u001b[31m${reversed}${long}` }],
    labels: { why: script.slice(0, 60) },
  });

  test("markup, scripts, links, colours and endless words stay text on every page that shows them, wide and narrow", async () => {
    const page = await site.open(`/${team.name}/workflows`, token);
    const run = `/${team.name}/activity/${id}`;
    for (const path of [
      "/home",
      `/${team.name}/workflows`,
      `/${team.name}/workflows/hostile/design`,
      `/${team.name}/workflows/hostile/code`,
      `/${team.name}/workflows/hostile/configure/parameters`,
      `/${team.name}/workflows/hostile/versions`,
      `/${team.name}/activity`,
      `${run}?task=decide`,
      `${run}?task=say&tab=log`,
      `${run}?view=values`,
      `${run}?view=list`,
      `/${team.name}/actions`,
      `/${team.name}/insights`,
      `/${team.name}/manage/settings`,
      `/${team.name}/manage/audit`,
    ]) {
      await page.goto(site.address + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await expect.poll(() => page.getByRole("status", { name: /Loading/ }).count()).toBe(0);
      await expectHarmless(page, path);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectHarmless(page, `${path} at 360`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  }, 120_000);

  test("instructions are Markdown without HTML, images and other links than of the web", async () => {
    const page = await site.open(`/${team.name}/activity/${id}?task=decide&tab=details`, token);
    const panel = page.getByRole("region", { name: "Task decide" });
    await panel.getByRole("heading", { name: "Do this" }).waitFor();
    const out = panel.getByRole("link", { name: "out" });
    expect([await out.getAttribute("href"), await out.getAttribute("rel")]).toEqual([
      "https://example.com/x",
      "noopener noreferrer nofollow",
    ]);
    await page.getByText("run", { exact: true }).first().click();
    await panel.getByRole("button", { name: "Can't be done" }).click({ trial: true });
    await expectHarmless(page, "after a click on what looked like a link");
    await takePictures(page, "hostile-run");
    await expectAccessible(page);
    await page.goto(`${site.address}/${team.name}/workflows`);
    await page.getByRole("table").waitFor();
    await takePictures(page, "hostile-workflows");
    await expectAccessible(page);
  });

  test("a page for something that doesn't exist says so in words, whatever the URL contains", async () => {
    const page = await site.open(`/${team.name}/activity/${encodeURIComponent(script)}`, token);
    await page.getByRole("alert").first().waitFor();
    await expectHarmless(page, "a run of that name");
    await page.goto(`${site.address}/${encodeURIComponent(script)}/workflows?find=${encodeURIComponent(script)}`);
    await page.getByRole("alert").first().waitFor();
    await expectHarmless(page, "a team of that name");
  });

  test("no page exposes a token in its text, its address or storage", async () => {
    const page = await site.open("/sign-in");
    await page.getByLabel("Access token").fill(token);
    await page.getByRole("button", { name: "Sign in", exact: true }).last().click();
    await page.waitForURL("**/home");
    for (const path of [
      "/home",
      "/profile/account",
      "/profile/tokens",
      `/${team.name}/manage/tokens`,
      `/${team.name}/workflows/hostile/configure/parameters`,
    ]) {
      await page.goto(site.address + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await expect.poll(() => page.getByRole("status", { name: /Loading/ }).count()).toBe(0);
      const all = await page.evaluate(() =>
        JSON.stringify([document.documentElement.outerHTML, location.href, { ...localStorage }, { ...sessionStorage }, document.cookie]),
      );
      expect([path, all.includes(token), /mr[utwg]_[\w-]{20,}/.test(all)]).toEqual([path, false, false]);
    }
  });

  test("a page of another origin can't use the session cookie by form or fetch, and can't frame the interface", async () => {
    const foreign = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<h1>Elsewhere</h1>"));
    await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
    afterAll(() => void foreign.close());
    // Another name of the same machine is another site for the browser.
    const elsewhere = `http://localhost:${(foreign.address() as AddressInfo).port}/`;
    const page = await site.open("/home", token);
    await page.goto(elsewhere);
    const api = `${site.address}${team.api}/workflow`;
    const body = JSON.stringify({ name: "forged", tasks: [] });
    const fetched = await page.evaluate(
      async ([address, text]) => {
        const send = (type: string) =>
          fetch(address as string, {
            method: "POST",
            mode: "no-cors",
            credentials: "include",
            headers: { "content-type": type },
            body: text as string,
          }).catch(String);
        await send("text/plain");
        const readable = await fetch(address as string, { credentials: "include" }).then(
          () => "read",
          () => "refused",
        );
        return readable;
      },
      [api, body],
    );
    expect(fetched).toBe("refused");
    for (const enctype of ["text/plain", "application/x-www-form-urlencoded"]) {
      await page.goto(elsewhere);
      await page.evaluate(
        ([address, type, text]) => {
          const form = document.body.appendChild(document.createElement("form"));
          Object.assign(form, { action: address, method: "post", enctype: type });
          const input = form.appendChild(document.createElement("input"));
          Object.assign(input, { name: (text as string).slice(0, -1), value: "}" });
          form.submit();
        },
        [api, enctype, body],
      );
      await page.waitForURL(api);
    }
    // The same machine with another port is the same site, so the cookie is sent; the origin differs nevertheless.
    const near = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
    await page.goto(near);
    const status = page.waitForResponse((response) => response.url() === api);
    await page.evaluate(
      ([address]) =>
        void fetch(address as string, { method: "POST", mode: "no-cors", credentials: "include", body: '{"name":"forged","tasks":[]}' }),
      [api],
    );
    expect((await status).status()).toBe(403);
    const { content } = await site.call<{ content: { name: string }[] }>(token, "GET", `${team.api}/workflow/query?limit=100&page=0`);
    expect(content.map(({ name }) => name)).toEqual(["hostile"]);

    // In a separate browser: its error about the refused frame must not count as an error of our pages.
    const outside = await (await (await openBrowser()).newContext()).newPage();
    await outside.setContent(`<iframe src="${site.address}/home" title="framed"></iframe>`);
    await expect.poll(() => outside.frames()[1]?.url() ?? "").toMatch(/^chrome-error:/);
    await outside.context().close();
  });

  test("every kind of address has a strict policy", async () => {
    const accept = { accept: "text/html" };
    for (const path of [
      "/",
      "/home",
      "/sign-in",
      "/activate",
      `/${team.name}/workflows`,
      "/no/such/page",
      "/kit",
      "/profile/account",
      "/admin/teams",
    ]) {
      const { headers, status } = await fetch(site.address + path, { headers: accept });
      const policy = headers.get("content-security-policy") ?? "";
      expect([path, status]).toEqual([path, 200]);
      for (const rule of ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"])
        expect([path, policy.split("; ")]).toEqual([path, expect.arrayContaining([rule])]);
      expect([path, /script-src[^;]*(unsafe|\*|http)/.test(policy)]).toEqual([path, false]);
    }
    for (const path of ["/api/docs", "/api/v2/auth/caller", "/assets/none.js", "/icon.svg", "/no-such"]) {
      const { headers } = await fetch(site.address + path);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
      expect([path, headers.get("content-security-policy") ?? ""]).toEqual([path, expect.stringContaining("default-src 'none'")]);
    }
  });
});
