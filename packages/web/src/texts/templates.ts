import { templates } from "./en/templates.ts";
import { translate } from "./translate.ts";

export const t = translate(templates);
