import { describeInBrowser } from "./browser.ts";
import { configureActions } from "./roles/configure-actions.ts";
import { playActions } from "./roles/play.ts";
import { openStage } from "./roles/stage.ts";
import { workflowActions } from "./roles/workflow-actions.ts";

describeInBrowser("workflows, by owner, editor, reader and administrator", async () => {
  playActions(await openStage(), [...workflowActions, ...configureActions]);
});
