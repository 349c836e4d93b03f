import { Text } from "@mantine/core";
import type { ListedTest, TestResult } from "../../../api/queries/workflow/workflow-tests.ts";
import { t } from "../../../texts/workflow/workflow-tests.ts";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import classes from "./tests.module.css";

interface TestListProps {
  tests: readonly ListedTest[];
  /** The results of tests run just now, by name. */
  results: ReadonlyMap<string, TestResult>;
  chosen: string;
  onChoose: (name: string) => void;
}

/** The tests by name, each with its last result: from just now, or from when the test or the workflow was saved. */
export function TestList({ tests, results, chosen, onChoose }: TestListProps) {
  return (
    <ul className={classes.list} aria-label={t("page.tests")}>
      {tests.map((test) => (
        <li key={test.name}>
          <button type="button" aria-current={test.name === chosen || undefined} onClick={() => onChoose(test.name)}>
            <span className={classes.name}>{test.name}</span>
            <Outcome test={test} result={results.get(test.name)} />
            {test.description && (
              <Text component="span" size="sm" className="quiet" lineClamp={2}>
                {test.description}
              </Text>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Outcome({ test: { lastOutcome }, result }: { test: ListedTest; result: TestResult | undefined }) {
  if (result) return <OutcomeMark outcome={result.outcome} word={t(`outcome.${result.outcome}`)} />;
  if (lastOutcome === undefined) return <StateMark tone="rest" word={t("outcome.notRun")} />;
  const { outcome, workflowVersion } = lastOutcome;
  return (
    <OutcomeMark
      outcome={outcome}
      word={t("outcome.withVersion", { outcome: t(`outcome.${outcome}`), version: String(workflowVersion) })}
    />
  );
}

export function OutcomeMark({ outcome, word }: { outcome: "passed" | "failed"; word: string }) {
  return <StateMark tone={outcome === "passed" ? "on" : "off"} word={word} />;
}
