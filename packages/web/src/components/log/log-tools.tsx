import { ActionIcon, Select, TextInput, Tooltip } from "@mantine/core";
import {
  IconArrowBarToDown,
  IconBug,
  IconChevronDown,
  IconChevronUp,
  IconClock,
  IconDownload,
  IconPlayerTrackNext,
  IconSearch,
  IconTextWrap,
} from "@tabler/icons-react";
import type { KeyboardEvent, ReactNode } from "react";
import classes from "./log.module.css";
import type { LogSearch } from "./use-log-search.ts";

interface LogToolsProps {
  search: LogSearch;
  onStep: (by: 1 | -1) => void;
  steps: readonly string[];
  step: string | undefined;
  onStepChosen: (step: string | undefined) => void;
  showsTime: boolean;
  onTime: () => void;
  isWrapped: boolean;
  onWrap: () => void;
  isFollowing: boolean;
  /** Undefined when the log is over: there is nothing to follow. */
  onFollow: (() => void) | undefined;
  onError: () => void;
  onEnd: () => void;
  file: string;
  fileName: string;
}

/** What can be done with a log: search, filter, look, go, keep. */
export function LogTools(props: LogToolsProps) {
  const { search, steps, step, onStepChosen, file, fileName } = props;
  return (
    <div className={classes.tools} role="toolbar" aria-label="Log">
      <SearchField search={search} onStep={props.onStep} />
      {steps.length > 1 && (
        <Select
          size="xs"
          w={144}
          aria-label="Step"
          placeholder="All steps"
          clearable
          data={[...steps]}
          value={step ?? null}
          onChange={(chosen) => onStepChosen(chosen ?? undefined)}
        />
      )}
      <span className={classes.gap} />
      <Tool name="Go to the first error" onClick={props.onError} icon={<IconBug size={16} />} />
      <Tool name="Times" isOn={props.showsTime} onClick={props.onTime} icon={<IconClock size={16} />} />
      <Tool name="Wrap long lines" isOn={props.isWrapped} onClick={props.onWrap} icon={<IconTextWrap size={16} />} />
      {props.onFollow && (
        <Tool
          name="Follow"
          isOn={props.isFollowing}
          onClick={props.onFollow}
          icon={<IconPlayerTrackNext size={16} className={classes.down} />}
        />
      )}
      <Tool name="To the end" onClick={props.onEnd} icon={<IconArrowBarToDown size={16} />} />
      <Tooltip label="Download the whole log">
        <ActionIcon component="a" href={file} download={fileName} variant="subtle" color="gray" aria-label="Download the whole log">
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** @param isOn of a switch: whether it is */
function Tool({ name, icon, onClick, isOn }: { name: string; icon: ReactNode; onClick: () => void; isOn?: boolean }) {
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant={isOn ? "light" : "subtle"}
        {...(!isOn && { color: "gray" })}
        aria-label={name}
        {...(isOn !== undefined && { "aria-pressed": isOn })}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

function SearchField({ search, onStep }: { search: LogSearch; onStep: (by: 1 | -1) => void }) {
  const { query, setQuery, matches, current, isSearching } = search;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setQuery("");
    if (event.key !== "Enter") return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  const count = matches.length.toLocaleString("en");
  const found = current < 0 ? `${count} found` : `${(current + 1).toLocaleString("en")} of ${count}`;
  return (
    <>
      <TextInput
        className={classes.search}
        size="xs"
        type="search"
        aria-label="Search the log"
        placeholder="Search the log"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {query !== "" && (
        <>
          <span className={classes.found} role="status">
            {isSearching && matches.length === 0 ? "Searching …" : found}
          </span>
          <Tool name="Previous match" onClick={() => onStep(-1)} icon={<IconChevronUp size={16} />} />
          <Tool name="Next match" onClick={() => onStep(1)} icon={<IconChevronDown size={16} />} />
        </>
      )}
    </>
  );
}
