import { Anchor } from "@mantine/core";
import ReactMarkdown from "react-markdown";

/** Markdown that somebody wrote: no HTML, no images from elsewhere, links that leave open beside the page and tell the other site nothing. */
export function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown
      skipHtml
      disallowedElements={["img"]}
      components={{
        a: ({ href, children }) => (
          <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow">
            {children}
          </Anchor>
        ),
      }}
    >
      {text}
    </ReactMarkdown>
  );
}
