import { lazy, Suspense } from "react";

const MarkdownText = lazy(() => import("./markdown-text.tsx").then((module) => ({ default: module.MarkdownText })));

/** Markdown that somebody wrote. What draws it is loaded with the first text; until then the text is shown as it was written. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
      <MarkdownText text={text} />
    </Suspense>
  );
}
