import { Anchor, Button, Text, Title } from "@mantine/core";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { WorkflowOverview } from "../../api/queries/workflow/workflow-overview.ts";
import { OverdueMark } from "../../components/actions/action-mark.tsx";
import { logSource } from "../../components/log/log-source.ts";
import { shortId } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { outcomeOf, sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/workflow/workflow-overview.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { PlaceLink } from "../../ui/page-header.tsx";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { linesThatMatter } from "./failure-lines.ts";
import classes from "./overview.module.css";

type Failure = WorkflowOverview["failures"][number];

/**
 * The last failed runs, each with the lines of its log that explain the failure. They appear together: a log that comes late would move the
 * links below it.
 */
export function Failures({ team, failures }: { team: string; failures: readonly Failure[] }) {
  const logs = failures.flatMap(({ task }) => (task?.hasLog === true ? [logTailQuery(task.id)] : []));
  const isLoading = useQueries({ queries: logs, combine: (tails) => tails.some((tail) => tail.isLoading) });
  const [isShown, setShown] = useState(!isLoading);
  // Later failures don't hide those that are shown.
  if (!isLoading && !isShown) setShown(true);
  return (
    <section aria-label={t("failures.title")}>
      <Title order={2}>{t("failures.title")}</Title>
      {failures.length === 0 && (
        <Text size="sm" className="quiet">
          {t("failures.none")}
        </Text>
      )}
      {isShown ? (
        failures.map((failure) => <FailureBox key={failure.id} team={team} failure={failure} />)
      ) : (
        <LoadingState label={t("failures.loadingLog")} rows={4} />
      )}
    </section>
  );
}

function FailureBox({ team, failure: { id, endDate, status, message, task } }: { team: string; failure: Failure }) {
  const run = shortId(id);
  const said = task?.message ?? message;
  return (
    <article className={classes.failure}>
      <header>
        <StatusMark status={status} isBare />
        <PlaceLink to={paths.run(team, id)} search={task ? { task: task.id, tab: "log" } : {}} className={classes.link}>
          {task ? t("failures.failedIn", { task: task.name, run }) : t("failures.failed", { run })}
        </PlaceLink>
        <span className="quiet">
          <TimeText at={endDate} />
        </span>
      </header>
      {said && <p>{sentenceOf(said)}</p>}
      {task?.hasLog === true && <FailureLog taskRun={task.id} name={task.name} />}
    </article>
  );
}

/** The number of lines at the end of a log that are searched for the error. */
const tailLines = 200;

const logTailQuery = (taskRun: string) =>
  queryOptions({
    queryKey: ["log-tail", taskRun],
    queryFn: async () => (await logSource(taskRun).tail(tailLines)).lines,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

function FailureLog({ taskRun, name }: { taskRun: string; name: string }) {
  const { data, error } = useQuery(logTailQuery(taskRun));
  if (error) return <p className="quiet">{t("failures.couldntLoad", { message: messageOf(error) })}</p>;
  if (data === undefined) return <p className="quiet">{t("failures.loadingLog")}</p>;
  const lines = linesThatMatter(data);
  if (lines.length === 0) return <p className="quiet">{t("failures.noLog")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls horizontally, so it must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: its lines are preformatted text
    <pre className={classes.log} aria-label={t("failures.logOf", { task: name })} tabIndex={0} role="region">
      {lines.map(({ text, isError }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <span key={place} data-error={isError || undefined}>
          {text}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

/** The open actions of the workflow's runs. */
export function OpenActions({ team, actions }: { team: string; actions: WorkflowOverview["actions"] }) {
  if (actions.length === 0) return null;
  return (
    <section aria-label={t("approvals.title")}>
      <Title order={2}>{t("approvals.title")}</Title>
      <ul className={classes.list}>
        {actions.map((action) => (
          <li key={action.id}>
            <span>
              <Link to={paths.action(team, action.id)} className={classes.link}>
                {action.title ?? action.taskName}
              </Link>{" "}
              <OverdueMark action={action} />
              <Text size="xs" className="quiet">
                {t.rich("approvals.opened", { time: () => <TimeText at={action.creationDate} /> })}
              </Text>
            </span>
            <Button
              component={Link}
              to={paths.action(team, action.id)}
              size="compact-sm"
              variant="default"
              aria-label={t("approvals.decideAction", { task: action.title ?? action.taskName })}
            >
              {t("approvals.decide")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who changed the workflow last, and why. */
export function RecentVersions({ team, workflow, versions }: { team: string; workflow: string; versions: WorkflowOverview["versions"] }) {
  return (
    <section aria-label={t("recentVersions.title")}>
      <Title order={2}>{t("recentVersions.title")}</Title>
      <ol className={classes.versions}>
        {versions.map(({ version, author, reason, date }) => (
          <li key={version}>
            <PlaceLink to={paths.workflow(team, workflow, "design")} search={{ version }} className={classes.link}>
              {t("recentVersions.version", { version: String(version) })}
            </PlaceLink>
            <div>{reason ? outcomeOf(reason) : <span className="quiet">{t("recentVersions.noReason")}</span>}</div>
            <div className="quiet">
              {t.rich("recentVersions.by", { author: author ?? t("recentVersions.unknown"), time: () => <TimeText at={date} /> })}
            </div>
          </li>
        ))}
      </ol>
      <Anchor component={Link} to={paths.workflow(team, workflow, "versions")} size="sm">
        {t("recentVersions.all")}
      </Anchor>
    </section>
  );
}
