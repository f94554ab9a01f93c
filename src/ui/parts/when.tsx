/** A time as "3 hours ago", exact when pointed at. */

import { now } from "../lib/clock.ts";
import { ago, NONE } from "../lib/format.ts";

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

/** `isWall`: it was read off the wall's clock, also in the sandbox, as times of keys and requests are. */
export function When({ at, isWall = false }: { at: string | null; isWall?: boolean }) {
  if (at === null) {
    return <>{NONE}</>;
  }
  return (
    <time dateTime={at} title={exact.format(Date.parse(at))}>
      {ago(at, isWall ? Date.now() : now.value)}
    </time>
  );
}
