import { tasks } from "./en/tasks.ts";
import { translate } from "./translate.ts";

export const t = translate(tasks);
