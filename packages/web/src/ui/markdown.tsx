import { lazy, Suspense } from "react";

/** Loaded on demand: the `Suspense` around it says what is shown until then. */
export const MarkdownText = lazy(() => import("./markdown-text.tsx").then((module) => ({ default: module.MarkdownText })));

/** Markdown from users. The renderer is loaded with the first text; until then the text is shown as written. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
      <MarkdownText text={text} />
    </Suspense>
  );
}
