import { describeInBrowser } from "../kit/browser.ts";
import { adminActions } from "./admin-actions.ts";
import { ownActions } from "./own-actions.ts";
import { playActions } from "./play.ts";
import { sharedActions } from "./shared-actions.ts";
import { openStage } from "./stage.ts";

describeInBrowser("own things and the administration, by owner, editor, reader and administrator", async () => {
  // On the home page every user creates a team and owns it from then on: these permissions would count in the other actions.
  playActions(await openStage(), [...adminActions, ...sharedActions, ...ownActions]);
});
