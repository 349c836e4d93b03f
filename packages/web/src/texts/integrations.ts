import { integrations } from "./en/integrations.ts";
import { translate } from "./translate.ts";

export const t = translate(integrations);
