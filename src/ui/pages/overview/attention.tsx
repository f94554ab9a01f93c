/** What needs somebody, each with what can be done about it. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useData } from "../../lib/data.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { Card, Loaded } from "../../parts/page.tsx";
import { say, sayFault } from "../../parts/toasts.tsx";
import { loadNeeds, type Need } from "./needs.ts";

const FAMILIES = [
  "account",
  "campaign",
  "experiment",
  "billing",
  "webhook",
  "task",
  "reply",
  "lead",
];

const ICONS: Readonly<Record<Need["about"], IconName>> = {
  account: "accounts",
  campaign: "campaigns",
  webhook: "developers",
  experiment: "experiments",
  doubt: "warning",
  task: "tasks",
  reply: "inbox",
  plan: "settings",
};

export function Attention() {
  const needs = useData(loadNeeds, FAMILIES);
  return (
    <Card span={4} title="Needs attention" flush>
      <Loaded data={needs}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet inset all-well">
              <Icon name="check" /> Nothing needs you now.
            </p>
          ) : (
            <ul class="needs" aria-label="Needs attention">
              {all.map((need) => (
                <Row key={need.id} need={need} reload={needs.reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Row({ need, reload }: { need: Need; reload: () => void }) {
  const { about, tone, title, page, detail } = need;
  return (
    <li>
      <span class="need-icon" data-tone={tone}>
        <Icon name={ICONS[about]} />
      </span>
      <div class="what">
        <a href={to(page)}>{title}</a>
        <p class="small quiet">{detail}</p>
      </div>
      {need.remedy && can(`${about}s:write`) ? (
        <Remedy remedy={need.remedy} reload={reload} />
      ) : (
        <a class="button compact" href={to(page)}>
          {need.look}
        </a>
      )}
    </li>
  );
}

function Remedy(props: {
  remedy: NonNullable<Need["remedy"]>;
  reload: () => void;
}): ComponentChildren {
  const { name, question, done, run } = props.remedy;
  const isAsked = useSignal(false);
  const isBusy = useSignal(false);
  const act = () => {
    isBusy.value = true;
    run()
      .then(() => say(done), sayFault)
      .finally(() => {
        isBusy.value = false;
        props.reload();
      });
  };
  return (
    <>
      <Button
        look="compact"
        disabled={isBusy.value}
        onClick={() => {
          if (question === null) {
            act();
          } else {
            isAsked.value = true;
          }
        }}
      >
        {name}
      </Button>
      {isAsked.value && question !== null && (
        <Confirm
          title={name}
          action={name}
          onConfirm={act}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          {question}
        </Confirm>
      )}
    </>
  );
}
