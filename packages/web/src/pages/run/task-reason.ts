import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/run/run.ts";

/** What each reason means and what helps, for reasons that the message alone may not explain. The texts match docs/executors.md. */
const helps: Readonly<Record<string, string>> = {
  ExitCode: t("taskReason.helpExitcode"),
  CommandNotFound: t("taskReason.helpCommandnotfound"),
  Signal: t("taskReason.helpSignal"),
  OutOfMemory: t("taskReason.helpOutofmemory"),
  ResultTooLarge: t("taskReason.helpResulttoolarge"),
  WorkspaceFull: t("taskReason.helpWorkspacefull"),
  ImagePullFailed: t("taskReason.helpImagepullfailed"),
  SidecarFailed: t("taskReason.helpSidecarfailed"),
  Unschedulable: t("taskReason.helpUnschedulable"),
  QuotaExceeded: t("taskReason.helpQuotaexceeded"),
  Evicted: t("taskReason.helpEvicted"),
  NodeLost: t("taskReason.helpNodelost"),
  WorkerLost: t("taskReason.helpWorkerlost"),
  MachineFault: t("taskReason.helpMachinefault"),
  ExecutorUnavailable: t("taskReason.helpExecutorunavailable"),
  SandboxUnavailable: t("taskReason.helpSandboxunavailable"),
  DeadlineExceeded: t("taskReason.helpDeadlineexceeded"),
  ImageRequired: t("taskReason.helpImagerequired"),
  InvalidTask: t("taskReason.helpInvalidtask"),
  LockTimeout: t("taskReason.helpLocktimeout"),
  ItemFailed: t("taskReason.helpItemfailed"),
  RoundFailed: t("taskReason.helpRoundfailed"),
  RoundLimitReached: t("taskReason.helpRoundlimitreached"),
  UnresolvedReference: t("taskReason.helpUnresolvedreference"),
  SecretMissing: t("taskReason.helpSecretmissing"),
  SecretUnreadable: t("taskReason.helpSecretunreadable"),
  WorkspaceLost: t("taskReason.helpWorkspacelost"),
  ExecutorError: t("taskReason.helpExecutorerror"),
  MissingParameter: t("taskReason.helpMissingparameter"),
  InvalidParameter: t("taskReason.helpInvalidparameter"),
  InvalidResult: t("taskReason.helpInvalidresult"),
  ApproverGroupTooSmall: t("taskReason.helpApprovergrouptoosmall"),
  UnknownApproverGroup: t("taskReason.helpUnknownapprovergroup"),
  EventFailed: t("taskReason.helpEventfailed"),
  ChildRunFailed: t("taskReason.helpChildrunfailed"),
  TriggerDisabled: t("taskReason.helpTriggerdisabled"),
  NestingDepthExceeded: t("taskReason.helpNestingdepthexceeded"),
  CodehostToken: t("taskReason.helpCodehosttoken"),
  ForEachItemsInvalid: t("taskReason.helpForeachitemsinvalid"),
  ForEachTooManyItems: t("taskReason.helpForeachtoomanyitems"),
  TooManyRounds: t("taskReason.helpToomanyrounds"),
  ConditionNotTried: t("taskReason.helpConditionnottried"),
  PatternsTooCostly: t("taskReason.helpPatternstoocostly"),
  UnknownType: t("taskReason.helpUnknowntype"),
  HandlerFailed: t("taskReason.helpHandlerfailed"),
  Rejected: t("taskReason.helpRejected"),
  Failed: t("taskReason.helpFailed"),
};

/** The reasons that have such a text. */
export const explainedReasons: ReadonlySet<string> = new Set(Object.keys(helps));

export interface Reason {
  /** The service's sentence: why the task run waits, or why it ended this way. */
  why: string | undefined;
  /** The general meaning of that reason. */
  help: string | undefined;
}

/** Explains the status of a task run in words. */
export function reasonOf(task: Pick<TaskRun, "status" | "reason" | "statusMessage" | "waitingFor">): Reason {
  if (task.waitingFor !== undefined) return { why: task.waitingFor, help: undefined };
  const help = task.status === "succeeded" ? undefined : helps[task.reason ?? ""];
  const why = task.statusMessage ?? (task.status === "skipped" ? t("taskReason.runFollowedAnotherBranch") : undefined);
  return { why, help: help === why ? undefined : help };
}

/** Shown when a log has no lines. */
export function whyNoLog(task: Pick<TaskRun, "status" | "needs" | "waitingFor" | "type">): string {
  if (task.status === "skipped") return t("taskReason.skippedSoThereNo");
  if (task.needs === undefined && task.status !== "notstarted") return t("taskReason.millraceRunsTaskItself");
  if (task.status === "notstarted" || task.status === "ready")
    return t("taskReason.notStartedYet", { waitingFor: sentenceOf(task.waitingFor ?? "") }).trim();
  return task.status === "running" ? t("taskReason.noOutputYet") : t("taskReason.noOutput");
}

/** A part of a sentence: plain text, the name of a task, the id of a run, or a time. */
export interface Part {
  kind: "text" | "task" | "run" | "time";
  text: string;
}

const special =
  /"([^"\n]{1,200})"|\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b|\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** Finds the parts of a service's sentence that can be links. @param isTask whether the run has a task of that name */
export function partsOf(sentence: string, isTask: (name: string) => boolean): Part[] {
  const parts: Part[] = [];
  const text = (words: string) => {
    if (words !== "") parts.push({ kind: "text", text: words });
  };
  let from = 0;
  for (const match of sentence.matchAll(special)) {
    const [whole, name, id, time] = match;
    if (name !== undefined && !isTask(name)) continue;
    const quote = name === undefined ? "" : '"';
    text(sentence.slice(from, match.index) + quote);
    parts.push(
      name !== undefined
        ? { kind: "task", text: name }
        : id !== undefined
          ? { kind: "run", text: id }
          : { kind: "time", text: time as string },
    );
    from = match.index + whole.length - quote.length;
  }
  text(sentence.slice(from));
  return parts;
}
