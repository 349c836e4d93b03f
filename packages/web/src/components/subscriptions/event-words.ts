import { t } from "../../texts/subscriptions.ts";
import { eventKinds } from "./event-choice.ts";

/** What an event says, in words: "Runs: failed · welcome". @param event a CloudEvent */
export function eventWords(event: Readonly<Record<string, unknown>>): string {
  const type = typeof event["type"] === "string" ? event["type"].replace("dev.millrace.", "") : "";
  if (type === "subscription.test") return t("eventWords.testEvent");
  const [kind = "", status = ""] = type.split(".");
  const known = eventKinds.find((one) => one.kind === kind);
  const word = known?.statuses.find(([one]) => one === status)?.[1] ?? status;
  const of = typeof event["workflow"] === "string" ? ` · ${event["workflow"]}` : "";
  return `${known?.name ?? kind}: ${word}${of}`;
}
