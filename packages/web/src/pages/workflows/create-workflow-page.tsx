import { Tabs } from "@mantine/core";
import { useRights } from "../../hooks/use-caller.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { ErrorState } from "../../ui/state/error-state.tsx";
import { FromScratch } from "./from-scratch.tsx";
import { FromTemplate } from "./from-template.tsx";
import { FromText } from "./from-text.tsx";

/** The ways to a new workflow; which one is in the address. */
export function CreateWorkflowPage() {
  const team = useTeam();
  const whyNot = useRights(team).whyNot("workflow/write");
  const [{ from }, change] = useSearchState({ from: "scratch", template: "" });
  return (
    <>
      <PageHeader title="Create workflow" detail="Opens in the designer. Nothing runs until you start it." />
      {whyNot !== undefined ? (
        <ErrorState error={new Error(whyNot)} />
      ) : (
        <Tabs value={from} onChange={(next) => change({ from: next ?? "scratch" })} px="md" pb="md" keepMounted={false}>
          <Tabs.List aria-label="How to start" mb="md">
            <Tabs.Tab value="scratch">From scratch</Tabs.Tab>
            <Tabs.Tab value="template">From a template</Tabs.Tab>
            <Tabs.Tab value="file">From a file</Tabs.Tab>
            <Tabs.Tab value="paste">Paste YAML or JSON</Tabs.Tab>
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
