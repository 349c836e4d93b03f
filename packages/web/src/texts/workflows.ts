import { workflows } from "./en/workflows.ts";
import { translate } from "./translate.ts";

export const t = translate(workflows);
