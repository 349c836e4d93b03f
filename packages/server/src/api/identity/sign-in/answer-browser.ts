import { AppError } from "../../../base/error/app-error.ts";
import { preferredType } from "../../accepts.ts";
import { type Reply, reply } from "../../endpoint.ts";

/** People come here in a browser, by a link: where it asks for a page, a refusal is one, with the way to try again. */
export async function answerBrowser(headers: Readonly<Record<string, string | undefined>>, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !prefersPage(headers["accept"])) throw error;
    return reply({ status: error.status, headers: pageHeaders(error), body: page(error), refusal: error });
  }
}

function prefersPage(accept: string | undefined): boolean {
  try {
    return preferredType(accept, ["application/json", "text/html"]) === "text/html";
  } catch {
    // Neither of them will do: then it gets the form that every other refusal has.
    return false;
  }
}

function pageHeaders({ retryAfterSeconds }: AppError): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
  };
}

function page({ message, reason }: AppError): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not signed in</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{color:#666}</style>
<h1>You are not signed in</h1>
<p>${escapeHtml(message)}</p>
<p><a href="/api/v2/auth/oidc/start">Try again</a></p>
<p><code>${reason}</code></p>
</html>
`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (letter) => entities[letter]!);
}
