import { subscriptions } from "./en/subscriptions.ts";
import { translate } from "./translate.ts";

export const t = translate(subscriptions);
