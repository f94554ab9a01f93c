/** Goes on to another page, and leaves no trace in the history. */

import { useEffect } from "preact/hooks";
import { go, to } from "../lib/route.ts";

export function Redirect({ page }: { page: string }) {
  useEffect(() => {
    go(to(page), { replace: true });
  }, [page]);
  return null;
}
