import { describeInBrowser } from "./browser.ts";
import { configureDeeds } from "./roles/configure-deeds.ts";
import { playDeeds } from "./roles/play.ts";
import { openStage } from "./roles/stage.ts";
import { workflowDeeds } from "./roles/workflow-deeds.ts";

describeInBrowser("workflows, by owner, editor, reader and administrator", async () => {
  playDeeds(await openStage(), [...workflowDeeds, ...configureDeeds]);
});
