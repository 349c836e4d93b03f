import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import { isPageName, pagesOf, readContents } from "./contents.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { SearchIndex } from "./search-pages.ts";

const docsFolder = join(repositoryRoot, "docs");
const contents = readContents(docsFolder);
const names = pagesOf(contents).map(({ name }) => name);
const app = await testApp({ config: { docsFolder } });
const open = (path: string) => app.as(null).get(path);
const render = (markdown: string, name = "runs") => renderMarkdown(markdown, { name, hasPage: (one) => names.includes(one) });

describe("the contents", () => {
  test("have parts with pages, each page once, with what it is for", () => {
    expect(contents.parts.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
    for (const { purpose, title } of pagesOf(contents)) expect(purpose, title).toMatch(/\.$/);
  });

  test.each(["../secret", "a/b/c", "", "a b", "a.md", "tasks/../runs", "%2e%2e"])("%j is no name of a page", (name) => {
    expect(isPageName(name)).toBe(false);
  });
});

describe("a page", () => {
  test("is rendered with anchors as code hosts make them, and links that stay in the handbook", () => {
    const { html, title, headings } = render(
      "# Runs: a & b\n\n## Logs, live\n\n## Logs, live\n\nSee [tasks](tasks/README.md#types), [cron](cron.md), [here](#logs-live), [out](https://x.example/), [code](../packages/x.ts).",
    );
    expect(title).toBe("Runs: a & b");
    expect(headings.map(({ id }) => id)).toEqual(["logs-live", "logs-live-1"]);
    for (const href of ["/docs/tasks/README#types", "/docs/cron", "#logs-live", "https://x.example/"])
      expect(html).toContain(`href="${href}"`);
    expect(html).toContain('title="../packages/x.ts is in the repository"');
  });

  test("in a folder has its links resolved from there, and pictures come from the folder of pictures", () => {
    const { html } = render("[runs](../runs.md) [script](script.md) ![x](../pictures/run.png)", "tasks/sleep");
    for (const address of ['href="/docs/runs"', 'href="/docs/tasks/script"', 'src="/docs/pictures/run.png"'])
      expect(html).toContain(address);
  });

  test("shows HTML as text, and no marks of the tests", () => {
    const { html } = render("# X\n\n<!-- walk: ok -->\n```sh\necho '<b>'\n```\n\n<script>alert(1)</script> [x](javascript:alert(1))");
    expect(html).not.toMatch(/<script|<b>|walk: ok|href="javascript/);
    expect(html).toContain("&#60;script&#62;");
  });
});

test("every page of the contents answers without a credential, as a document that runs nothing", async () => {
  for (const name of ["", ...names]) {
    const { status, text, headers } = await open(`/docs/${name}`);
    expect(status, name).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; img-src 'self'/);
    expect(text).not.toMatch(/<script|\son[a-z]+=/);
    if (name !== "") expect(text.match(/aria-current="page"/g), name).toHaveLength(1);
  }
});

test("every link of a page leads to a page and an anchor that are there", async () => {
  const pages = new Map<string, string>();
  for (const name of ["", ...names]) pages.set(`/docs/${name}`, (await open(`/docs/${name}`)).text);
  const broken: string[] = [];
  for (const [page, text] of pages) {
    for (const [, href = ""] of text.matchAll(/href="(\/docs\/[^"]*|#[^"]+)"/g)) {
      const [path = "", anchor] = href.startsWith("#") ? [page, href.slice(1)] : href.split("#");
      const target = pages.get(path);
      if (target === undefined || (anchor !== undefined && !target.includes(`id="${anchor}"`))) broken.push(`${page}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

test("every document is in the contents, so that a reader finds it", () => {
  const all = ["", "guides/", "tasks/"].flatMap((folder) =>
    readdirSync(join(docsFolder, folder))
      .filter((file) => file.endsWith(".md") && file !== "README.md")
      .map((file) => folder + file.slice(0, -3)),
  );
  expect(all.filter((name) => !names.includes(name))).toEqual([]);
});

test.each([
  "/docs/nowhere",
  "/docs/README",
  "/docs/..%2fpackage",
  "/docs/adr/0009-libraries",
  "/docs/pictures/..%2f..%2fREADME.md",
  "/docs/pictures/none.png",
])("%s is not there", async (path) => {
  expect((await open(path)).status).toBe(404);
});

test("a picture is there", async () => {
  const { status, headers } = await open("/docs/pictures/run.png");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("image/png");
});

describe("the search", () => {
  test("finds the section, with a link to it and the words around the match", async () => {
    const { text } = await open("/docs?q=grace+period");
    expect(text).toContain("Found for “grace period”");
    expect(text).toMatch(/<a href="\/docs\/[a-z-]+#[a-z0-9-]+">/);
    expect(text).toMatch(/grace period/i);
  });

  test("finds what begins like it or is misspelled, and says when there is nothing", async () => {
    expect((await open("/docs?q=subscrip")).text).toContain("outbound-events");
    expect((await open("/docs?q=aproval")).text).toContain("approvals");
    expect((await open("/docs?q=zzzzqqqq")).text).toContain("Nothing found for “zzzzqqqq”");
  });

  test("finds operations of the API, by path and by what they do, with a link into the reference", async () => {
    expect((await open("/docs?q=apply+dryRun")).text).toContain('<a href="/api/docs#');
    expect((await open("/docs?q=workflowrun+cancel")).text).toMatch(
      /<a href="\/api\/docs#\w+">(?:DELETE|POST) \/api\/v2\/team\/\{team\}\/workflowrun/,
    );
  });

  test("shows what was typed as text", async () => {
    const { text, status } = await open(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(status).toBe(200);
    expect(text).not.toContain("<script>");
    expect((await open(`/docs?q=${"x".repeat(5000)}`)).status).toBe(200);
    expect((await open("/docs?q=%zz%00")).status).toBe(200);
  });

  test("looks up few words, each once, and short ones only whole, so that a search can't block the process", async () => {
    const index = await SearchIndex.of([
      { address: "/docs/page", title: "Page", sections: [{ id: "", title: "Part", text: "one two three four five six seven eight ui" }] },
    ]);
    const eight = "one two three four five six seven eight";
    expect(index.find(`${`${eight} `.repeat(4)}`)).toHaveLength(1);
    expect(index.find(`${eight} nothing`)).toHaveLength(1);
    expect(index.find("nothing one")).toHaveLength(0);
    expect([index.find("ui").length, index.find("thre").length, index.find("th").length]).toEqual([1, 1, 0]);
  });

  test("an excerpt begins before the match and ends after it", async () => {
    const text = `${"before ".repeat(100)}needle ${"after ".repeat(100)}`;
    const index = await SearchIndex.of([{ address: "/docs/page", title: "Page", sections: [{ id: "part", title: "Part", text }] }]);
    const [found] = index.find("needle");
    expect(found).toMatchObject({ address: "/docs/page#part", page: "Page", title: "Part" });
    expect(found?.excerpt).toMatch(/^… before.*needle after.* …$/);
  });
});

test("without the documents there is no handbook, and the rest is as ever", async () => {
  const empty = mkdtempSync(join(tmpdir(), "handbook-"));
  mkdirSync(join(empty, "tasks"));
  writeFileSync(join(empty, "other.md"), "# Other");
  const without = await testApp({ config: { docsFolder: empty } });
  expect((await without.as(null).get("/docs/other")).status).toBe(404);
});
