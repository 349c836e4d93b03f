import type { Transaction } from "../../store/database/database.ts";
import type { Context } from "../endpoint.ts";

export type Payload = Record<string, unknown>;

/** What comes with a webhook: `ref` names its workflow. */
export type WebhookContext = Context<unknown, { ref?: string }, Payload, Transaction>;
