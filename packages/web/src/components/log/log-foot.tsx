import { Button } from "@mantine/core";
import { messageOf } from "../../api/api-error.ts";
import classes from "./log.module.css";
import type { LogBook } from "./log-book.ts";

/** Below a log: how much of it is here, whether more comes, and what went wrong. */
export function LogFoot({ book, shown, step }: { book: LogBook; shown: number; step: string | undefined }) {
  const count = (number: number) => number.toLocaleString("en");
  const lines = step === undefined ? `${count(book.count)} lines` : `${count(shown)} lines of ${step}, ${count(book.count)} in all`;
  return (
    <div className={classes.foot}>
      <span>{lines}</span>
      <span>{sizeText(book.characters)}</span>
      {book.error !== undefined ? (
        <>
          <span role="alert" className={classes.alert}>
            {messageOf(book.error)}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => void book.readOn()}>
            Try again
          </Button>
        </>
      ) : book.isHeldBack ? (
        <>
          <span>The log is longer than this.</span>
          <Button size="compact-xs" variant="default" onClick={() => void book.readAll()}>
            Read all of it
          </Button>
        </>
      ) : (
        <span>{book.isOver ? "This is all." : book.isCaughtUp ? "More may come." : "Reading …"}</span>
      )}
    </div>
  );
}

function sizeText(characters: number): string {
  if (characters < 1_000) return `${characters} characters`;
  if (characters < 1_000_000) return `${(characters / 1_000).toFixed(1)} kB`;
  return `${(characters / 1_000_000).toFixed(1)} MB`;
}
