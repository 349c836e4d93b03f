import { ActionIcon, Modal, SegmentedControl, Title, Tooltip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight, IconPlayerPlay, IconPlayerSkipForward } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { TaskIcon } from "../../graph/task-icon.tsx";
import { t } from "../../texts/workflow/trial.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { firstFieldIn, focusOn } from "../canvas/canvas-focus.ts";
import { type DraftTask, isMarker } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { NodeFields } from "../form/node-form.tsx";
import { useLeaveByEscape } from "../form/use-leave.ts";
import { useNodeDefinition } from "../form/use-node-definition.ts";
import { useTrial } from "../trial/trial-context.ts";
import { InputPane } from "./input-pane.tsx";
import classes from "./node-editor.module.css";
import { OutputPane } from "./output-pane.tsx";
import { PreviewProvider } from "./preview-provider.tsx";
import { WideContext } from "./wide-context.ts";

interface NodeEditorProps {
  task: DraftTask;
  onClose: () => void;
  /** Opens another task instead. */
  onOpen: (task: string) => void;
}

/** One task in the full window: its input, its configuration and its output side by side. */
export function NodeEditor({ task, onClose, onOpen }: NodeEditorProps) {
  const { start, whyNot } = useTrial();
  const leave = useLeaveByEscape(onClose);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && whyNot === undefined) {
      event.preventDefault();
      void start({ only: task.name }).catch(() => {});
    } else if (event.key === "e" && !isTyping(event)) {
      event.preventDefault();
      focusOn(firstFieldIn("[data-node-editor]"));
    } else leave(event);
  };
  return (
    <Modal.Root opened onClose={onClose} size="calc(100vw - 32px)" yOffset={16} xOffset={16} closeOnEscape={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={task.name}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the dialog; its fields are focusable themselves */}
        <div className={classes.dialog} onKeyDown={onKeyDown} data-node-editor>
          <PreviewProvider task={task}>
            <WideContext value>
              <EditorHead task={task} onOpen={onOpen} />
              <Panes task={task} />
            </WideContext>
          </PreviewProvider>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLElement && target.closest("input, textarea, [contenteditable=true]") !== null;
  return isField || ctrlKey || metaKey || altKey;
}

function EditorHead({ task, onOpen }: Omit<NodeEditorProps, "onClose">) {
  const { history } = useDraft();
  const { definition } = useNodeDefinition(task);
  const before = task.dependencies?.map(({ taskRef }) => taskRef).find((name) => isTask(name));
  const after = history.present.tasks.find(
    (each) => each.dependencies?.some(({ taskRef }) => taskRef === task.name) && !isMarker(each),
  )?.name;
  function isTask(name: string): boolean {
    return history.present.tasks.some((each) => each.name === name && !isMarker(each));
  }
  return (
    <header className={classes.head}>
      <TaskIcon type={task.type ?? definition?.type} icon={definition?.icon} size={20} />
      <Title order={2} className={classes.title ?? ""} title={task.name}>
        {task.name}
      </Title>
      {before !== undefined && (
        <Step label={t("nodeEditor.previous", { name: before })} onClick={() => onOpen(before)}>
          <IconChevronLeft size={16} />
        </Step>
      )}
      {after !== undefined && (
        <Step label={t("nodeEditor.next", { name: after })} onClick={() => onOpen(after)}>
          <IconChevronRight size={16} />
        </Step>
      )}
      <span className={classes.gap} />
      <RunButtons task={task} />
      <Modal.CloseButton aria-label={t("nodeEditor.close")} />
    </header>
  );
}

function Step({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** Runs this task with the available values of earlier tasks, or all tasks up to this one. Uses the current draft, saved or not. */
function RunButtons({ task: { name } }: { task: DraftTask }) {
  const { start, whyNot, isStarting } = useTrial();
  return (
    <>
      <ActionButton
        size="xs"
        variant="default"
        whyNot={whyNot}
        loading={isStarting}
        leftSection={<IconPlayerSkipForward size={14} aria-hidden />}
        onClick={() => void start({ upTo: name }).catch(() => {})}
      >
        {t("nodeEditor.runUpTo")}
      </ActionButton>
      <ActionButton
        size="xs"
        data-autofocus
        whyNot={whyNot}
        loading={isStarting}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        onClick={() => void start({ only: name }).catch(() => {})}
      >
        {t("nodeEditor.runStep")}
      </ActionButton>
    </>
  );
}

const paneNames = ["input", "form", "output"] as const;

/** Side by side; on narrow screens one at a time. */
function Panes({ task }: { task: DraftTask }) {
  const isNarrow = useMediaQuery("(max-width: 62em)", window.matchMedia("(max-width: 62em)").matches) ?? false;
  const [shown, setShown] = useState<string>("form");
  const panes = {
    input: <InputPane key={task.name} />,
    form: <NodeFields task={task} />,
    output: <OutputPane key={task.name} task={task} />,
  };
  const names = isNarrow ? paneNames.filter((name) => name === shown) : paneNames;
  return (
    <>
      {isNarrow && (
        <SegmentedControl
          m="xs"
          size="xs"
          aria-label={t("nodeEditor.panes")}
          data={paneNames.map((value) => ({ value, label: t(`nodeEditor.${value}`) }))}
          value={shown}
          onChange={setShown}
        />
      )}
      <div className={classes.panes} data-narrow={isNarrow || undefined}>
        {names.map((name) => (
          <section key={name} className={classes.pane} aria-label={t(`nodeEditor.${name}`)} data-pane={name}>
            {!isNarrow && name !== "form" && <h2 className={classes.heading}>{t(`nodeEditor.${name}`)}</h2>}
            {panes[name]}
          </section>
        ))}
      </div>
    </>
  );
}
