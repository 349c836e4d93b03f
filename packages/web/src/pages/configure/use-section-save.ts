import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError } from "../../api/api-error.ts";
import { readWorkflow, type Workflow, workflowQuery, writeWorkflow } from "../../api/queries/workflows.ts";
import type { SectionProps } from "./section.ts";

/** Only the members that the section shows. */
export type Part = Partial<Workflow>;

interface SaveOptions {
  /** Something is typed: what arrives from elsewhere is then a conflict, not simply the newer state. */
  isChanged: boolean;
  /** What is versioned makes a new version; everything else is written over the present one. */
  isVersioned?: boolean;
  onSaved?: () => void;
}

interface SaveRequest {
  part: Part;
  /** After a conflict: on top of what somebody else saved. */
  onTop?: boolean;
}

/**
 * Writes the members of one section. Somebody else's change in the meantime is a conflict, which can be settled by writing these members on top
 * of his; nothing that was typed is lost by it.
 */
export function useSectionSave({ team, workflow, etag }: SectionProps, { isChanged, isVersioned = false, onSaved }: SaveOptions) {
  const client = useQueryClient();
  const last = useRef<Part>({});
  // As it was when typing began: what arrives later was not seen by who types here.
  const seen = useRef({ workflow, etag });
  if (!isChanged) seen.current = { workflow, etag };
  const refresh = () => Promise.all(["workflows", "workflow"].map((word) => client.invalidateQueries({ queryKey: [word, team] })));
  const mutation = useMutation({
    mutationFn: async ({ part, onTop = false }: SaveRequest) => {
      last.current = part;
      const base = onTop ? await readWorkflow(team, workflow.name) : { data: seen.current.workflow, etag: seen.current.etag };
      const { changelog, ...present } = base.data;
      const document: Workflow = { ...present, ...(!isVersioned && changelog && { changelog }), ...part };
      return writeWorkflow(team, document, { replace: !isVersioned, etag: base.etag });
    },
    onSuccess: async ({ data, etag: next }) => {
      seen.current = { workflow: data, etag: next };
      client.setQueryData(workflowQuery(team, workflow.name).queryKey, { data, etag: next });
      await refresh();
      notifications.show({ message: isVersioned ? `Saved as version ${data.version}.` : "Saved." });
      onSaved?.();
    },
  });
  const takeTheirs = async () => {
    await refresh();
    onSaved?.();
    mutation.reset();
  };
  const isConflict = mutation.error instanceof ApiError && mutation.error.status === 412;
  return {
    save: (part: Part) => mutation.mutate({ part }),
    saveOnTop: () => mutation.mutate({ part: last.current, onTop: true }),
    /** After a conflict: drops what is typed here. */
    takeTheirs,
    isBusy: mutation.isPending,
    error: mutation.error,
    isConflict,
    /** What was refused at that place of the document or below it. */
    faultAt: (path: string) =>
      (mutation.error instanceof ApiError ? mutation.error.errors : []).find((fault) => isWithin(fault.path, path))?.message,
  };
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

export type SectionSave = ReturnType<typeof useSectionSave>;
