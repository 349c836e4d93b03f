import { Button, Text } from "@mantine/core";
import { ApiError } from "../../api/api-error.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { ErrorState } from "../../ui/state/error-state.tsx";
import { LoadingState } from "../../ui/state/loading-state.tsx";
import { ProblemList } from "../../ui/state/problem-list.tsx";
import { QueryView } from "../../ui/state/query-view.tsx";
import { Example } from "./example.tsx";

const retry = () => {};

export function StatesKit() {
  return (
    <>
      <Example name="EmptyState" isFramed>
        <EmptyState title="No schedules yet">
          <Text className="quiet">A schedule starts a workflow by the clock.</Text>
          <Button size="xs">Create a schedule</Button>
        </EmptyState>
      </Example>
      <Example name="LoadingState" isFramed>
        <LoadingState label="Loading an example" rows={3} />
      </Example>
      <Example name="ErrorState: no connection">
        <ErrorState error={new ApiError(0, "NO_ANSWER", "The service could not be reached.")} onRetry={retry} />
      </Example>
      <Example name="ErrorState: not there">
        <ErrorState error={new ApiError(404, "NOT_FOUND", "There is no team owls.")} />
      </Example>
      <Example name="ErrorState: no permission">
        <ErrorState error={new ApiError(403, "PERMISSION_DENIED", "This needs the permission system/read. Ask an administrator.")} />
      </Example>
      <Example name="ErrorState: of the service, with the number of the request">
        <ErrorState error={new ApiError(500, "INTERNAL", "Something went wrong.", "5f0c2a")} onRetry={retry} />
      </Example>
      <Example name="QueryView: what was asked for, or why it is not there" isFramed>
        {[
          { data: undefined, error: new Error("Two of three disks answered.") },
          { data: 3, error: null },
        ].map((query) => (
          <QueryView key={String(query.data)} query={query} label="Loading disks">
            {(count) => <Text>All {count} disks answered.</Text>}
          </QueryView>
        ))}
      </Example>
      <Example name="ProblemList: what would be refused of what stands above it">
        <ProblemList problems={["sql is not a CloudEvents SQL expression: at character 12: the expression ends", "any is empty"]} />
      </Example>
    </>
  );
}
