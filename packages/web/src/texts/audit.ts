import { audit } from "./en/audit.ts";
import { translate } from "./translate.ts";

export const t = translate(audit);
