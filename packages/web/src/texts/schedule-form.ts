import { scheduleForm } from "./en/schedule-form.ts";
import { translate } from "./translate.ts";

export const t = translate(scheduleForm);
