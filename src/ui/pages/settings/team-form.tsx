/** A form on the team's own record, which two people may have open. */

import type { ComponentChildren } from "preact";
import type { Team, TeamPatch } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { words } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import type { Submission } from "../../parts/form/form.tsx";
import { Card, Loaded } from "../../parts/page.tsx";

const loadTeam = () => api().getTeam();

interface TeamFormProps<Draft> {
  title: string;
  fields: readonly string[];
  draftOf: (team: Team) => Draft;
  changeOf: (draft: Draft) => TeamPatch;
  children: (
    draft: Draft,
    set: (change: Partial<Draft>) => void,
    submission: Submission,
  ) => ComponentChildren;
}

export function TeamForm<Draft extends object>(props: TeamFormProps<Draft>) {
  const team = useData(loadTeam);
  return (
    <Card title={props.title}>
      <Loaded data={team}>{(found) => <Fields key={found.id} {...props} team={found} />}</Loaded>
    </Card>
  );
}

function Fields<Draft extends object>(props: TeamFormProps<Draft> & { team: Team }) {
  const { team, draftOf, changeOf, fields, children } = props;
  const of = useDraft({
    target: `team:${team.id}`,
    read: loadTeam,
    stored: team,
    fieldsOf: draftOf,
    changeOf: (_, draft) => changeOf(draft),
    write: (body, options) => api().patchTeam({ body }, options),
    isAuto: false,
  });
  return (
    <DraftForm
      of={of}
      told={(draft, name) => [words(name), String(draft[name])]}
      action="Save"
      look="stack form-narrow"
      isReadOnly={!can("team:write")}
      fields={fields}
    >
      {children(of.fields, of.set, of.form)}
    </DraftForm>
  );
}
