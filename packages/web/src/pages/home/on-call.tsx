import { Anchor, Text, Title } from "@mantine/core";
import { type WaitKind, waitKinds } from "@millrace/contract/status.ts";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useSyncExternalStore } from "react";
import { connection } from "../../api/connection.ts";
import type { Overview } from "../../api/queries/settings.ts";
import { shortId } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/on-call.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./on-call.module.css";
import { teamNameOf } from "./team-name.ts";

/** Failed and late runs: what someone on call checks first. */
export function OpenProblems({ overview }: { overview: Overview }) {
  const { failures, late } = overview;
  return (
    <>
      {late.length > 0 && (
        <Part title={t("late.title")}>
          <ul className={classes.list}>
            {late.map((run) => (
              <li key={run.run}>
                <span className={classes.what}>
                  <Link to={paths.run(run.teamName, run.run)} className={classes.name}>
                    {run.workflowDisplayName || run.workflowName} <span className={classes.id}>{shortId(run.run)}</span>
                  </Link>
                  <span className="quiet">
                    {run.limit === "deadline"
                      ? t.rich("late.deadline", { time: () => <TimeText at={run.dueDate} /> })
                      : run.limit === "expected"
                        ? t.rich("late.expected", {
                            time: () => <TimeText at={run.dueDate} />,
                            duration: durationText(run.expectedDuration ?? 0),
                          })
                        : t.rich("late.usual", {
                            time: () => <TimeText at={run.dueDate} />,
                            duration: durationText(run.usualDuration ?? 0),
                          })}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={t("failures.title")}>
        {failures.length === 0 && <Quiet>{t("failures.none")}</Quiet>}
        <ul className={classes.list}>
          {failures.map((failure) => (
            <li key={failure.run}>
              <StatusMark status={failure.status} isBare />
              <span className={classes.what}>
                <Link to={paths.workflow(failure.teamName, failure.workflowName)} className={classes.name}>
                  {failure.workflowDisplayName || failure.workflowName}
                </Link>
                <span className="quiet">
                  {t("failures.failed", { count: failure.failed })},{" "}
                  {t.rich("failures.inTeam", {
                    team: teamNameOf(overview, failure.teamName),
                    time: () => <TimeText at={failure.endDate} />,
                  })}
                </span>
                {failure.message && (
                  <span className={classes.message} title={sentenceOf(failure.message)}>
                    {sentenceOf(failure.message)}
                  </span>
                )}
              </span>
              <Anchor
                component={Link}
                size="sm"
                to={paths.run(failure.teamName, failure.run)}
                aria-label={t("failures.open", { workflow: failure.workflowDisplayName || failure.workflowName })}
              >
                {t("failures.openRun")}
              </Anchor>
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}

/**
 * The column beside them: the health of the instance, what runs wait for, the viewer's favourites, and upcoming runs.
 * @param answer when the service answered this, in milliseconds since the epoch, and whether its later answers were errors
 */
export function InstanceOverview({ overview, answer }: { overview: Overview; answer: LastAnswer }) {
  const { nextRuns, favourites, waits } = overview;
  const waiting = waitKinds.filter((kind) => (waits[kind] ?? 0) > 0);
  return (
    <>
      <Health health={overview.health} answer={answer} />
      {waiting.length > 0 && (
        <Part title={t("waits.title")}>
          <Text size="sm">{waiting.map((kind) => waitText(kind, waits[kind] ?? 0)).join(", ")}</Text>
        </Part>
      )}
      <Part title={t("favourites.title")}>
        {favourites.length === 0 && <Quiet>{t("favourites.help")}</Quiet>}
        <ul className={classes.list}>
          {favourites.map(({ teamName, workflowName, workflowDisplayName, run }) => (
            <li key={`${teamName}/${workflowName}`}>
              <Link to={paths.workflow(teamName, workflowName)} className={classes.name}>
                {workflowDisplayName || workflowName}
              </Link>
              {run ? (
                <Link to={paths.run(teamName, run.id)} className={classes.name}>
                  <StatusMark status={run.status} waitKinds={run.waitKinds} />
                </Link>
              ) : (
                <span className="quiet">{t("favourites.noRuns")}</span>
              )}
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t("nextRuns.title")}>
        {nextRuns.length === 0 && <Quiet>{t("nextRuns.none")}</Quiet>}
        <ul className={classes.list}>
          {nextRuns.map(({ teamName, workflowName, workflowDisplayName, schedule, date }) => (
            <li key={`${teamName}/${workflowName}/${schedule}`}>
              <span className={classes.what}>
                <Link to={paths.workflow(teamName, workflowName)} className={classes.name}>
                  {workflowDisplayName || workflowName}
                </Link>
                <span className="quiet">{schedule}</span>
              </span>
              <TimeText at={date} />
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}

function waitText(kind: WaitKind, count: number): string {
  return t(`waits.${kind}`, { count });
}

export interface LastAnswer {
  at: number;
  isOutdated: boolean;
}

/**
 * The health of each part of the instance in a word, and for what is not healthy what that means, with the page that says what to do. While
 * the service does not answer, or not with that, nobody knows: then these are the words of its last answer, and say so.
 */
function Health({ health: { workers, queue, oldestSeconds, database }, answer }: { health: Overview["health"]; answer: LastAnswer }) {
  const isOffline = useSyncExternalStore(connection.subscribe, connection.get) === "offline";
  const isKnown = !isOffline && !answer.isOutdated;
  const mark = (isHealthy: boolean, word: string) => <StateMark tone={isKnown ? (isHealthy ? "on" : "wait") : "rest"} word={word} />;
  const isLate = queue !== "healthy";
  return (
    <Part title={t("health.title")}>
      {!isKnown && <Quiet>{t.rich("health.unknown", { time: () => <TimeText at={new Date(answer.at).toISOString()} /> })}</Quiet>}
      <ul className={classes.health}>
        <li>
          {mark(workers > 0, t("health.workers", { count: workers }))}
          {workers === 0 && <Remedy of="workersHelp" section="a-task-waits-for-a-worker" />}
        </li>
        <li>
          {mark(!isLate, isLate ? t("health.queueLate", { duration: durationText(oldestSeconds * 1000) }) : t("health.queue"))}
          {/* Without a worker, the queue is late for that reason. */}
          {isLate && workers > 0 && <Remedy of="queueHelp" section="a-task-waits-for-a-worker" />}
        </li>
        <li>
          {mark(database === "healthy", t(databaseWords[database]))}
          {database === "full" && <Remedy of="databaseFullHelp" section="the-disk-is-full" />}
          {database === "away" && <Remedy of="databaseAwayHelp" section="the-database-refuses-changes-or-connections" />}
        </li>
      </ul>
    </Part>
  );
}

const databaseWords = { healthy: "health.database", full: "health.databaseFull", away: "health.databaseAway" } as const;

type Help = "workersHelp" | "queueHelp" | "databaseFullHelp" | "databaseAwayHelp";

/** @param section of the page of the handbook about problems */
function Remedy({ of, section }: { of: Help; section: string }) {
  return (
    <Quiet>
      {t.rich(`health.${of}`, {
        link: (words) => (
          <Anchor href={`/docs/troubleshooting#${section}`} inherit>
            {words}
          </Anchor>
        ),
      })}
    </Quiet>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2}>{title}</Title>
      {children}
    </section>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" className="quiet">
      {children}
    </Text>
  );
}
