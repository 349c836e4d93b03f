import { Anchor, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./run.module.css";
import { useRunView } from "./run-context.ts";
import { partsOf } from "./task-reason.ts";

/** A sentence of the service in which the tasks and runs that it names can be opened, and times are those of the viewer. */
export function LinkedText({ text }: { text: string }) {
  const { team, byName, choose } = useRunView();
  return partsOf(text, (name) => byName.has(name)).map((part, index) => {
    const key = index;
    if (part.kind === "task")
      return (
        <UnstyledButton key={key} className={classes.link ?? ""} onClick={() => choose(byName.get(part.text)?.id)}>
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
