import { triggers } from "./en/triggers.ts";
import { translate } from "./translate.ts";

export const t = translate(triggers);
