import { tokens } from "./en/tokens.ts";
import { translate } from "./translate.ts";

export const t = translate(tokens);
