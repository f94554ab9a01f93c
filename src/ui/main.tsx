/** The console starts here. */

import { render } from "preact";
import { followClock } from "./lib/clock.ts";
import { followKeys } from "./lib/keys.ts";
import { listen } from "./lib/live.ts";
import { followLinks, go, path, place, to } from "./lib/route.ts";
import { startTheme } from "./lib/theme.ts";
import { pageAt } from "./pages.tsx";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { Shell } from "./parts/shell.tsx";
import { Toasts } from "./parts/toasts.tsx";

startTheme();
followLinks();
followKeys();
if (path.value === "/") {
  go(to(""), { replace: true });
}
listen();
followClock();

function App() {
  return (
    <>
      <Shell>
        <ErrorBoundary>{pageAt(place.value)}</ErrorBoundary>
      </Shell>
      <Toasts />
    </>
  );
}

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
}
