/** Replies told on the desktop while nobody looks: for whoever wants it in this browser, and by one of its tabs. */

import { signal } from "@preact/signals";
import { api } from "./api.ts";
import { type Env, go, to } from "./route.ts";

const KEPT = "outrider-notify";

/** Whether the browser can tell at all: by TLS, or on this machine. */
export const canNotify = typeof Notification !== "undefined" && isSecureContext;

/** Wanted here, and allowed by the browser. */
export const isNotifying = signal(
  canNotify && localStorage.getItem(KEPT) === "on" && Notification.permission === "granted",
);

/** Asks the browser for leave where it has to; false where that was refused. */
export async function setNotifying(isOn: boolean): Promise<boolean> {
  const isAllowed = !isOn || (await Notification.requestPermission()) === "granted";
  localStorage.setItem(KEPT, isOn && isAllowed ? "on" : "off");
  isNotifying.value = isOn && isAllowed;
  return isAllowed;
}

/** The newest reply, once. */
let told = "";

/** Something of `family` has happened in `of`, as the one tab hears that reads the news. */
export function tellOf(of: Env, family: string): void {
  const isWanted = isNotifying.peek() && of === "live" && family === "reply";
  if (isWanted && document.visibilityState !== "visible") {
    void tellNewest();
  }
}

async function tellNewest(): Promise<void> {
  const query = { type: "reply.received", order: "desc", limit: 1 } as const;
  const [event] = (
    await api()
      .listEvents(query)
      .catch(() => ({ data: [] }))
  ).data;
  if (event === undefined || event.id === told) {
    return;
  }
  told = event.id;
  const { from, subject, thread_id: thread } = event.data as Readonly<Record<string, string>>;
  const shown = new Notification(`Reply from ${from ?? "a lead"}`, {
    body: subject ?? "",
    // Those of one conversation take each other's place.
    tag: thread ?? event.id,
  });
  shown.onclick = () => {
    window.focus();
    go(to(`inbox/${thread}`, "live"));
    shown.close();
  };
}
