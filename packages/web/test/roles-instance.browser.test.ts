import { describeInBrowser } from "./browser.ts";
import { adminDeeds } from "./roles/admin-deeds.ts";
import { ownDeeds } from "./roles/own-deeds.ts";
import { playDeeds } from "./roles/play.ts";
import { sharedDeeds } from "./roles/shared-deeds.ts";
import { openStage } from "./roles/stage.ts";

describeInBrowser("own things and the administration, by owner, editor, reader and administrator", async () => {
  // At home everybody makes a team, and owns it from then on: what they may there would count in the other deeds.
  playDeeds(await openStage(), [...adminDeeds, ...sharedDeeds, ...ownDeeds]);
});
