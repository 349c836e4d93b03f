import { Fragment } from "react";

/** A sentence of the service in which names stand between backticks, shown as code. */
export function CodeWords({ text }: { text: string | null | undefined }) {
  const parts = (text ?? "").split("`");
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay in their order
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>));
}
