import { describeInBrowser } from "./browser.ts";
import { playDeeds } from "./roles/play.ts";
import { runDeeds } from "./roles/run-deeds.ts";
import { openStage } from "./roles/stage.ts";

describeInBrowser("runs, actions and schedules, by owner, editor, reader and administrator", async () => {
  playDeeds(await openStage(), runDeeds);
});
