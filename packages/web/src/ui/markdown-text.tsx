import { Anchor, Title } from "@mantine/core";
import type { ReactNode } from "react";
import ReactMarkdown from "react-markdown";

/** Within a page that has its own title: no heading is above the third rank, nor larger. */
function Heading({ children }: { children?: ReactNode }) {
  return <Title order={3}>{children}</Title>;
}

const headings = { h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading };

/**
 * Markdown that somebody wrote: no HTML, no images from elsewhere, links that leave open beside the page and tell the other site nothing.
 */
export function MarkdownText({ text }: { text: string }) {
  return (
    <ReactMarkdown
      skipHtml
      disallowedElements={["img"]}
      components={{
        ...headings,
        // An address that may not be followed (`javascript:`, `data:`) is empty by now: its words stay, without a link.
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
