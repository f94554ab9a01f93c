/** In by a link that works once: from the command line, and into the demo. */

import { useEffect } from "preact/hooks";
import { go } from "../lib/route.ts";
import { enter } from "../lib/session.ts";
import { Door } from "../parts/door.tsx";
import { useSubmission } from "../parts/form/form.tsx";

export function EnterPage() {
  const { error, submit } = useSubmission();
  useEffect(() => {
    const [token = "", to = ""] = location.hash.slice(1).split("&to=");
    submit(async () => {
      await enter("enter", { token });
      go(/^\/(live|test)\//.test(to) ? to : "/live/", { replace: true });
    });
  }, []);
  return error === undefined ? (
    <Door title="One moment">
      <p class="quiet" role="status">
        Signing you in…
      </p>
    </Door>
  ) : (
    <Door title="This link doesn’t work">
      <p role="alert">{error.message}</p>
      <a class="button primary door-button" href="/live">
        Sign in
      </a>
    </Door>
  );
}
