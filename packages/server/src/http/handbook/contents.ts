import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The handbook: the pages of the folder `docs`, in the order and the parts of docs/README.md. */
export interface Contents {
  title: string;
  parts: readonly Part[];
}

export interface Part {
  title: string;
  pages: readonly PageLink[];
}

export interface PageLink {
  /** Path of the page without its ending: `workflows`, `tasks/script`. Also its address below /docs. */
  name: string;
  title: string;
  /** The purpose of the page, in one line of Markdown. */
  purpose: string;
}

/** As the name of a page, without its ending: letters, digits and hyphens, in one folder at most. */
const pageName = /^(?:[a-z0-9-]+\/)?[A-Za-z0-9-]+$/;

/**
 * Reads the parts from the headings of docs/README.md, and the pages from the lists below them: `- [Title](page.md): purpose`. A page that
 * isn't listed there is not in the handbook (such as the decisions in `adr`).
 * @param folder of the documents
 */
export function readContents(folder: string): Contents {
  const lines = readFileSync(join(folder, "README.md"), "utf8").split("\n");
  const parts: { title: string; pages: PageLink[] }[] = [];
  let title = "Handbook";
  for (const line of lines) {
    if (line.startsWith("# ")) title = line.slice(2).trim();
    else if (line.startsWith("## ")) parts.push({ title: line.slice(3).trim(), pages: [] });
    const link = /^- \[([^\]]+)\]\(([^)#]+)\.md\)(?:: (.*))?$/.exec(line);
    if (link) parts.at(-1)?.pages.push({ title: link[1] as string, name: link[2] as string, purpose: link[3] ?? "" });
    else if (/^ {2}\S/.test(line)) continuePurpose(parts.at(-1)?.pages.at(-1), line);
  }
  return { title, parts: parts.filter(({ pages }) => pages.length > 0) };
}

function continuePurpose(page: PageLink | undefined, line: string): void {
  if (page) page.purpose = `${page.purpose} ${line.trim()}`.trim();
}

/** All pages in reading order. */
export function pagesOf({ parts }: Contents): PageLink[] {
  return parts.flatMap(({ pages }) => pages);
}

export function isPageName(name: string): boolean {
  return pageName.test(name);
}
