import { frame } from "./en/frame.ts";
import { translate } from "./translate.ts";

export const t = translate(frame);
