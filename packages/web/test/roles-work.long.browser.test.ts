import { describeInBrowser } from "./browser.ts";
import { playActions } from "./roles/play.ts";
import { runActions } from "./roles/run-actions.ts";
import { openStage } from "./roles/stage.ts";

describeInBrowser("runs, actions and schedules, by owner, editor, reader and administrator", async () => {
  playActions(await openStage(), runActions);
});
