/** What happened to a mailbox in each of the latest hours: one mark an hour, the present one last. */

import { useSignal } from "@preact/signals";
import { dateTime, plural } from "../lib/format.ts";
import { sum } from "../lib/sum.ts";
import { CursorKeys } from "./plot.tsx";

export interface Beat {
  from: string;
  sent: number;
  deferred: number;
  failed: number;
  bounced: number;
  errors: number;
}

export type BeatKind = "quiet" | "sent" | "held" | "fault";

export function kindOf({ sent, deferred, failed, bounced, errors }: Beat): BeatKind {
  if (errors + failed + bounced > 0) {
    return "fault";
  }
  return deferred > 0 ? "held" : sent > 0 ? "sent" : "quiet";
}

/** In words: "3 sent, 1 deferred". */
export function describeBeat(beat: Beat): string {
  const parts = [
    beat.sent > 0 && `${beat.sent} sent`,
    beat.deferred > 0 && `${beat.deferred} deferred`,
    beat.failed > 0 && `${beat.failed} refused`,
    beat.bounced > 0 && `${beat.bounced} bounced`,
    beat.errors > 0 && plural(beat.errors, "mailbox error"),
  ].filter((part) => part !== false);
  return parts.length === 0 ? "nothing sent" : parts.join(", ");
}

function describeAt(beat: Beat | undefined): string {
  return beat === undefined ? "" : `${dateTime(beat.from)}: ${describeBeat(beat)}`;
}

export function Heartbeat(props: {
  beats: readonly Beat[];
  label: string;
  /** Arrow keys move along it. */
  hasCursor?: boolean;
}) {
  const { beats, label, hasCursor = false } = props;
  const at = useSignal<number | undefined>(undefined);
  const shown = at.value === undefined ? undefined : beats[at.value];
  const faults = beats.filter((beat) => kindOf(beat) === "fault").length;
  const sent = sum(beats.map((beat) => beat.sent));
  return (
    <div class="heartbeat">
      <div
        class="beats"
        role="img"
        aria-label={`${label}: ${sent} sent in ${beats.length} hours, ${plural(faults, "hour")} with an error`}
        onPointerLeave={() => {
          at.value = undefined;
        }}
      >
        {beats.map((beat, nth) => (
          <i
            key={beat.from}
            data-kind={kindOf(beat)}
            onPointerEnter={() => {
              at.value = nth;
            }}
          />
        ))}
      </div>
      {hasCursor && (
        <CursorKeys
          title={label}
          cursor={at}
          rest={beats.length - 1}
          last={beats.length - 1}
          say={(nth) => describeAt(beats[nth])}
        />
      )}
      <p class="faint small" aria-hidden="true">
        {shown === undefined ? (
          <>
            <span>{beats.length} h ago</span>
            <span>now</span>
          </>
        ) : (
          <span>{describeAt(shown)}</span>
        )}
      </p>
    </div>
  );
}
