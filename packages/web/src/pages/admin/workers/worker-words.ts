import type { Worker, WorkerExecutor } from "../../../api/queries/settings.ts";
import { language } from "../../../texts/language.ts";
import { t } from "../../../texts/settings/administration.ts";
import { workerDetailInGerman } from "./german-details.ts";

/** What to do so that an executor becomes available. It is then turned on without further action. */
const remedies: Readonly<Record<string, string>> = {
  process: t("workerWords.stepsRunOnlySandbox"),
  container: t("workerWords.startDockerPodmanMachine"),
  kubernetes: t("workerWords.checkClusterReachable"),
};

/** `3 of 8 slots taken on 2 workers`. */
export function slotsText(workers: readonly Worker[]): string {
  const alive = workers.filter((worker) => worker.alive);
  if (alive.length === 0) return t("workerWords.noWorkerRunning");
  const slots = alive.reduce((sum, worker) => sum + worker.slots, 0);
  const busy = alive.reduce((sum, worker) => sum + worker.busySlots, 0);
  return t("workerWords.slotSlotsUseWorker", { busy, slots, count: alive.length });
}

export interface ExecutorLine {
  kind: string;
  /** Hosts of live workers on which it is available (`on`), and on which it isn't (`off`). */
  on: string[];
  off: string[];
  isolation: string | undefined;
  /** In words: how it isolates steps, or why it is off and what to do. */
  says: string;
}

/** Each kind of executor, across all live workers. */
export function executorLines(workers: readonly Worker[]): ExecutorLine[] {
  const alive = workers.filter((worker) => worker.alive);
  const kinds = [...new Set(alive.flatMap(({ executors }) => executors.map(({ kind }) => kind)))];
  return kinds.map((kind) => {
    const having = alive.flatMap(({ host, executors }) => executors.filter((one) => one.kind === kind).map((one) => ({ host, ...one })));
    const known = having.find(({ detail }) => detail !== undefined) ?? having.find(({ isolation }) => isolation !== undefined);
    const off = having.filter(({ available }) => !available);
    return {
      kind,
      on: having.filter(({ available }) => available).map(({ host }) => host),
      off: off.map(({ host }) => host),
      isolation: known?.isolation,
      says: off.length > 0 ? whyOff(kind, off) : capital(inOwnLanguage(known?.detail ?? "")),
    };
  });
}

function whyOff(kind: string, off: readonly WorkerExecutor[]): string {
  const told = off.find(({ detail }) => detail !== undefined)?.detail;
  const why = told === undefined ? t("workerWords.seeGetHealthProcess") : inOwnLanguage(told);
  const sentence = /[.!?]$/.test(why) ? why : `${why}.`;
  return t("workerWords.turnsAutomatically", { sentence: capital(sentence), remedie: remedies[kind] ?? "" }).replace(/ {2,}/g, " ");
}

function inOwnLanguage(detail: string): string {
  return language === "de" ? workerDetailInGerman(detail) : detail;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
