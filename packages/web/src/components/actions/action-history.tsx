import { Title } from "@mantine/core";
import {
  IconArrowBigUpLines,
  IconArrowForwardUp,
  IconBan,
  IconBell,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconMessage,
} from "@tabler/icons-react";
import type { Action } from "../../api/queries/actions.ts";
import { textOf } from "../../forms/parameter-values.ts";
import { t } from "../../texts/actions.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./action-history.module.css";

type Entry = NonNullable<Action["history"]>[number];

/** The history of an action in order: opened, votes, comments, delegations, escalations, and its end. */
export function ActionHistory({ action }: { action: Action }) {
  return (
    <section aria-label={t("actionHistory.history")}>
      <Title order={2} mb={4}>
        {t("actionHistory.history")}
      </Title>
      <ol className={classes.history}>
        {(action.history ?? []).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: new entries are appended
          <Step key={index} entry={entry} fields={action.fields} />
        ))}
      </ol>
    </section>
  );
}

const icons = {
  opened: IconCircleDashed,
  comment: IconMessage,
  delegation: IconArrowForwardUp,
  reminder: IconBell,
  escalation: IconArrowBigUpLines,
  cancelled: IconBan,
};

function Step({ entry, fields }: { entry: Entry; fields: Action["fields"] }) {
  const { kind, approved, comments, values = {} } = entry;
  const Icon = kind === "vote" ? (approved ? IconCircleCheckFilled : IconCircleXFilled) : icons[kind];
  const filled = fields.filter(({ name }) => values[name] !== undefined && values[name] !== "");
  return (
    <li className={classes.step} data-tone={kind === "vote" ? (approved ? "approved" : "rejected") : kind}>
      <Icon size={16} aria-hidden />
      <div>
        {t.rich(textKey(entry), {
          who: () => <strong>{entry.principalName ?? t("actionHistory.token")}</strong>,
          time: () => <TimeText at={entry.date} />,
          to: entry.delegatedTo ?? entry.escalatedTo ?? "",
          reminderCount: entry.count ?? 0,
        })}
        {filled.length > 0 && (
          <dl className={classes.values}>
            {filled.map(({ name, label }) => (
              <div key={name}>
                <dt className="quiet">{label || name}</dt>
                <dd>{textOf(values[name])}</dd>
              </div>
            ))}
          </dl>
        )}
        {comments && <blockquote className={classes.comment}>{comments}</blockquote>}
      </div>
    </li>
  );
}

function textKey({ kind, approved, escalatedTo }: Entry) {
  switch (kind) {
    case "vote":
      return approved ? "actionHistory.approved" : "actionHistory.rejected";
    case "comment":
      return "actionHistory.commented";
    case "delegation":
      return "actionHistory.delegated";
    case "reminder":
      return "actionHistory.reminderHasRemindersHave";
    case "escalation":
      return escalatedTo === undefined ? "actionHistory.escalatedNoGroup" : "actionHistory.escalated";
    case "cancelled":
      return "actionHistory.cancelledRunEndedNobody";
    default:
      return "actionHistory.opened";
  }
}
