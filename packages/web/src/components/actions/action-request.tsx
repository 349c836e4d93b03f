import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { Action } from "../../api/queries/actions.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/actions.ts";
import { Fold } from "../../ui/fold.tsx";
import { MarkdownText } from "../../ui/markdown.tsx";
import { PlaceLink } from "../../ui/page-header.tsx";
import classes from "./decide-form.module.css";

type RequestedAction = Pick<Action, "instructions" | "links" | "attachments" | "workflowRunRef"> & Partial<Pick<Action, "type">>;

/** What people are to know before they decide: the message, links, texts and logs. The `Suspense` of its place shows all of it at once. */
export function ActionRequest({ team, action }: { team: string; action: RequestedAction }) {
  const { instructions, links, attachments = [] } = action;
  return (
    <>
      {instructions && (
        <div className={classes.message}>
          <MarkdownText text={instructions} />
        </div>
      )}
      {links.length > 0 && (
        <ul className={classes.links} aria-label={t("actionRequest.links")}>
          {links.map(({ label, url }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list doesn't change
            <li key={index}>
              <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" size="sm" title={url} className={classes.link ?? ""}>
                <IconExternalLink size={14} aria-hidden />
                {label}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {attachments.length > 0 && (
        <ul className={classes.attachments} aria-label={t("actionRequest.attachments")}>
          {attachments.map((attachment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list doesn't change
            <li key={index}>
              <Attachment team={team} run={action.workflowRunRef} attachment={attachment} isOpen={action.type === "publish"} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface AttachmentProps {
  team: string;
  run: string;
  attachment: NonNullable<Action["attachments"]>[number];
  /** Whether it is expanded initially: true for the changes of a version, since these are what is decided. */
  isOpen: boolean;
}

function Attachment({ team, run, isOpen, attachment: { label, text, taskName, taskRunRef } }: AttachmentProps) {
  if (text !== undefined)
    return (
      <Fold title={label} isOpenAtFirst={isOpen}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
        <pre className={classes.text} tabIndex={0}>
          {isOpen ? <ChangedLines text={text} /> : text}
        </pre>
      </Fold>
    );
  if (!taskRunRef) return <span className="quiet">{t("actionRequest.noLog", { label, task: taskName ?? "" })}</span>;
  return (
    <Anchor component={PlaceLink} size="sm" to={paths.run(team, run)} search={{ task: taskRunRef }}>
      {t("actionRequest.log", { label })}
    </Anchor>
  );
}

const changeOf = (line: string) =>
  /^[+-]{3} |^@@ /.test(line) ? "place" : line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;

/** A unified diff, each line with its sign and its background colour. Other text is shown unchanged. */
function ChangedLines({ text }: { text: string }) {
  if (!text.startsWith("--- ")) return text;
  return text.split("\n").map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines don't change
    <span key={index} className={classes.line} data-change={changeOf(line)}>
      {line}
      {"\n"}
    </span>
  ));
}
