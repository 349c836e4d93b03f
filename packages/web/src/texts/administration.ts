import { administration } from "./en/administration.ts";
import { translate } from "./translate.ts";

export const t = translate(administration);
