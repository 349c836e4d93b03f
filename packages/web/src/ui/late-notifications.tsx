import { notificationsStore } from "@mantine/notifications";
import { type ComponentType, useEffect, useState } from "react";

/**
 * Notifications are loaded when the page is first used, or when there is one: no screen needs them to be shown. Where they can't be
 * loaded, the next use tries again, and what was to be shown by then is kept.
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
