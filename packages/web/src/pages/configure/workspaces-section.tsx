import { SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { teamQuery } from "../../api/queries/teams.ts";
import type { Workflow } from "../../api/queries/workflows.ts";
import classes from "./configure.module.css";
import { SaveBar } from "./save-bar.tsx";
import type { SectionProps } from "./use-section-draft.ts";
import { useSectionDraft } from "./use-section-draft.ts";

type Workspace = NonNullable<Workflow["workspaces"]>[number];
type Kind = "workflow" | "workflowrun";

const kinds: readonly { kind: Kind; word: string; about: string }[] = [
  { kind: "workflow", word: "Shared by all runs", about: "One folder for all runs. Each run finds the files of the runs before it." },
  { kind: "workflowrun", word: "One per run", about: "A new folder for each run, shared by its tasks." },
];

/** The storage of the workflow: at most one folder of each kind. Workspaces of other kinds are kept as they are. */
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
        Choose which task uses which folder at the task in the designer. Saving creates a new version.
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
  /** What the service refused of a member. */
  faultAt: (key: string) => string | undefined;
  onChange: (workspace: Workspace | undefined) => void;
}

const members = [
  { key: "mountPath", label: "Path", placeholder: "/workspace/workflow" },
  { key: "accessMode", label: "Access mode (cluster)", placeholder: "ReadWriteOnce" },
  { key: "className", label: "Storage class (cluster)", placeholder: "Cluster default" },
] as const;

function WorkspacePanel({ kind, word, about, most, workspace, faultAt, onChange }: WorkspacePanelProps) {
  const set = (key: string, text: string) => {
    const spec = Object.fromEntries(Object.entries({ ...workspace?.spec, [key]: text }).filter(([, value]) => value !== ""));
    onChange({ ...workspace, name: kind, type: kind, spec });
  };
  return (
    <section className={classes.panel} aria-label={word}>
      <div className={classes.panelHead}>
        <Switch
          label={word}
          description={about}
          checked={workspace !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked ? { name: kind, type: kind, spec: {} } : undefined)}
        />
      </div>
      {workspace !== undefined && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" className={classes.panelBody}>
          <TextInput
            label="Size"
            description={most ? `At most ${most} Gi, the team's quota` : "For example 2Gi or 512Mi"}
            placeholder="1Gi"
            error={faultAt("size")}
            value={String(workspace.spec?.size ?? "")}
            onChange={(event) => set("size", event.currentTarget.value)}
          />
          {members.map(({ key, label, placeholder }) => (
            <TextInput
              key={key}
              label={label}
              {...(key === "mountPath" && { description: "Where tasks find it. Must be absolute" })}
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
