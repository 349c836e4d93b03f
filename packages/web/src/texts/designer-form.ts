import { designerForm } from "./en/designer-form.ts";
import { translate } from "./translate.ts";

export const t = translate(designerForm);
