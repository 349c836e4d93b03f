import { runForm } from "./en/run-form.ts";
import { translate } from "./translate.ts";

export const t = translate(runForm);
