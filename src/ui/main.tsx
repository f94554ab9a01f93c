/** The console starts here. */

import { render } from "preact";
import { listen } from "./lib/live.ts";
import { followLinks, go, path, place, to } from "./lib/route.ts";
import { startTheme } from "./lib/theme.ts";
import { pageAt } from "./pages.tsx";
import { Shell } from "./parts/shell.tsx";
import { Toasts } from "./parts/toasts.tsx";

startTheme();
followLinks();
if (path.value === "/") {
  go(to(""), { replace: true });
}
listen();

function App() {
  return (
    <>
      <Shell>{pageAt(place.value)}</Shell>
      <Toasts />
    </>
  );
}

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
}
