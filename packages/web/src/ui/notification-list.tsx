import { Notifications } from "@mantine/notifications";

/** The latest notifications, over the head of the page: at the bottom they would cover the mini map, or the buttons of a phone. */
export function NotificationList() {
  return <Notifications position="top-center" limit={4} />;
}
