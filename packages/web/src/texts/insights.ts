import { insights } from "./en/insights.ts";
import { translate } from "./translate.ts";

export const t = translate(insights);
