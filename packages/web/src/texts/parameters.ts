import { parameters } from "./en/parameters.ts";
import { translate } from "./translate.ts";

export const t = translate(parameters);
