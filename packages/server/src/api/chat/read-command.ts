import { cleanText } from "../../core/document/json-guard.ts";

/** A slash command as the platform sends it. */
export interface ChatCommand {
  verb: "help" | "list" | "run" | "status";
  /** What follows the verb; empty without. */
  argument: string;
  workspaceRef: string;
  userRef: string;
  /** Opens a dialog, for three seconds. */
  triggerId: string;
  /** Where the answer is to go; empty when the sender wants it at once. */
  responseUrl: string;
}

const verbs = ["help", "list", "run", "status"] as const;

/** Whatever is not a word of ours is taken for a workflow that is to run. */
export function readCommand(form: string): ChatCommand {
  const fields = new URLSearchParams(form);
  const field = (name: string) => cleanText((fields.get(name) ?? "").slice(0, 3000)).trim();
  const text = cleanText(field("text").slice(0, 500));
  const [first = "", ...rest] = text.split(/\s+/);
  const verb = verbs.find((one) => one === first.toLowerCase());
  return {
    verb: text === "" ? "help" : (verb ?? "run"),
    argument: verb === undefined ? text : rest.join(" "),
    workspaceRef: field("team_id"),
    userRef: field("user_id"),
    triggerId: field("trigger_id"),
    responseUrl: field("response_url"),
  };
}
