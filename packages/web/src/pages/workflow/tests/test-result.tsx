import { Stack, Text, Title } from "@mantine/core";
import { lazy, Suspense, useMemo } from "react";
import type { TestReport, TestResult } from "../../../api/queries/workflow/workflow-tests.ts";
import { graphOf, type PathMark, type PictureGraph } from "../../../components/graph-picture/picture-of-graph.ts";
import { t } from "../../../texts/workflow/workflow-tests.ts";
import { statusLook } from "../../../ui/mark/status-mark.tsx";
import { durationText } from "../../../ui/time/time-format.ts";
import { OutcomeMark } from "./test-list.tsx";
import classes from "./tests.module.css";

const GraphPicture = lazy(() =>
  import("../../../components/graph-picture/graph-picture.tsx").then((module) => ({ default: module.GraphPicture })),
);

type Tasks = Parameters<typeof graphOf>[0];

/** The result of one test: unmet expectations, and the path that was taken. */
export function SingleResult({ result, tasks }: { result: TestResult; tasks: Tasks }) {
  const { name, outcome, problem, failures, run } = result;
  const graph = useMemo(() => run && graphOfRun(tasks, run), [tasks, run]);
  return (
    <Stack component="section" gap="sm" aria-label={t("result.region", { name })}>
      <OutcomeMark outcome={outcome} word={t(`outcome.${outcome}`)} />
      {problem && <Text role="alert">{problem}</Text>}
      {failures.length > 0 && problem === undefined && <Failures failures={failures} />}
      {run && problem === undefined && (
        <Text className="quiet">
          {t("result.summary", { status: statusLook(run.status).word, duration: durationText(run.durationMs) })}
        </Text>
      )}
      {graph && <Picture graph={graph} label={t("result.path")} />}
    </Stack>
  );
}

function Failures({ failures }: { failures: TestResult["failures"] }) {
  return (
    <ul className={classes.failures} aria-label={t("result.failures")}>
      {failures.map(({ path, message, expected, actual }) => (
        <li key={path + message}>
          <strong>{message}</strong> <code>{path}</code>
          {expected !== undefined && (
            <dl>
              <dt>{t("result.expected")}</dt>
              <dd>{valueText(expected)}</dd>
              <dt>{t("result.actual")}</dt>
              <dd>{valueText(actual)}</dd>
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return t("result.nothing");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What all tests together cover. */
export function CoverageResult({ report, tasks }: { report: TestReport; tasks: Tasks }) {
  const { coverage, passed, failed } = report;
  const graph = useMemo(() => graphOfCoverage(tasks, coverage), [tasks, coverage]);
  const counts = {
    tasks: coverage.tasks.covered,
    allTasks: coverage.tasks.total,
    links: coverage.links.covered,
    allLinks: coverage.links.total,
  };
  return (
    <Stack component="section" gap="sm" aria-label={t("result.coverage")}>
      <Title order={2}>{t("result.coverage")}</Title>
      <Text role="status">
        <OutcomeMark outcome={failed === 0 ? "passed" : "failed"} word={t("result.totals", { passed, failed })} />
      </Text>
      <Text>{t("result.covered", counts)}</Text>
      <Picture graph={graph} label={t("result.coverageGraph")} />
    </Stack>
  );
}

function Picture(look: { graph: PictureGraph; label: string }) {
  return (
    <Suspense>
      <GraphPicture {...look} isFitted />
    </Suspense>
  );
}

const ran: ReadonlySet<string> = new Set(["succeeded", "failed", "timedout", "invalid"]);

export function graphOfRun(tasks: Tasks, run: NonNullable<TestResult["run"]>): PictureGraph {
  const names = new Set(run.tasks.flatMap(({ name, status }) => (ran.has(status) ? [name] : [])));
  const links = new Set(run.links.map(keyOf));
  return marked(
    tasks,
    (name) => names.has(name),
    (link) => links.has(keyOf(link)),
  );
}

function graphOfCoverage(tasks: Tasks, { tasks: ofTasks, links }: TestReport["coverage"]): PictureGraph {
  const missing = new Set(ofTasks.missing);
  const missed = new Set(links.missing.map(keyOf));
  return marked(
    tasks,
    (name) => !missing.has(name),
    (link) => !missed.has(keyOf(link)),
  );
}

interface Link {
  from: string;
  to: string;
}

function marked(tasks: Tasks, isTask: (name: string) => boolean, isLink: (link: Link) => boolean): PictureGraph {
  const { nodes, edges } = graphOf(tasks);
  const word = (isTaken: boolean): PathMark => (isTaken ? "taken" : "missed");
  const isMarker = (type: string) => type === "start" || type === "end";
  return {
    nodes: nodes.map((node) => ({ ...node, ...(!isMarker(node.type) && { mark: word(isTask(node.id)) }) })),
    edges: edges.map((edge) => ({ ...edge, mark: word(isLink(edge)) })),
  };
}

function keyOf({ from, to }: Link): string {
  return `${from}\n${to}`;
}
