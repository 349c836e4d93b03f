import { Anchor, Title } from "@mantine/core";
import { isCostlyMarkdown } from "@millrace/contract/action/deep-markdown.ts";
import type { ReactNode } from "react";
import ReactMarkdown from "react-markdown";

/** The page already has its own title, so no heading has a higher level or a larger size than the third. */
function Heading({ children }: { children?: ReactNode }) {
  return <Title order={3}>{children}</Title>;
}

const headings = { h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading };

/**
 * Markdown from users: no HTML and no external images. External links open in a new tab, and tell the other site nothing about this page.
 * A text that would hold up the browser is shown as it is.
 */
export function MarkdownText({ text }: { text: string }) {
  if (isCostlyMarkdown(text)) return <p style={{ whiteSpace: "pre-wrap" }}>{text}</p>;
  return (
    <ReactMarkdown
      skipHtml
      disallowedElements={["img"]}
      components={{
        ...headings,
        // Unsafe URLs (`javascript:`, `data:`) have already been emptied: their text is kept, without a link.
        a: ({ href, children }) =>
          href ? (
            <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow">
              {children}
            </Anchor>
          ) : (
            <span>{children}</span>
          ),
      }}
    >
      {text}
    </ReactMarkdown>
  );
}
