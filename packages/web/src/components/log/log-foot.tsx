import { Button } from "@mantine/core";
import { messageOf } from "../../api/api-error.ts";
import classes from "./log.module.css";
import type { LogStore } from "./log-store.ts";

/** Below a log: how long it is, whether more comes, and what went wrong. */
export function LogFoot({ book, shown, step }: { book: LogStore; shown: number; step: string | undefined }) {
  const count = (number: number) => `${number.toLocaleString("en")} ${number === 1 ? "line" : "lines"}`;
  return (
    <div className={classes.foot}>
      <span>{step === undefined ? count(book.count) : `${count(shown)} of ${step}, ${book.count.toLocaleString("en")} in total`}</span>
      {book.error === undefined ? (
        <span>
          {book.removed !== undefined ? "Removed" : book.isOver ? "End of log" : book.isCaughtUp ? "Waiting for more output…" : "Loading…"}
        </span>
      ) : (
        <>
          <span role="alert" className={classes.alert}>
            {messageOf(book.error)}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => void book.tryAgain()}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
