/** Canned replies of the team: made, edited and deleted. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { filter, setFilters } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import {
  Form,
  FormActions,
  FormFault,
  type Submission,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { toast, told } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { WordsField } from "../campaigns/step/words-field.tsx";

const load = () => api().listCannedReplies({ limit: 100 });
type Reply = Awaited<ReturnType<typeof load>>["data"][number];

interface Words {
  name: string;
  body: string;
}
const LABELS = { name: "Name", body: "Reply" } as const;
const BLANK: Words = { name: "", body: "" };
const NEW = "new";

export function RepliesPage() {
  const replies = useData(load);
  const edited = filter("edit");
  const mayWrite = can("inbox:write");
  const close = () => {
    setFilters({ edit: "" });
    replies.reload();
  };
  const create = mayWrite && (
    <Button look="primary" onClick={() => setFilters({ edit: NEW })}>
      New canned reply
    </Button>
  );
  return (
    <Page
      title="Canned replies"
      about="What your team writes again and again, ready to insert in the inbox"
      actions={create}
    >
      <Loaded data={replies}>
        {({ data }) => {
          const open = data.find(({ id }) => id === edited);
          return (
            <div class="stack">
              {edited === NEW && mayWrite && <NewReply onClose={close} />}
              {open && <EditReply key={open.id} reply={open} onClose={close} />}
              <Card flush>
                {data.length === 0 ? (
                  <Empty
                    icon="inbox"
                    title="No canned replies yet"
                    action={create}
                    curl={curl("POST", "/canned-replies", {
                      name: "Pricing",
                      body: "Hi {{ first_name }}, …",
                    })}
                  >
                    Write a reply once, with merge fields, and insert it in any conversation.
                  </Empty>
                ) : (
                  <Replies rows={data} reload={replies.reload} />
                )}
              </Card>
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Replies({ rows, reload }: { rows: readonly Reply[]; reload: () => void }) {
  return (
    <Table
      label="Canned replies"
      rows={rows}
      columns={[
        { title: "Name", cell: ({ name }) => <strong class="plain-strong">{name}</strong> },
        { title: "Reply", cell: ({ body }) => <bdi class="one-line">{body.slice(0, 120)}</bdi> },
        { title: "Changed", cell: ({ updated_at }) => <When at={updated_at} /> },
        {
          title: "Actions",
          cell: ({ id, name }) =>
            can("inbox:write") && (
              <div class="row-actions">
                <Button look="plain compact" onClick={() => setFilters({ edit: id })}>
                  Edit<span class="unseen"> {name}</span>
                </Button>
                <Act
                  label={
                    <>
                      Delete<span class="unseen"> {name}</span>
                    </>
                  }
                  look="plain compact danger"
                  run={() => told(api().deleteCannedReply({ id }), `${name} deleted`).then(reload)}
                  asks={{ title: `Delete ${name}?`, action: "Delete canned reply" }}
                >
                  Your team can no longer insert it. Replies that were sent stay as they are.
                </Act>
              </div>
            ),
        },
      ]}
    />
  );
}

function NewReply({ onClose }: { onClose: () => void }) {
  const submission = useSubmission();
  const words = useSignal(BLANK);
  const isEmpty = words.value.name.trim() === "" || words.value.body.trim() === "";
  const save = async () => {
    const { name } = await api().createCannedReply({ body: words.value });
    words.value = BLANK;
    toast(`${name} created`);
    onClose();
  };
  return (
    <Card title="New canned reply">
      <Form look="stack" onSend={() => submission.submit(save)}>
        <Fields
          of={submission}
          words={words.value}
          set={(change) => (words.value = { ...words.value, ...change })}
        />
        <FormFault of={submission} fields={["name", "body"]} />
        <FormActions
          of={submission}
          action={submission.isBusy ? "Creating…" : "Create canned reply"}
          isOff={isEmpty}
          onClose={onClose}
        />
      </Form>
    </Card>
  );
}

function EditReply({ reply, onClose }: { reply: Reply; onClose: () => void }) {
  const { id } = reply;
  const of = useDraft({
    target: `canned_reply:${id}`,
    read: () => api().getCannedReply({ id }),
    stored: reply as Words,
    fieldsOf: ({ name, body }) => ({ name, body }),
    changeOf: (changed) => changed,
    write: (body, options) => api().patchCannedReply({ id, body }, options),
    isAuto: false,
    onSaved: onClose,
  });
  return (
    <Card title={reply.name}>
      <DraftForm
        of={of}
        told={(words, name) => [LABELS[name], words[name]]}
        action="Save canned reply"
        isReadOnly={!can("inbox:write")}
        onClose={onClose}
      >
        <Fields of={of.form} words={of.fields} set={of.set} />
      </DraftForm>
    </Card>
  );
}

function Fields(props: { of: Submission; words: Words; set: (change: Partial<Words>) => void }) {
  const { of, words, set } = props;
  return (
    <>
      <TextField
        label={LABELS.name}
        name="name"
        of={of}
        maxLength={100}
        value={words.name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <WordsField
        campaignId={undefined}
        label={LABELS.body}
        name="body"
        of={of}
        text={words.body}
        format={undefined}
        also=""
        missing={[]}
        placeholder="Hi {{first_name}},"
        onText={(body) => set({ body })}
      />
    </>
  );
}
