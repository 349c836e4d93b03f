import { schedules } from "./en/schedules.ts";
import { translate } from "./translate.ts";

export const t = translate(schedules);
