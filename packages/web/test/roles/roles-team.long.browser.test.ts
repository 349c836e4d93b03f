import { describeInBrowser } from "../kit/browser.ts";
import { equipmentActions } from "./equipment-actions.ts";
import { manageActions } from "./manage-actions.ts";
import { playActions } from "./play.ts";
import { openStage } from "./stage.ts";

describeInBrowser("a team and what it has, by owner, editor, reader and administrator", async () => {
  playActions(await openStage(), [...equipmentActions, ...manageActions]);
});
