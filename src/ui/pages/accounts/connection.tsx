/** Tries both servers of a mailbox, step by step. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { filter, setFilters } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Card } from "../../parts/page.tsx";
import { sentence } from "./words.ts";

const STEPS: Readonly<Record<string, string>> = {
  smtp_dns: "Find the SMTP server",
  smtp_connect: "Connect to the SMTP server",
  smtp_tls: "Encrypt the connection",
  smtp_login: "Log in to SMTP",
  send: "Send an email to itself",
  imap_dns: "Find the IMAP server",
  imap_connect: "Connect to the IMAP server",
  imap_tls: "Encrypt the connection",
  imap_login: "Log in to IMAP",
  read: "Find the email in the inbox",
  sent_folder: "Save a copy to Sent",
};

interface Step {
  step: string;
  ok: boolean | null;
  message: string;
  remedy: string | null;
  ms: number;
}

export function Connection({ id, reload }: { id: string; reload: () => void }) {
  const steps = useSignal<readonly Step[] | undefined>(undefined);
  const work = useSubmission();
  const test = (send: boolean) => () =>
    work.submit(async () => {
      const result = await api().testAccount({ id, body: { send } });
      steps.value = result.steps;
      reload();
    });
  useEffect(() => {
    // It has just been added: the first question is whether it works.
    if (filter("test") !== "") {
      setFilters({ test: "" });
      test(false)();
    }
  }, []);
  return (
    <Card
      title="Connection"
      note={
        <span class="actions">
          <Button look="compact" disabled={work.isBusy} onClick={test(false)}>
            Test without sending
          </Button>
          <Button look="compact" disabled={work.isBusy} onClick={test(true)}>
            {work.isBusy ? "Testing…" : "Test with an email"}
          </Button>
        </span>
      }
    >
      <FormFault of={work} fields={[]} />
      {steps.value === undefined ? (
        <p class="quiet small" role="status">
          {work.isBusy
            ? "Testing both servers. The test email may take a minute to arrive."
            : "Tests each step: finding, connecting to, and logging in to both servers, then an email from the mailbox to itself."}
        </p>
      ) : (
        <ol class="test-steps" aria-live="polite">
          {steps.value.map((step) => (
            <StepLine key={step.step} step={step} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function StepLine({ step }: { step: Step }) {
  const { ok, message, remedy, ms } = step;
  const mark = ok === null ? "–" : ok ? "✓" : "✗";
  const tone = ok === null ? "none" : ok ? "series-2" : "bad";
  return (
    <li>
      <b class="dot" data-tone={tone}>
        {mark}
      </b>
      <div>
        <strong>{STEPS[step.step] ?? step.step}</strong>
        <p class="quiet small">
          {sentence(message)} {remedy && sentence(remedy)}
        </p>
      </div>
      <span class="faint small number">{ok === null ? "" : `${ms} ms`}</span>
    </li>
  );
}
