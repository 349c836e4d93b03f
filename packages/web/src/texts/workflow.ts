import { workflow } from "./en/workflow.ts";
import { translate } from "./translate.ts";

export const t = translate(workflow);
