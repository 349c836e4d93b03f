import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../ui/empty-state.tsx";

export function NotFoundPage() {
  return (
    <EmptyState title="There is nothing at this address">
      <Anchor component={Link} to="/home">
        Go to the start page
      </Anchor>
    </EmptyState>
  );
}
