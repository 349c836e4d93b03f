import { shared } from "./en/shared.ts";
import { translate } from "./translate.ts";

export const t = translate(shared);
