import { Notifications } from "@mantine/notifications";

/** What has just happened, below the page at the right. */
export function NotificationList() {
  return <Notifications position="bottom-right" limit={4} />;
}
