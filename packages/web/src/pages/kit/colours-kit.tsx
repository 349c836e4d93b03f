import classes from "./kit.module.css";

const statuses = ["waiting", "running", "succeeded", "failed", "cancelled", "skipped", "queued"];
const tokens = [
  ...[
    "ground",
    "ground-raised",
    "ground-sunken",
    "ground-hover",
    "line",
    "line-strong",
    "ink",
    "ink-quiet",
    "accent",
    "accent-ground",
    "focus",
  ],
  ...statuses.flatMap((status) => [`status-${status}`, `status-${status}-ground`]),
];

/** The tokens of styles/tokens.css. */
export function ColoursKit() {
  return (
    <div className={classes.swatches}>
      {tokens.map((token) => (
        <div key={token} className={classes.swatch}>
          <span className={classes.colour} style={{ background: `var(--${token})` }} />
          {token}
        </div>
      ))}
    </div>
  );
}
