import { translate } from "../language.ts";

export const t = translate("turns", {
  turnMark: {
    finally: "Runs finally, however the run ends",
    onFailure: "Runs if the run fails",
    undoes: "Undoes {task}",
  },
});
