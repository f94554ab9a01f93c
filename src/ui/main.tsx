/** The console starts here. */

import { effect } from "@preact/signals";
import { render } from "preact";
import { followClock } from "./lib/clock.ts";
import { keepFocus } from "./lib/focus.ts";
import { followKeys } from "./lib/keys.ts";
import { listen } from "./lib/live.ts";
import { isNotifying, tellOf } from "./lib/notify.ts";
import { followLinks, go, path, place, to } from "./lib/route.ts";
import { door, findSession, session, watchSession } from "./lib/session.ts";
import { hasEnded } from "./lib/session-fetch.ts";
import { startTheme } from "./lib/theme.ts";
import { guardTab } from "./lib/unsaved.ts";
import { EnterPage } from "./pages/enter.tsx";
import { InvitationPage } from "./pages/invitation.tsx";
import { SignInAgain, SignInPage } from "./pages/sign-in.tsx";
import { WelcomePage } from "./pages/welcome.tsx";
import { loadLater, pageAt } from "./pages.tsx";
import { Door } from "./parts/door.tsx";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { AskToLeave } from "./parts/form/draft-form.tsx";
import { Shell } from "./parts/shell.tsx";
import { Toasts } from "./parts/toasts.tsx";

/** Pages for who is not signed in. */
const DOORS = {
  "/welcome": WelcomePage,
  "/invitation": InvitationPage,
  "/enter": EnterPage,
} as const;

const FIND_AGAIN_MS = 3000;
/** The first page has its data by then. */
const LATER_MS = 3000;

function find(): void {
  findSession().catch(() => setTimeout(find, FIND_AGAIN_MS));
}

startTheme();
followLinks();
guardTab();
followKeys();
keepFocus();
if (path.value === "/") {
  go(to(""), { replace: true });
}
find();
const stop = effect(() => {
  if (session.value) {
    listen(door.peek()?.last_seq ?? null, isNotifying, tellOf);
    followClock();
    watchSession();
    setTimeout(loadLater, LATER_MS);
    queueMicrotask(() => stop());
  }
});

function App() {
  const OpenPage = DOORS[path.value as keyof typeof DOORS];
  if (OpenPage !== undefined) {
    return <OpenPage />;
  }
  if (session.value === undefined) {
    return <Waiting />;
  }
  if (session.value === null) {
    return <SignInPage />;
  }
  return (
    <>
      <Shell>
        <ErrorBoundary>{pageAt(place.value)}</ErrorBoundary>
      </Shell>
      <Toasts />
      <AskToLeave />
      {hasEnded.value && <SignInAgain />}
    </>
  );
}

/** Seen only where the server takes long, or is away. */
function Waiting() {
  return (
    <Door title="One moment" isLate>
      <p class="quiet" role="status">
        Waiting for the server. Retrying every few seconds.
      </p>
    </Door>
  );
}

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
}
