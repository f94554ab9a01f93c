/** Files of the team, which emails carry: what there is, what needs it, and how much room is left. */

import { useSignal } from "@preact/signals";
import { FILES_BYTES_MAX, FILES_MAX } from "#domain/campaigns/file.ts";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { count, NONE, percent } from "../../lib/format.ts";
import { env, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { size } from "../../lib/size.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Attached, useAttachments } from "../../parts/form/attachments.tsx";
import { FileButton } from "../../parts/form/file-button.tsx";
import { LongTable } from "../../parts/long-table.tsx";
import { Card, Empty, Page } from "../../parts/page.tsx";
import { toast, told } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";

const load = (offset: number) => api().listFiles({ include: "uses", limit: 100, offset });
type Loaded = Awaited<ReturnType<typeof load>>;
type File = Loaded["data"][number];

const CURL = `${curl("POST", "/files?name=offer.txt")} \\
  -H "Content-Type: application/octet-stream" -d 'Our offer'`;

export function FilesPage() {
  const turn = useSignal(0);
  const last = useSignal<Loaded | undefined>(undefined);
  const reload = () => {
    turn.value += 1;
  };
  const arriving = useAttachments([], () => {
    reload();
    toast("File uploaded");
  });
  const upload = can("files:write") && (
    <FileButton label="Upload files" look="primary" isMany isBusy={false} onFile={arriving.take} />
  );
  const isEmpty = last.value?.total === 0;
  return (
    <Page
      title="Files"
      about="What your team’s emails carry: attachments, and images in the text"
      actions={!isEmpty && upload}
    >
      <Attached of={arriving} />
      <Card flush title="All files" note={last.value && <Used of={last.value} />}>
        {isEmpty && (
          <Empty icon="inbox" title="No files yet" action={upload} curl={CURL}>
            Upload what your team sends again and again. You can also attach files where you write.
          </Empty>
        )}
        <div hidden={isEmpty}>
          <Files
            load={async (offset) => {
              turn.value;
              last.value = await load(offset);
              return last.value;
            }}
            reload={reload}
          />
        </div>
      </Card>
    </Page>
  );
}

function Used({ of: { total, bytes } }: { of: Loaded }) {
  return (
    <>
      {count(total)} of {count(FILES_MAX)} files, {percent(bytes / FILES_BYTES_MAX)} of the space
    </>
  );
}

function Files(props: { load: (offset: number) => Promise<Loaded>; reload: () => void }) {
  const { load, reload } = props;
  return (
    <LongTable
      label="Files"
      load={load}
      columns={[
        {
          title: "Name",
          cell: ({ id, name }) => (
            <a
              dir="auto"
              title={`Download ${name}`}
              download={name}
              href={`/${env.value}/api/v1/files/${id}/download`}
            >
              {name}
            </a>
          ),
        },
        { title: "Used by", cell: ({ uses = [] }) => <Uses of={uses} /> },
        {
          title: "Type",
          isMinor: true,
          cell: ({ name, media_type }) => (
            <span title={media_type}>{/\.(\w{1,8})$/.exec(name)?.[1]?.toUpperCase() ?? NONE}</span>
          ),
        },
        { title: "Size", isMinor: true, isFigure: true, cell: ({ bytes }) => size(bytes) },
        {
          title: "Uploaded",
          isMinor: true,
          isFigure: true,
          cell: ({ created_at }) => <When at={created_at} />,
        },
        {
          title: "Actions",
          isFigure: true,
          cell: (file) => can("files:write") && <Delete file={file} reload={reload} />,
        },
      ]}
    />
  );
}

function Delete({ file: { id, name, uses }, reload }: { file: File; reload: () => void }) {
  const label = (
    <>
      Delete<span class="unseen"> {name}</span>
    </>
  );
  const look = "plain compact danger";
  return uses?.length ? (
    <Button look={look} disabled title="In use: remove it there first">
      {label}
    </Button>
  ) : (
    <Act
      label={label}
      look={look}
      run={() => told(api().deleteFile({ id }), `${name} deleted`).then(reload)}
      asks={{ title: `Delete ${name}?`, action: "Delete file" }}
    >
      Your team can no longer attach it. Emails that were sent with it still name it, but it can’t
      be downloaded from them anymore.
    </Act>
  );
}

/** The first of them; the others come up when it is gone. */
function Uses({ of: [first, ...others] }: { of: NonNullable<File["uses"]> }) {
  if (first === undefined) {
    return NONE;
  }
  const { type, id, name, step_position } = first;
  const isStep = type !== "signature";
  return (
    <a dir="auto" href={to(isStep ? `campaigns/${id}/sequence` : `accounts/${id}`)}>
      {name}, {isStep ? `step ${step_position}` : "signature"}
      {others.length > 0 && ` and ${others.length} more`}
    </a>
  );
}
