/** The sandbox's clock: how fast it goes, and jumps to the next email or by a stretch. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { now, readClock, sandboxClock, takeClock } from "../../lib/clock.ts";
import { useData } from "../../lib/data.ts";
import { count } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { bound, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Card, Loaded } from "../../parts/page.tsx";
import { toast } from "../../parts/toasts.tsx";

const SPEEDS = [0, 1, 60, 1440, 10_080] as const;
const SPEED_WORDS: Readonly<Record<number, string>> = {
  0: "Paused",
  1: "Real time",
  60: "1 minute per second",
  1440: "1 day per minute",
  10080: "1 week per minute",
};
const JUMPS = [
  ["1h", "1 hour"],
  ["6h", "6 hours"],
  ["1d", "1 day"],
  ["7d", "1 week"],
] as const;

const exact = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "full",
  timeStyle: "short",
  timeZone: "UTC",
});

export function Clock() {
  const read = useData(readClock);
  return (
    <Card title="Sandbox clock">
      <Loaded data={read}>{() => <Running />}</Loaded>
    </Card>
  );
}

function Running() {
  const stretch = useSignal("");
  const work = useSubmission();
  const clock = sandboxClock.value;
  const move = (body: { advance: string } | { speed: number }, done: string) =>
    work.submit(async () => {
      takeClock(await api().moveSandboxClock({ body }));
      toast(done);
    });
  return (
    <div class="stack">
      <p class="figure">{exact.format(now.value)} UTC</p>
      <p class="quiet small" role="status">
        {work.isBusy || clock?.advancing
          ? "Advancing: everything due along the way is done…"
          : clock?.speed === 0
            ? "The clock is paused."
            : clock?.speed === 1
              ? "Running in real time."
              : `Running at ${count(clock?.speed)}×.`}
      </p>
      {can("admin") && (
        <>
          <fieldset class="clock-row">
            <legend>Speed</legend>
            {SPEEDS.map((speed) => (
              <Button
                key={speed}
                aria-pressed={clock?.speed === speed}
                disabled={work.isBusy}
                onClick={() => move({ speed }, SPEED_WORDS[speed] ?? "Done")}
              >
                {SPEED_WORDS[speed]}
              </Button>
            ))}
          </fieldset>
          <fieldset class="clock-row">
            <legend>Jump ahead</legend>
            <NextSend isBusy={work.isBusy} move={move} />
            {JUMPS.map(([advance, words]) => (
              <Button
                key={advance}
                disabled={work.isBusy}
                onClick={() => move({ advance }, `Moved ahead ${words}`)}
              >
                {words}
              </Button>
            ))}
            <Form
              look="clock-row"
              onSend={() => move({ advance: stretch.value }, `Moved ahead ${stretch.value}`)}
            >
              <input
                class="input"
                aria-label="Custom duration, such as 3d12h"
                placeholder="3d12h"
                required
                pattern="([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?"
                {...bound(stretch)}
              />
              <Submit of={work} look="">
                Jump
              </Submit>
            </Form>
          </fieldset>
        </>
      )}
      <FormFault of={work} fields={[]} />
    </div>
  );
}

const AHEAD_MS = 2000;

/** Jumps just behind the next email that any active campaign is going to send. */
function NextSend(props: {
  isBusy: boolean;
  move: (body: { advance: string }, done: string) => void;
}) {
  const { isBusy, move } = props;
  const finding = useSubmission();
  const find = () =>
    finding.submit(async () => {
      const at = await nextSend();
      if (at === undefined) {
        toast("No campaign has an email to send");
        return;
      }
      const seconds = Math.max(1, Math.ceil((at - now.peek() + AHEAD_MS) / 1000));
      move({ advance: `${seconds}s` }, "Moved ahead to the next email");
    });
  return (
    <Button look="primary" disabled={isBusy || finding.isBusy} onClick={find}>
      Next email
    </Button>
  );
}

const CAMPAIGNS_MAX = 20;

async function nextSend(): Promise<number | undefined> {
  const { data } = await api().listCampaigns({ status: "active", limit: CAMPAIGNS_MAX });
  const forecasts = await Promise.all(data.map(({ id }) => api().getCampaignForecast({ id })));
  const times = forecasts.flatMap(({ next_send_at }) =>
    next_send_at === null ? [] : [Date.parse(next_send_at)],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
