import { Notifications } from "@mantine/notifications";

/** The latest notifications, at the bottom right. */
export function NotificationList() {
  return <Notifications position="bottom-right" limit={4} />;
}
