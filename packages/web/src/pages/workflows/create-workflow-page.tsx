import { Tabs } from "@mantine/core";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { ErrorState } from "../../ui/state/not-loaded.tsx";
import { FromScratch } from "./from-scratch.tsx";
import { FromTemplate } from "./from-template.tsx";
import { FromText } from "./from-text.tsx";

/** The ways to create a workflow; the URL says which one is selected. */
export function CreateWorkflowPage() {
  const team = useTeam();
  const whyNot = useRights(team).whyNot("workflow/write");
  const [{ from }, change] = useSearchState({ from: "scratch", template: "" });
  return (
    <>
      <PageHeader title={t("createWorkflowPage.createWorkflow")} detail={t("createWorkflowPage.opensDesignerNothingRuns")} />
      {whyNot !== undefined ? (
        <ErrorState error={new Error(whyNot)} />
      ) : (
        <Tabs value={from} onChange={(next) => change({ from: next ?? "scratch" })} px="md" pb="md" keepMounted={false}>
          <Tabs.List aria-label={t("createWorkflowPage.howStart")} mb="md">
            <Tabs.Tab value="scratch">{t("createWorkflowPage.scratch")}</Tabs.Tab>
            <Tabs.Tab value="template">{t("createWorkflowPage.template")}</Tabs.Tab>
            <Tabs.Tab value="file">{t("createWorkflowPage.file")}</Tabs.Tab>
            <Tabs.Tab value="paste">{t("createWorkflowPage.pasteYamlJson")}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="scratch">
            <FromScratch team={team} />
          </Tabs.Panel>
          <Tabs.Panel value="template">
            <FromTemplate team={team} />
          </Tabs.Panel>
          <Tabs.Panel value="file">
            <FromText key="file" team={team} withFile />
          </Tabs.Panel>
          <Tabs.Panel value="paste">
            <FromText key="paste" team={team} />
          </Tabs.Panel>
        </Tabs>
      )}
    </>
  );
}
