import { Button } from "@mantine/core";
import { messageOf } from "../../api/api-error.ts";
import { t } from "../../texts/log.ts";
import classes from "./log.module.css";
import type { LogStore } from "./log-store.ts";

/** Below a log: how long it is, whether more comes, and what went wrong. */
export function LogFoot({ book, shown, step }: { book: LogStore; shown: number; step: string | undefined }) {
  const count = (number: number) => t("logFoot.lineLines", { number });
  return (
    <div className={classes.foot}>
      <span>{step === undefined ? count(book.count) : t("logFoot.total", { count: count(shown), step, count2: book.count })}</span>
      {book.error === undefined ? (
        <span>
          {book.removed !== undefined
            ? t("logFoot.removed")
            : book.isOver
              ? t("logFoot.endLog")
              : book.isCaughtUp
                ? t("logFoot.waitingMoreOutput")
                : t("logFoot.loading")}
        </span>
      ) : (
        <>
          <span role="alert" className={classes.alert}>
            {messageOf(book.error)}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => void book.tryAgain()}>
            {t("logFoot.tryAgain")}
          </Button>
        </>
      )}
    </div>
  );
}
