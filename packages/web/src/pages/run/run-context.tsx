import { Anchor, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext } from "react";
import type { Run } from "../../api/queries/run/runs.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { parentOf } from "../../components/run-graph/run-graph-model.ts";
import { paths } from "../../paths.ts";
import { sentenceOf } from "../../texts/language.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./run.module.css";
import { partsOf } from "./task-reason.ts";

/** The state that the parts of the run page share. */
export interface RunView {
  team: string;
  run: Run;
  /** If a task has many items, only some of them; the task has their number. */
  tasks: readonly TaskRun[];
  byName: ReadonlyMap<string, TaskRun>;
  chosen: TaskRun | undefined;
  /** Opens a task by its id or name; undefined closes it. @param tab log or details; left out: whichever fits */
  choose: (task: string | undefined, tab?: string) => void;
}

export const RunViewContext = createContext<RunView | undefined>(undefined);

/** Usable only inside the run page. */
export function useRunView(): RunView {
  const view = useContext(RunViewContext);
  if (view === undefined) throw new Error("there is no run around this");
  return view;
}

/** An entry of the list of facts. Renders nothing when it has no content. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === false || children === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A sentence from the service in the language of the interface, with links for the tasks and runs it names and times in the viewer's time zone. */
export function LinkedText({ text }: { text: string }) {
  const { team, byName, choose } = useRunView();
  return partsOf(sentenceOf(text), (name) => byName.has(parentOf(name))).map((part, index) => {
    const key = index;
    if (part.kind === "task")
      return (
        <UnstyledButton key={key} className={classes.link ?? ""} onClick={() => choose(byName.get(part.text)?.id ?? part.text)}>
          {part.text}
        </UnstyledButton>
      );
    if (part.kind === "run")
      return (
        <Anchor key={key} component={Link} to={paths.run(team, part.text)} inherit>
          {part.text.slice(-8)}
        </Anchor>
      );
    if (part.kind === "time") return <TimeText key={key} at={part.text} isExact />;
    return <span key={key}>{part.text}</span>;
  });
}
