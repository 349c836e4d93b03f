import { team } from "./en/team.ts";
import { translate } from "./translate.ts";

export const t = translate(team);
