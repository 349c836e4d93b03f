import { describeInBrowser } from "./browser.ts";
import { equipmentDeeds } from "./roles/equipment-deeds.ts";
import { manageDeeds } from "./roles/manage-deeds.ts";
import { playDeeds } from "./roles/play.ts";
import { openStage } from "./roles/stage.ts";

describeInBrowser("a team and what it has, by owner, editor, reader and administrator", async () => {
  playDeeds(await openStage(), [...equipmentDeeds, ...manageDeeds]);
});
