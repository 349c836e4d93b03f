import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { EmptyState } from "../ui/state/empty-state.tsx";
import { useTabTitle } from "../ui/tab-title.ts";

/** Where an address leads to nothing: inside of the frame for who is signed in, so that all ways on stay there. */
export function NotFoundPage() {
  useTabTitle("Not found");
  return (
    <EmptyState title="Page not found">
      <Text className="quiet">The page may have been renamed or deleted, or the URL may have a typo.</Text>
      <Anchor component={Link} to={paths.home()}>
        Go to the home page
      </Anchor>
    </EmptyState>
  );
}
