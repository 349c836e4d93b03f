import { Anchor } from "@mantine/core";
import ReactMarkdown from "react-markdown";

/** Markdown that somebody wrote: no HTML, no images from elsewhere, links that leave open beside the page and tell the other site nothing. */
export function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown
      skipHtml
      disallowedElements={["img"]}
      components={{
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
