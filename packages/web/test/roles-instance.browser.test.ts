import { describeInBrowser } from "./browser.ts";
import { adminDeeds } from "./roles/admin-deeds.ts";
import { ownDeeds } from "./roles/own-deeds.ts";
import { playDeeds } from "./roles/play.ts";
import { openStage } from "./roles/stage.ts";

describeInBrowser("own things and the administration, by owner, editor, reader and administrator", async () => {
  playDeeds(await openStage(), [...ownDeeds, ...adminDeeds]);
});
