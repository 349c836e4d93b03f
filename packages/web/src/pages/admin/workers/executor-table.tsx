import { Table, Text, Title } from "@mantine/core";
import type { Worker } from "../../../api/queries/workers.ts";
import { t } from "../../../texts/administration.ts";
import { StateMark } from "../../../ui/mark/state-mark.tsx";
import classes from "../admin.module.css";
import { executorLines } from "./worker-words.ts";

/** Each kind of executor: on or off, where, how it holds steps apart, and why it is off. */
export function ExecutorTable({ workers }: { workers: readonly Worker[] }) {
  const lines = executorLines(workers);
  if (lines.length === 0) return null;
  return (
    <>
      <Title order={2} className={classes.part}>
        {t("executorTable.executors")}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard */}
      <section className={classes.box} tabIndex={0} aria-label={t("executorTable.executors")}>
        <Table horizontalSpacing="sm" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("executorTable.executor")}</Table.Th>
              <Table.Th>{t("executorTable.state")}</Table.Th>
              <Table.Th>{t("executorTable.isolation")}</Table.Th>
              <Table.Th>{t("executorTable.details")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(({ kind, on, off, isolation, says }) => (
              <Table.Tr key={kind}>
                <Table.Td className="code">{kind}</Table.Td>
                <Table.Td>
                  <StateMark {...stateOf(on.length, off.length)} />
                  {off.length > 0 && on.length > 0 && (
                    <Text span size="sm" className="quiet" ml="xs">
                      {off.join(", ")}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {isolation ?? (
                    <Text span className="quiet">
                      –
                    </Text>
                  )}
                </Table.Td>
                <Table.Td data-wraps>{says}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </>
  );
}

function stateOf(on: number, off: number): { tone: "on" | "off" | "wait"; word: string } {
  if (off === 0) return { tone: "on", word: t("executorTable.on") };
  return on === 0
    ? { tone: "off", word: t("executorTable.off") }
    : { tone: "wait", word: t("executorTable.offWord", { off, on: on + off }) };
}
