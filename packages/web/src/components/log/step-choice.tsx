import { Select } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/log.ts";
import classes from "./log.module.css";
import type { LogStore } from "./log-store.ts";
import { useFinder } from "./search/use-finder.ts";

interface StepChoiceProps {
  book: LogStore;
  step: string | undefined;
  onChoose: (step: string | undefined) => void;
}

/** Shows the lines of one step only. Which steps a long log has is asked when somebody wants to choose. */
export function StepChoice({ book, step, onChoose }: StepChoiceProps) {
  const [isAsked, setAsked] = useState(false);
  const all = useFinder(book, isAsked && !book.isShort ? {} : undefined);
  const steps = [...new Set([...(all?.steps ?? []), ...book.steps, ...(step === undefined ? [] : [step])])];
  if (steps.length < 2 && book.isShort && step === undefined) return null;
  return (
    <Select
      size="xs"
      className={classes.steps}
      aria-label={t("stepChoice.step")}
      placeholder={t("stepChoice.allStepsPlaceholder")}
      clearable
      clearButtonProps={{ "aria-label": t("stepChoice.allStepsPlaceholder") }}
      data={steps}
      value={step ?? null}
      nothingFoundMessage={all?.isSearching ? t("stepChoice.loadingLog") : t("stepChoice.noSteps")}
      onDropdownOpen={() => setAsked(true)}
      onChange={(chosen) => onChoose(chosen ?? undefined)}
    />
  );
}
