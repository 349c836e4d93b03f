import { configure } from "./en/configure.ts";
import { translate } from "./translate.ts";

export const t = translate(configure);
