import { describeInBrowser } from "./browser.ts";
import { adminActions } from "./roles/admin-actions.ts";
import { ownActions } from "./roles/own-actions.ts";
import { playActions } from "./roles/play.ts";
import { sharedActions } from "./roles/shared-actions.ts";
import { openStage } from "./roles/stage.ts";

describeInBrowser("own things and the administration, by owner, editor, reader and administrator", async () => {
  // On the home page everyone creates a team and owns it from then on: their rights there would count in the other actions.
  playActions(await openStage(), [...adminActions, ...sharedActions, ...ownActions]);
});
