import { home } from "./en/home.ts";
import { translate } from "./translate.ts";

export const t = translate(home);
