/**
 * Files that an email carries: chosen by a button, dropped on the text, or pasted into it. Each shows how far it has
 * come; one whose connection was lost waits to be tried again, and one that is removed can be put back.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { errorOf } from "../../lib/data.ts";
import { can } from "../../lib/session.ts";
import { size } from "../../lib/size.ts";
import { known, learn, upload } from "../../lib/upload.ts";
import { Button } from "../button.tsx";
import { toast } from "../toasts.tsx";
import { FileButton } from "./file-button.tsx";
import type { Submission } from "./form.tsx";

/** A file that is on its way to the server, or could not get there. */
interface Arriving {
  nth: number;
  file: File;
  share: number;
  fault: string | undefined;
  stop: AbortController;
}

export interface Attachments {
  ids: readonly string[];
  /** Some are on their way, or wait to be tried again. */
  isArriving: boolean;
  arriving: readonly Arriving[];
  take: (file: File) => void;
  retry: (one: Arriving) => void;
  drop: (one: Arriving) => void;
  remove: (id: string) => void;
}

/** `change` is given the ids as they then are: a file may arrive after the page has gone on. */
export function useAttachments(
  ids: readonly string[],
  change: (to: (ids: readonly string[]) => readonly string[]) => void,
): Attachments {
  const arriving = useSignal<readonly Arriving[]>([]);
  const last = useRef(0);
  const write = useRef(change);
  write.current = change;
  useEffect(() => void learn(ids), [ids.join()]);
  const drop = ({ nth }: Arriving) => {
    arriving.value = arriving.peek().filter((one) => one.nth !== nth);
  };
  const put = (one: Arriving) => {
    const others = arriving.peek();
    arriving.value = others.some(({ nth }) => nth === one.nth)
      ? others.map((other) => (other.nth === one.nth ? one : other))
      : [...others, one];
  };
  const send = (file: File, nth: number) => {
    const stop = new AbortController();
    const start = { nth, file, share: 0, fault: undefined, stop };
    put(start);
    const onShare = (share: number) => put({ ...start, share });
    upload(file, onShare, stop.signal).then(
      ({ id }) => {
        drop(start);
        write.current((before) => [...before, id]);
      },
      (cause: unknown) => {
        if (!stop.signal.aborted) {
          put({ ...start, fault: errorOf(cause).message });
        }
      },
    );
  };
  return {
    ids,
    arriving: arriving.value,
    isArriving: arriving.value.length > 0,
    take: (file) => {
      last.current += 1;
      send(file, last.current);
    },
    retry: ({ file, nth }) => send(file, nth),
    drop: (one) => {
      one.stop.abort();
      drop(one);
    },
    remove: (id) => {
      const at = ids.indexOf(id);
      write.current((before) => before.filter((other) => other !== id));
      toast(`${known.peek().get(id)?.name ?? "The file"} removed`, {
        name: "Undo",
        run: () => write.current((before) => before.toSpliced(at, 0, id)),
      });
    },
  };
}

/** Files by their names. */
export function namesIn(ids: readonly string[]): string {
  return ids.map((id) => known.value.get(id)?.name ?? id).join(", ");
}

/** A text whose email carries files: what is dropped on it, or pasted into it, is one of them. */
export function Attaching(props: {
  of: Attachments;
  form: Submission;
  /** The email is on its way: what it carries stays as it is. */
  isLocked?: boolean;
  children: ComponentChildren;
}) {
  const { of, form, isLocked } = props;
  const isOver = useSignal(false);
  const mayWrite = can("files:write") && !isLocked;
  const takeAll = (event: Event, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])];
    if (files.length > 0) {
      event.preventDefault();
      for (const file of mayWrite ? files : []) {
        of.take(file);
      }
    }
  };
  const hasFiles = (event: DragEvent) =>
    mayWrite && event.dataTransfer?.types.includes("Files") === true;
  const fault = form.error !== undefined && form.faultOf("attachment_ids");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same by keyboard
    <div
      class={isOver.value ? "stack attaching over" : "stack attaching"}
      onDragOver={(event) => {
        if (hasFiles(event)) {
          event.preventDefault();
          isOver.value = true;
        }
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        isOver.value = false;
        takeAll(event, event.dataTransfer);
      }}
      onPaste={(event) => {
        // Office programs put a picture of what was copied beside its words, which are what is meant.
        if (!event.defaultPrevented && !event.clipboardData?.types.includes("text/plain")) {
          takeAll(event, event.clipboardData);
        }
      }}
    >
      {props.children}
      <Attached of={of} isLocked={isLocked} />
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {mayWrite && (
        <div>
          <FileButton
            label="Attach files"
            look="plain compact"
            isMany
            isBusy={false}
            onFile={of.take}
          />
        </div>
      )}
    </div>
  );
}

/** Files that are there, and those on their way. */
export function Attached(props: { of: Attachments; isLocked?: boolean | undefined }) {
  const { of, isLocked } = props;
  return of.ids.length + of.arriving.length === 0 ? null : (
    <ul class="attached" aria-label="Attachments">
      {of.ids.map((id) => {
        const { name = "A file that was deleted", bytes } = known.value.get(id) ?? {};
        return (
          <li key={id}>
            <bdi>{name}</bdi>
            {bytes !== undefined && <span class="small quiet">{size(bytes)}</span>}
            <Button
              look="plain compact"
              aria-label={`Remove ${name}`}
              disabled={isLocked}
              onClick={() => of.remove(id)}
            >
              Remove
            </Button>
          </li>
        );
      })}
      {of.arriving.map((one) => (
        <ArrivingRow key={one.nth} of={of} one={one} />
      ))}
    </ul>
  );
}

function ArrivingRow({ of, one }: { of: Attachments; one: Arriving }) {
  const { name, size: bytes } = one.file;
  return (
    <li>
      <bdi>{name}</bdi>
      <span class="small quiet">{size(bytes)}</span>
      {one.fault === undefined ? (
        <progress aria-label={`Uploading ${name}`} value={one.share} />
      ) : (
        <>
          <span class="fault" role="alert">
            {one.fault}
          </span>
          <Button look="compact" onClick={() => of.retry(one)}>
            Try again
          </Button>
        </>
      )}
      <Button look="plain compact" aria-label={`Remove ${name}`} onClick={() => of.drop(one)}>
        Remove
      </Button>
    </li>
  );
}
