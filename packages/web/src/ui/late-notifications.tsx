import { notificationsStore } from "@mantine/notifications";
import { type ComponentType, useEffect, useState } from "react";

/**
 * The notification code is loaded when the page is first used, or when there is a notification: no screen needs it initially. If loading
 * fails, the next use tries again, and pending notifications are kept.
 */
export function LateNotifications() {
  const [Loaded, setLoaded] = useState<ComponentType>();
  useEffect(() => {
    if (Loaded !== undefined) return;
    const load = () => {
      import("./notification-list.tsx").then(
        ({ NotificationList }) => setLoaded(() => NotificationList),
        () => undefined,
      );
    };
    const ends = [notificationsStore.subscribe(load), listen("pointerdown", load), listen("keydown", load)];
    return () => {
      for (const end of ends) end();
    };
  }, [Loaded]);
  return Loaded && <Loaded />;
}

function listen(type: "pointerdown" | "keydown", hear: () => void): () => void {
  window.addEventListener(type, hear);
  return () => window.removeEventListener(type, hear);
}
