import { ActionIcon, Tooltip } from "@mantine/core";
import {
  IconArrowBarToDown,
  IconClock,
  IconDownload,
  IconKeyboard,
  IconLink,
  IconPlayerTrackNext,
  IconTextWrap,
} from "@tabler/icons-react";
import type { ReactNode, RefObject } from "react";
import { t } from "../../texts/run/log.ts";
import { type LineChoice, nameOf } from "./lines/line-choice.ts";
import classes from "./log.module.css";
import { ErrorSteps, SearchField } from "./search/log-search.tsx";
import type { LogErrors, LogSearch } from "./search/use-log-search.ts";
import { Tool } from "./tool.tsx";

export interface Looks {
  showsTime: boolean;
  isWrapped: boolean;
}

interface LogToolsProps {
  search: LogSearch;
  searchField: RefObject<HTMLInputElement | null>;
  onMatch: (by: 1 | -1) => void;
  errors: LogErrors;
  onError: (by: 1 | -1) => void;
  steps: ReactNode;
  looks: Looks;
  onLooks: (looks: Looks) => void;
  isFollowing: boolean;
  /** Undefined when the log is complete, since there is nothing to follow. */
  onFollow: (() => void) | undefined;
  onEnd: () => void;
  choice: LineChoice | undefined;
  onCopy: () => void;
  onHelp: () => void;
  file: string;
  fileName: string;
}

/** The tools of a log: search, filter, appearance, navigation, download. */
export function LogTools(props: LogToolsProps) {
  const { looks, onLooks, choice } = props;
  return (
    <div className={classes.tools} role="toolbar" aria-label={t("logTools.log")}>
      <SearchField search={props.search} field={props.searchField} onStep={props.onMatch} />
      {props.steps}
      <span className={classes.gap} />
      <ErrorSteps errors={props.errors} onStep={props.onError} />
      <span className={classes.rule} />
      {choice && <Tool name={t("logTools.copyLink", { name: nameOf(choice) })} onClick={props.onCopy} icon={<IconLink size={16} />} />}
      <Tool
        name={t("logTools.timestamps")}
        isOn={looks.showsTime}
        onClick={() => onLooks({ ...looks, showsTime: !looks.showsTime })}
        icon={<IconClock size={16} />}
      />
      <Tool
        name={t("logTools.wrapLongLines")}
        isOn={looks.isWrapped}
        onClick={() => onLooks({ ...looks, isWrapped: !looks.isWrapped })}
        icon={<IconTextWrap size={16} />}
      />
      {props.onFollow && (
        <Tool
          name={t("logTools.follow")}
          isOn={props.isFollowing}
          onClick={props.onFollow}
          icon={<IconPlayerTrackNext size={16} className={classes.down} />}
        />
      )}
      <Tool name={t("logTools.jumpEnd")} onClick={props.onEnd} icon={<IconArrowBarToDown size={16} />} />
      <Tooltip label={t("logTools.downloadLog")}>
        <ActionIcon
          component="a"
          href={props.file}
          download={props.fileName}
          variant="subtle"
          color="gray"
          aria-label={t("logTools.downloadLog")}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
      <Tool name={t("logTools.logShortcuts")} onClick={props.onHelp} icon={<IconKeyboard size={16} />} />
    </div>
  );
}
