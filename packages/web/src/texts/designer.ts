import { designer } from "./en/designer.ts";
import { translate } from "./translate.ts";

export const t = translate(designer);
