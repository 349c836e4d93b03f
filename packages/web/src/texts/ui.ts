import { ui } from "./en/ui.ts";
import { translate } from "./translate.ts";

export const t = translate(ui);
