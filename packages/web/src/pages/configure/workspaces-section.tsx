import { SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { teamQuery } from "../../api/queries/identity/session.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { type SectionProps, useSectionDraft } from "../../editor/draft/use-section-draft.ts";
import { t } from "../../texts/workflow/configure.ts";
import panel from "../../ui/panel.module.css";
import { SaveBar } from "./save-bar.tsx";

type Workspace = NonNullable<Workflow["workspaces"]>[number];
type Kind = "workflow" | "workflowrun";

const kinds: readonly { kind: Kind; word: string; about: string }[] = [
  { kind: "workflow", word: t("workspacesSection.sharedAllRuns"), about: t("workspacesSection.oneFolderAllRuns") },
  { kind: "workflowrun", word: t("workspacesSection.onePerRun"), about: t("workspacesSection.newFolderEachRun") },
];

/** The storage of the workflow: at most one folder of each kind. Workspaces of other kinds are kept unchanged. */
export function WorkspacesSection({ team }: SectionProps) {
  const { data } = useQuery(teamQuery(team));
  const section = useSectionDraft<{ list: Workspace[] }>({
    section: "workspaces",
    members: ["workspaces"],
    read: ({ workspaces }) => ({ list: workspaces ?? [] }),
    write: ({ list }) => ({ workspaces: list }),
  });
  const { value: draft, change, faultAt } = section;
  const most = { workflow: data?.quotas.maxWorkflowStorage, workflowrun: data?.quotas.maxWorkflowRunStorage };
  const put = (kind: Kind, workspace: Workspace | undefined) => {
    const others = draft.list.filter(({ type }) => type !== kind);
    change({ list: workspace === undefined ? others : [...others, workspace] });
  };
  return (
    <Stack gap="sm" maw={720}>
      {kinds.map(({ kind, word, about }) => (
        <WorkspacePanel
          key={kind}
          kind={kind}
          word={word}
          about={about}
          most={most[kind]}
          workspace={draft.list.find(({ type }) => type === kind)}
          faultAt={(key) => faultAt(`/workspaces/${draft.list.findIndex(({ type }) => type === kind)}/spec/${key}`)}
          onChange={(workspace) => put(kind, workspace)}
        />
      ))}
      <Text size="sm" className="quiet">
        {t("workspacesSection.chooseWhichTaskUses")}
      </Text>
      <SaveBar team={team} section={section} />
    </Stack>
  );
}

interface WorkspacePanelProps {
  kind: Kind;
  word: string;
  about: string;
  most: number | null | undefined;
  workspace: Workspace | undefined;
  /** The error the service returned for a member. */
  faultAt: (key: string) => string | undefined;
  onChange: (workspace: Workspace | undefined) => void;
}

const members = [
  { key: "mountPath", label: t("workspacesSection.path"), placeholder: "/workspace/workflow" },
  { key: "accessMode", label: t("workspacesSection.accessModeCluster"), placeholder: t("workspacesSection.readwriteonce") },
  { key: "className", label: t("workspacesSection.storageClassCluster"), placeholder: t("workspacesSection.clusterDefault") },
] as const;

function WorkspacePanel({ kind, word, about, most, workspace, faultAt, onChange }: WorkspacePanelProps) {
  const set = (key: string, text: string) => {
    const spec = Object.fromEntries(Object.entries({ ...workspace?.spec, [key]: text }).filter(([, value]) => value !== ""));
    onChange({ ...workspace, name: kind, type: kind, spec });
  };
  return (
    <section className={panel.panel} aria-label={word}>
      <div className={panel.head}>
        <Switch
          label={word}
          description={about}
          checked={workspace !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked ? { name: kind, type: kind, spec: {} } : undefined)}
        />
      </div>
      {workspace !== undefined && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" className={panel.body}>
          <TextInput
            label={t("workspacesSection.size")}
            description={most ? t("workspacesSection.sizeHelp", { most }) : t("workspacesSection.sizeHelpExample2gi512mi")}
            placeholder={t("workspacesSection.sizePlaceholder")}
            error={faultAt("size")}
            value={String(workspace.spec?.size ?? "")}
            onChange={(event) => set("size", event.currentTarget.value)}
          />
          {members.map(({ key, label, placeholder }) => (
            <TextInput
              key={key}
              label={label}
              {...(key === "mountPath" && { description: t("workspacesSection.whereTasksFindMust") })}
              placeholder={placeholder}
              error={faultAt(key)}
              value={workspace.spec?.[key] ?? ""}
              onChange={(event) => set(key, event.currentTarget.value)}
            />
          ))}
        </SimpleGrid>
      )}
    </section>
  );
}
