/** A list of what needs somebody, each with what can be done about it. */

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon, type IconName } from "../../parts/icons.tsx";
import type { Tone } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";

export interface Remedy {
  name: string;
  /** Asked first; null: it is done at once. */
  question: string | null;
  done: string;
  run: () => Promise<unknown>;
  /** Asks for what it takes and does it, in place of the question and `run`. */
  Form?: ComponentType<{ onClose: () => void; onDone: () => void }>;
}

export interface Need {
  id: string;
  about: "account" | "campaign" | "webhook" | "experiment" | "lead" | "task" | "reply" | "plan";
  tone: Tone;
  title: string;
  detail: string;
  page: string;
  /** What the link says where nothing can be done at once. */
  look?: string;
  /** One, or several to choose from. */
  remedy?: Remedy | readonly Remedy[];
}

/** Where it isn't the name of its page. */
const ICONS: Readonly<Record<string, IconName>> = {
  webhook: "developers",
  lead: "warning",
  reply: "inbox",
  plan: "settings",
};

export function Needs(props: { label: string; needs: readonly Need[]; reload: () => void }) {
  return (
    <ul class="needs" aria-label={props.label}>
      {props.needs.map((need) => (
        <Row key={need.id} need={need} reload={props.reload} />
      ))}
    </ul>
  );
}

function Row({ need, reload }: { need: Need; reload: () => void }) {
  const { about, tone, title, page, detail } = need;
  return (
    <li>
      <span class="need-icon" data-tone={tone}>
        <Icon name={ICONS[about] ?? (`${about}s` as IconName)} />
      </span>
      <div class="what">
        <a href={to(page)}>{title}</a>
        <p class="small quiet">{detail}</p>
      </div>
      {need.remedy && can(about === "task" ? "leads:write" : `${about}s:write`) ? (
        <div class="actions">
          {[need.remedy].flat().map((remedy) => (
            <RemedyButton key={remedy.name} remedy={remedy} reload={reload} />
          ))}
        </div>
      ) : (
        <a class="button compact" href={to(page)}>
          {need.look ?? "View"}
        </a>
      )}
    </li>
  );
}

function RemedyButton(props: { remedy: Remedy; reload: () => void }) {
  const { name, question, done, run, Form } = props.remedy;
  const isAsked = useSignal(false);
  const isBusy = useSignal(false);
  const act = () => {
    isBusy.value = true;
    run()
      .then(() => toast(done), toastError)
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
      {isAsked.value && Form && (
        <Form
          onClose={() => {
            isAsked.value = false;
          }}
          onDone={props.reload}
        />
      )}
      {isAsked.value && !Form && question !== null && (
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
