/**
 * A form on the team's own record. Two people may have it open: who saves second is told what the first
 * has changed, and chooses.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ApiError, api, ask, askTagged } from "../../lib/api.ts";
import { type Data, useData } from "../../lib/data.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Form, FormFault, type Submission, Submit, useSubmission } from "../../parts/form.tsx";
import { Card, Loaded, Notice } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";

export type Team = Awaited<ReturnType<typeof loadTeam>>["data"];
export type TeamChange = NonNullable<Parameters<ReturnType<typeof api>["team"]["patch"]>[0]>;

function loadTeam() {
  return askTagged(api().team.get());
}

export function TeamForm<Draft extends object>(props: {
  title: string;
  fields: readonly string[];
  draftOf: (team: Team) => Draft;
  changeOf: (draft: Draft) => TeamChange;
  children: (
    draft: Draft,
    set: (change: Partial<Draft>) => void,
    submission: Submission,
  ) => ComponentChildren;
}) {
  const team = useData(loadTeam);
  return (
    <Card title={props.title}>
      <Loaded data={team}>
        {({ data, etag }) => <Fields key={data.id} {...{ ...props, data, etag, team }} />}
      </Loaded>
    </Card>
  );
}

function Fields<Draft extends object>(
  props: Parameters<typeof TeamForm<Draft>>[0] & {
    data: Team;
    etag: string;
    team: Data<Awaited<ReturnType<typeof loadTeam>>>;
  },
) {
  const { data, draftOf, changeOf, fields, children } = props;
  const draft = useSignal<Draft>(draftOf(data));
  const etag = useSignal(props.etag);
  const newer = useSignal<Team | undefined>(undefined);
  const submission = useSubmission();
  const mayChange = can("team:write");
  const save = async () => {
    const headers = { "if-match": etag.value };
    try {
      const saved = await askTagged(api().team.patch(changeOf(draft.value), { headers }));
      etag.value = saved.etag;
      draft.value = draftOf(saved.data);
      newer.value = undefined;
      say("Saved");
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) {
        throw error;
      }
      const now = await askTagged(api().team.get());
      newer.value = now.data;
      etag.value = now.etag;
    }
  };
  return (
    <Form look="stack form-narrow" onSend={() => submission.submit(save)}>
      {newer.value && (
        <Newer
          of={newer.value}
          onTake={() => {
            if (newer.value) {
              draft.value = draftOf(newer.value);
              newer.value = undefined;
            }
          }}
        />
      )}
      <fieldset class="bare stack" disabled={!mayChange}>
        {children(
          draft.value,
          (change) => {
            draft.value = { ...draft.value, ...change };
          },
          submission,
        )}
      </fieldset>
      <FormFault of={submission} fields={fields} />
      {mayChange ? (
        <div class="actions">
          <Submit of={submission}>{newer.value ? "Save mine over it" : "Save"}</Submit>
        </div>
      ) : (
        <p class="quiet small">Your role may read this, not change it.</p>
      )}
    </Form>
  );
}

function Newer({ of, onTake }: { of: Team; onTake: () => void }) {
  const last = useData(() =>
    ask(api().audit.get({ query: { target: `team:${of.id}`, limit: 1 } })).catch(() => undefined),
  );
  const [entry] = last.value?.data ?? [];
  return (
    <Notice tone="warn">
      <p>
        Somebody has changed this <When at={of.updated_at} isWall />
        {entry?.after && `: ${Object.keys(entry.after).join(", ").replaceAll("_", " ")}`}. What you
        typed is still below.
      </p>
      <Button look="compact" onClick={onTake}>
        Take theirs
      </Button>
    </Notice>
  );
}
