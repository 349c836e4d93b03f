import { activity } from "./en/activity.ts";
import { translate } from "./translate.ts";

export const t = translate(activity);
