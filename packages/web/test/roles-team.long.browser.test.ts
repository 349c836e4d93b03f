import { describeInBrowser } from "./browser.ts";
import { equipmentActions } from "./roles/equipment-actions.ts";
import { manageActions } from "./roles/manage-actions.ts";
import { playActions } from "./roles/play.ts";
import { openStage } from "./roles/stage.ts";

describeInBrowser("a team and what it has, by owner, editor, reader and administrator", async () => {
  playActions(await openStage(), [...equipmentActions, ...manageActions]);
});
