import { describeInBrowser } from "./browser.ts";
import { playDeeds } from "./roles/play.ts";
import { openStage } from "./roles/stage.ts";
import { teamDeeds } from "./roles/team-deeds.ts";

describeInBrowser("a team and what it has, by owner, editor, reader and administrator", async () => {
  playDeeds(await openStage(), teamDeeds);
});
