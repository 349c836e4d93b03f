import { taskForm } from "./en/task-form.ts";
import { translate } from "./translate.ts";

export const t = translate(taskForm);
