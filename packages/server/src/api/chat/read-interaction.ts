import { membersOf } from "../../base/text/json-text.ts";
import { cleanJson } from "../../core/document/json-guard.ts";

/** What a user did in a dialog or with a message, as far as it is needed here. Missing texts are empty. */
export interface ChatInteraction {
  type: string;
  workspaceRef: string;
  userRef: string;
  responseUrl: string;
  /** Opens a dialog, for three seconds. */
  triggerId: string;
  view: { id: string; callbackId: string; metadata: string; values: unknown };
  button: { id: string; value: string };
  /** Where the button is. */
  message: { channel: string; ts: string };
  /** The state of inputs in the message. */
  messageValues: unknown;
}

/** @param form `payload=JSON`; anything else has the empty type, and characters that can't be stored are replaced */
export function readInteraction(form: string): ChatInteraction {
  const payload = parse(new URLSearchParams(form).get("payload"));
  const { view, container, actions } = payload;
  const members = membersOf(view);
  const button = membersOf(Array.isArray(actions) ? actions[0] : undefined);
  const place = membersOf(container);
  return {
    type: text(payload["type"]),
    workspaceRef: text(membersOf(payload["team"])["id"]),
    userRef: text(membersOf(payload["user"])["id"]),
    responseUrl: text(payload["response_url"]),
    triggerId: text(payload["trigger_id"]),
    view: {
      id: text(members["id"]),
      callbackId: text(members["callback_id"]),
      metadata: text(members["private_metadata"]),
      values: membersOf(members["state"])["values"],
    },
    button: { id: text(button["action_id"]), value: text(button["value"]) },
    message: { channel: text(place["channel_id"]), ts: text(place["message_ts"]) },
    messageValues: membersOf(payload["state"])["values"],
  };
}

function parse(json: string | null): Readonly<Record<string, unknown>> {
  try {
    return membersOf(cleanJson(JSON.parse(json ?? "")));
  } catch {
    return {};
  }
}

function text(value: unknown): string {
  return typeof value === "string" && value.length <= 3000 ? value : "";
}
