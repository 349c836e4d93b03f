import { Anchor, Breadcrumbs } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/workflow/designer.ts";
import type { Draft } from "../draft/draft.ts";
import { DraftContext, type DraftSession, useDraft } from "../draft/draft-context.ts";
import { TrialContext, useTrial } from "../trial/trial-context.ts";
import { nestedDraft, problemsIn, readPath, withNested, writePath } from "./nested-draft.ts";
import classes from "./nested-scope.module.css";

/** The nested workflow that the URL names, and a function to open another one. The outer workflow if it doesn't exist. */
export function useNestedPath(): { path: readonly string[]; open: (path: readonly string[]) => void } {
  const { history } = useDraft();
  const [{ in: text }, setSearch] = useSearchState({ in: "", node: "", open: false });
  const path = readPath(String(text));
  const isThere = nestedDraft(history.present, path) !== undefined;
  return { path: isThere ? path : [], open: (next) => setSearch({ in: writePath(next), node: "", open: false }, { replace: false }) };
}

/**
 * Inside it, the draft is only the nested workflow, with the canvas, palette and forms of any workflow. Each change is applied to the outer
 * workflow, so that undo, save and validation only know one draft.
 */
export function NestedScope({ path, children }: { path: readonly string[]; children: ReactNode }) {
  const outer = useDraft();
  const trial = useTrial();
  const place = writePath(path);
  const session = useMemo(() => scoped(outer, readPath(place)), [outer, place]);
  const untried = useMemo(
    () => ({ ...trial, outputs: new Map(), pins: new Map(), stale: new Set<string>(), whyNot: t("nested.noTrial") }),
    [trial],
  );
  return (
    <DraftContext value={session}>
      <TrialContext value={untried}>{children}</TrialContext>
    </DraftContext>
  );
}

function scoped(outer: DraftSession, path: readonly string[]): DraftSession {
  const { history, change, problems } = outer;
  const inner = (draft: Draft): Draft => nestedDraft(draft, path) ?? { name: draft.name, params: [], tasks: [] };
  const prefix = `${writePath(path)} `;
  return {
    ...outer,
    isNested: true,
    typed: new Map([...outer.typed].flatMap(([name, one]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), one]] : []))),
    setTyped: (section, one) => outer.setTyped(`${prefix}${section}`, one),
    history: {
      ...history,
      present: inner(history.present),
      baseline: inner(history.baseline),
      past: history.past.map(inner),
      future: history.future.map(inner),
    },
    change: (edit, key) =>
      change((draft) => withNested(draft, path, edit(inner(draft))), key === undefined ? undefined : `${writePath(path)} ${key}`),
    problems: problemsIn(history.present, path, problems),
  };
}

/** The path to the nested workflow, with links to the outer ones. */
export function NestedCrumbs({ path, onOpen }: { path: readonly string[]; onOpen: (path: readonly string[]) => void }) {
  const { history } = useDraft();
  const { name, displayName } = history.present;
  const names = [typeof displayName === "string" && displayName !== "" ? displayName : name, ...path];
  return (
    <nav className={classes.crumbs} aria-label={t("nested.place")}>
      <Breadcrumbs>
        {names.map((name, depth) =>
          depth === path.length ? (
            <span key={writePath(names.slice(0, depth + 1))} aria-current="page">
              {name}
            </span>
          ) : (
            <Anchor
              key={writePath(names.slice(0, depth + 1))}
              component="button"
              type="button"
              onClick={() => onOpen(path.slice(0, depth))}
            >
              {name}
            </Anchor>
          ),
        )}
      </Breadcrumbs>
    </nav>
  );
}
