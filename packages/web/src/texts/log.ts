import { log } from "./en/log.ts";
import { translate } from "./translate.ts";

export const t = translate(log);
