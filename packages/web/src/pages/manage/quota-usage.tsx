import { Text } from "@mantine/core";
import { quotaUse } from "./quota-rows.ts";
import classes from "./quota-usage.module.css";

/** How much of a quota is used: a bar, a number and a word, so that none of them alone tells it. */
export function QuotaUsage({ used, limit }: { used: number; limit: number }) {
  const { share, word, tone } = quotaUse(used, limit);
  return (
    <div className={classes.use}>
      <Text size="sm">
        {used.toLocaleString()} of {limit.toLocaleString()} <span className="quiet">{word}</span>
      </Text>
      <div className={classes.track} aria-hidden>
        <div className={classes.fill} data-tone={tone} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
