import { Button, Group, Title } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { t } from "../../texts/ui.ts";
import classes from "./chart.module.css";

interface ChartFrameProps {
  title: string;
  /** What is drawn, and in which unit. */
  detail?: ReactNode;
  chart: ReactNode;
  /** The same numbers, for who does not see the chart or wants them exactly. */
  table: ReactNode;
}

/** A chart with its title, and the way to its numbers as a table. */
export function ChartFrame({ title, detail, chart, table }: ChartFrameProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section className={classes.frame} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb="xs" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} id={id} className={classes.title}>
            {title}
          </Title>
          {detail && <div className={`quiet ${classes.detail}`}>{detail}</div>}
        </div>
        <Button size="compact-xs" variant="default" aria-pressed={isTable} onClick={() => setTable(!isTable)} style={{ flex: "none" }}>
          {isTable ? t("chartFrame.showChart") : t("chartFrame.showTable")}
        </Button>
      </Group>
      {isTable ? <div className={classes.table}>{table}</div> : chart}
    </section>
  );
}
