/** From nothing to a first campaign: four steps, each with its state, and the demo for who wants to look first. */

import type { Attention } from "#client.ts";
import { api } from "../../lib/api.ts";
import { takeClock } from "../../lib/clock.ts";
import { go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Card } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";

export function FirstRun({ setup }: { setup: NonNullable<Attention["setup"]> }) {
  const { mailbox, leads, sequence, campaign_id: id } = setup;
  const at = (step: string) => to(id === null ? "campaigns/new" : `campaigns/${id}/new/${step}`);
  const steps = [
    [
      "Connect a mailbox",
      "It sends your emails and receives the replies.",
      mailbox,
      to("accounts/new"),
    ],
    ["Add leads", "From a file, or a list that you paste.", leads, at("leads")],
    [
      "Write the sequence",
      "A first email, and what follows without a reply.",
      sequence,
      at("sequence"),
    ],
    ["Launch", "Check who gets what and when, then start.", false, at("check")],
  ] as const;
  const next = steps.findIndex(([, , isDone]) => !isDone);
  return (
    <Card span={8} title="Launch your first campaign" note={`Step ${next + 1} of 4`}>
      <ol class="first-run">
        {steps.map(([name, about, isDone, href], nth) => (
          <li key={name} aria-current={nth === next ? "step" : undefined}>
            <b class="number">{isDone ? <Icon name="check" /> : nth + 1}</b>
            <a class={nth === next ? "button primary" : ""} href={href}>
              {name}
            </a>
            {isDone && <span class="unseen">Done</span>}
            <span class="small quiet">{about}</span>
          </li>
        ))}
      </ol>
      {can("admin") && (
        <div class="actions">
          <Act label="Try it in the sandbox" run={playDemo} />
          <span class="small quiet">
            Plays a month of made-up campaigns in this console. Nothing is sent.
          </span>
        </div>
      )}
    </Card>
  );
}

/** In the sandbox, from its start to the end of the month: what happens shows as it happens. */
async function playDemo(): Promise<void> {
  go(to("", "test"));
  await api().startSandboxDemo({ body: {} });
  api()
    .moveSandboxClock({ body: { advance: "30d" } })
    .then((clock) => {
      takeClock(clock);
      toast("A month has been played", {
        name: "Throw it away",
        run: () =>
          void api()
            .resetSandbox()
            .then(() => location.assign(to("")), toastError),
      });
    }, toastError);
}
