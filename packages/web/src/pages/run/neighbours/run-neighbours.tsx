import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconLayoutSidebar } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { isTyping } from "../../../components/keys/use-page-keys.ts";
import { shortId } from "../../../components/run-words.ts";
import { paths } from "../../../paths.ts";
import { t } from "../../../texts/run/run.ts";
import { StatusMark } from "../../../ui/mark/status-mark.tsx";
import { durationText } from "../../../ui/time/time-format.ts";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { useRunView } from "../run-context.tsx";
import classes from "./neighbours.module.css";
import type { Neighbours } from "./use-neighbours.ts";

interface StepsProps {
  neighbours: Neighbours;
  isListOpen: boolean;
  onList: () => void;
}

/** Moves to the previous or next run, by button or with `,` and `.`, and opens the list of neighbouring runs. */
export function RunSteps({ neighbours: { runs, at, isFromList }, isListOpen, onList }: StepsProps) {
  const { team } = useRunView();
  const navigate = useNavigate();
  const [before, after] = at < 0 ? [] : [runs[at - 1], runs[at + 1]];
  const go = (run: { id: string } | undefined) => run && void navigate({ to: paths.run(team, run.id) });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (event.key === ",") go(before);
      else if (event.key === ".") go(after);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  const place = isFromList ? "List" : "Workflow";
  return (
    <Group gap={4} wrap="nowrap">
      <Step
        label={t(`runSteps.before${place}`)}
        keys=","
        icon={<IconChevronUp size={16} />}
        isOff={before === undefined}
        onClick={() => go(before)}
      />
      <Step
        label={t(`runSteps.after${place}`)}
        keys="."
        icon={<IconChevronDown size={16} />}
        isOff={after === undefined}
        onClick={() => go(after)}
      />
      <Tooltip label={t(isListOpen ? "runSteps.hideList" : "runSteps.showList")}>
        <ActionIcon
          variant="default"
          size={30}
          visibleFrom="md"
          aria-label={t(isListOpen ? "runSteps.hideList" : "runSteps.showList")}
          aria-pressed={isListOpen}
          onClick={onList}
        >
          <IconLayoutSidebar size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

interface StepProps {
  label: string;
  keys: string;
  icon: ReactNode;
  isOff: boolean;
  onClick: () => void;
}

function Step({ label, keys, icon, isOff, onClick }: StepProps) {
  return (
    <Tooltip label={`${label}: ${keys}`}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        aria-keyshortcuts={keys}
        data-disabled={isOff || undefined}
        aria-disabled={isOff}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** The neighbouring runs, listed beside this one. */
export function RunNeighbours({ neighbours: { runs, at, isFromList } }: { neighbours: Neighbours }) {
  const { team, run } = useRunView();
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another run is shown
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    // Scrolls only the list, not the page around it.
    if (list.current && here) list.current.scrollTop = here.offsetTop - list.current.clientHeight / 2;
  }, [run.id, at >= 0]);
  return (
    <nav ref={list} className={classes.list} aria-label={t("runNeighbours.runs")}>
      <h2 className={classes.title}>{t(isFromList ? "runNeighbours.ofList" : "runNeighbours.ofWorkflow")}</h2>
      <ul>
        {runs.map(({ id, status, phase, waitKinds, creationDate, duration, workflowDisplayName, workflowName }) => (
          <li key={id}>
            <Link to={paths.run(team, id)} className={classes.run ?? ""} aria-current={id === run.id ? "page" : undefined}>
              <StatusMark status={status} phase={phase} waitKinds={waitKinds} isBare />
              <span className={classes.name}>{isFromList ? workflowDisplayName || workflowName : shortId(id)}</span>
              <span className="quiet">{duration > 0 ? durationText(duration) : ""}</span>
              <span className={`${classes.time} quiet`}>
                {isFromList && `${shortId(id)} · `}
                <TimeText at={creationDate} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
