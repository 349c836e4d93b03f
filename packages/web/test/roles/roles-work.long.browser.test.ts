import { describeInBrowser } from "../kit/browser.ts";
import { playActions } from "./play.ts";
import { runActions } from "./run-actions.ts";
import { openStage } from "./stage.ts";

describeInBrowser("runs, actions and schedules, by owner, editor, reader and administrator", async () => {
  playActions(await openStage(), runActions);
});
