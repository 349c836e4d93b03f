import { describeInBrowser } from "../kit/browser.ts";
import { configureActions } from "./configure-actions.ts";
import { playActions } from "./play.ts";
import { openStage } from "./stage.ts";
import { workflowActions } from "./workflow-actions.ts";

describeInBrowser("workflows, by owner, editor, reader and administrator", async () => {
  playActions(await openStage(), [...workflowActions, ...configureActions]);
});
