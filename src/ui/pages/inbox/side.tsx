/** Whose conversation it is, what it is taken for, and what can be said of it. */

import { useSignal } from "@preact/signals";
import type { Interest } from "#domain/campaigns/enrollment.ts";
import type { SettableKind } from "#domain/inbox/conversation.ts";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { INTEREST_LABELS, KINDS } from "../../lib/mail-words.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import {
  bound,
  Form,
  FormFault,
  Submit,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Pill } from "../../parts/page.tsx";
import { Tags } from "../../parts/tags.tsx";
import { toast } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { LEAD_STATUSES, stopWords } from "../campaigns/words.ts";
import { change, changed } from "./changes.ts";
import type { Conversation } from "./data.ts";
import { Assignee, Snooze } from "./handling.tsx";

export function Side({ thread, reload }: { thread: Conversation; reload: () => void }) {
  const { lead, enrollment } = thread;
  const name = [lead?.first_name, lead?.last_name].filter(Boolean).join(" ");
  return (
    <aside class="inbox-side stack" aria-label="About this conversation">
      {can("inbox:write") && <Labels thread={thread} />}
      <section>
        <h3>Tags</h3>
        <Tags kind="inbox" id={thread.id} onChange={() => (changed.value += 1)} />
      </section>
      {lead === null ? (
        <Untracked thread={thread} reload={reload} />
      ) : (
        <section>
          <h3>Lead</h3>
          <p>
            <a href={to(`leads/${lead.id}`)}>{name || lead.email}</a>
          </p>
          <p class="small quiet">
            {[name && lead.email, lead.company].filter(Boolean).join(" · ")}
          </p>
        </section>
      )}
      {enrollment && (
        <section>
          <h3>Campaign</h3>
          <p>
            <a href={to(`campaigns/${thread.campaign_id ?? ""}`)}>{enrollment.campaign_name}</a>
          </p>
          <p>
            <Pill tone={LEAD_STATUSES[enrollment.status].tone}>
              {LEAD_STATUSES[enrollment.status].name}
            </Pill>
          </p>
          <p class="small quiet">
            {plural(enrollment.current_step, "step")} completed
            {enrollment.stop_reason && `. ${stopWords(enrollment)}`}
            {enrollment.next_attempt_at && (
              <>
                , next <When at={enrollment.next_attempt_at} />
              </>
            )}
          </p>
        </section>
      )}
    </aside>
  );
}

function Labels({ thread }: { thread: Conversation }) {
  const classify = (interest: Interest | null) => {
    const said = interest === null ? "no interest" : INTEREST_LABELS[interest].name;
    void change(thread, { interest, read: true }, `Marked ${said.toLowerCase()}`);
  };
  return (
    <section class="stack">
      <label class="field">
        <span class="label">Type</span>
        <select
          class="input"
          value={thread.kind}
          onChange={({ currentTarget }) => {
            const kind = currentTarget.value as SettableKind;
            void change(thread, { kind }, `Marked as ${KINDS[kind].name.toLowerCase()}`);
          }}
        >
          {Object.entries(KINDS).map(([kind, word]) => (
            <option key={kind} value={kind}>
              {word.name}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="judgement">
        <legend class="label">Interest</legend>
        {Object.entries(INTEREST_LABELS).map(([interest, word]) => (
          <button
            key={interest}
            type="button"
            class="button compact"
            aria-pressed={thread.interest === interest}
            onClick={() => classify(thread.interest === interest ? null : (interest as Interest))}
          >
            {word.name}
          </button>
        ))}
      </fieldset>
      <Assignee of={thread.assignee_id} then={(patch, done) => void change(thread, patch, done)} />
      <Snooze
        until={thread.snoozed_until}
        then={(patch, done) => void change(thread, patch, done)}
      />
      <div class="actions">
        <Button
          look="compact"
          onClick={() => {
            const done = !thread.done;
            void change(thread, { done, read: true }, done ? "Marked done" : "Back in the inbox");
          }}
        >
          {thread.done ? "Move to inbox" : "Mark done"}
        </Button>
      </div>
    </section>
  );
}

/** Belongs to no lead: a person may know better. */
function Untracked({ thread, reload }: { thread: Conversation; reload: () => void }) {
  const email = useSignal(thread.from_address);
  const submission = useSubmission();
  const attach = async () => {
    const { data } = await api().listLeads({ email: email.value, limit: 1 });
    const lead = data[0];
    if (lead === undefined) {
      throw new Error(
        `No lead has the address ${email.value}. Check it, or import the lead first.`,
      );
    }
    const campaigns = await api().listLeadCampaigns({ id: lead.id });
    const latest = campaigns.data[0];
    if (latest === undefined) {
      throw new Error(`${email.value} isn’t in any campaign. Add them to one first.`);
    }
    await api().attachInboxThread({ id: thread.id, body: { enrollment_id: latest.id } });
    toast(`Matched to ${lead.email} in ${latest.campaign_name}`);
    changed.value += 1;
    reload();
  };
  return (
    <Form of={submission} onSend={() => submission.submit(attach)}>
      <h3>Not matched to a lead</h3>
      <p class="small quiet">Outrider couldn’t find the email this replies to.</p>
      {can("inbox:write") && (
        <>
          <TextField
            label="Lead’s email"
            name="email"
            of={submission}
            type="email"
            {...bound(email)}
          />
          <FormFault of={submission} fields={["email"]} />
          <div class="actions">
            <Submit of={submission} look="compact">
              Match to lead
            </Submit>
          </div>
        </>
      )}
    </Form>
  );
}
