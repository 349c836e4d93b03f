import type { ComponentType } from "react";
import classes from "./tone-mark.module.css";

export type Tone = "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped";

export interface ToneLook {
  word: string;
  tone: Tone;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
}

interface ToneMarkProps {
  look: ToneLook;
  /** After the word. */
  more?: string | undefined;
  /** On hover; without one, of a bare mark, its word. */
  title?: string | undefined;
  /** Only the shape, with the word for who does not see it. */
  isBare?: boolean;
  /** Without a ground of its own, where it stands on one already or among many. */
  isOnGround?: boolean;
}

/** How something went or stands: a word, a shape and a colour, so that none of them alone tells it. */
export function ToneMark({ look: { word, tone, icon: Icon }, more = "", title, isBare = false, isOnGround = isBare }: ToneMarkProps) {
  return (
    <span className={classes.mark} data-tone={tone} data-on-ground={isOnGround || undefined} title={title ?? (isBare ? word : undefined)}>
      <Icon size={14} aria-hidden />
      <span className={isBare ? "only-heard" : undefined}>
        {word}
        {more}
      </span>
    </span>
  );
}
