import { run } from "./en/run.ts";
import { translate } from "./translate.ts";

export const t = translate(run);
