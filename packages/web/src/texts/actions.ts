import { actions } from "./en/actions.ts";
import { translate } from "./translate.ts";

export const t = translate(actions);
