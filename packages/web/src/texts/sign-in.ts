import { signIn } from "./en/sign-in.ts";
import { translate } from "./translate.ts";

export const t = translate(signIn);
