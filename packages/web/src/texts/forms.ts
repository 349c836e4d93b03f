import { forms } from "./en/forms.ts";
import { translate } from "./translate.ts";

export const t = translate(forms);
