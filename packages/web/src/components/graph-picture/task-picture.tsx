import { useMemo } from "react";
import { GraphPicture } from "./graph-picture.tsx";
import { graphOf } from "./picture-of-graph.ts";

interface TaskPictureProps {
  tasks: Parameters<typeof graphOf>[0];
  label: string;
  isFitted?: boolean;
}

/** The graph of several tasks as a picture. Loaded on demand, since the layout code is large. */
export function TaskPicture({ tasks, ...look }: TaskPictureProps) {
  const graph = useMemo(() => graphOf(tasks), [tasks]);
  return <GraphPicture graph={graph} {...look} />;
}
