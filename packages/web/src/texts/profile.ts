import { profile } from "./en/profile.ts";
import { translate } from "./translate.ts";

export const t = translate(profile);
