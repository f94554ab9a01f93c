/**
 * A stored record under edit. Changes are saved over the version that they began from: a change of fields
 * that nobody else has touched goes through; where two have changed the same field, both values are shown
 * and nothing is written over.
 */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { etagOf, OutriderError } from "#client.ts";
import { lastToChange } from "../../lib/actors.ts";
import { isPassing } from "../../lib/data.ts";
import { useUnsaved } from "../../lib/unsaved.ts";
import { toast } from "../toasts.tsx";
import { type Submission, useSubmission } from "./form.tsx";

/** A record's fields as its form holds them, and the version that they are of. */
interface Version<Fields> {
  fields: Fields;
  etag: string;
}

/** What a draft is of. */
export interface Source<Fields, Stored, Change> {
  /** As the audit log names it: `step:0198…`. */
  target: string;
  read: () => Promise<Stored>;
  write: (change: Change, options: { ifMatch: string }) => Promise<Stored>;
  /** The record as far as it is known before it has been read. */
  stored: Stored;
  fieldsOf: (stored: Stored) => Fields;
  /** What is sent; `changed` has the fields that differ from `before`. */
  changeOf: (changed: Partial<Fields>, fields: Fields, before: Fields) => Change;
  onSaved?: () => void;
  /** Saved by itself soon after typing; else only when asked to. */
  isAuto: boolean;
  /** Name under which the tab keeps what is typed, so that a reload loses nothing. Absent: it is not kept. */
  keptAs?: string;
  /** What the tab keeps of its secrets: nothing that was typed. */
  hidden?: Partial<Fields>;
}

/** A version that changes the same fields as the draft. */
interface Conflict<Fields> {
  theirs: Version<Fields>;
  names: readonly (keyof Fields & string)[];
  who: string;
}

export interface Draft<Fields> {
  form: Submission;
  fields: Fields;
  /** The stored fields. */
  before: Fields;
  isSaved: boolean;
  isAuto: boolean;
  conflict: Conflict<Fields> | undefined;
  set: (change: Partial<Fields>) => void;
  undo: () => void;
  save: () => Promise<void>;
  /** Returns a conflict. */
  choose: (whose: "theirs" | "mine") => void;
}

/** From the last key until a draft is saved by itself. */
const PAUSE_MS = 700;
/** Until a server that did not answer, or was too busy, is tried again. */
const RETRY_MS = 3000;
/** A save that meets another version is tried again over it as often as this. */
const TRIES_MAX = 3;

interface Base<Fields> {
  fields: Fields;
  /** Undefined until the record has been read. */
  etag?: string;
  /** As the server has it, which may have trimmed what was typed. */
  stored: Fields;
}

interface State<Fields> {
  base: Signal<Base<Fields>>;
  draft: Signal<Fields>;
  conflict: Signal<Conflict<Fields> | undefined>;
}

type Names<Fields> = (keyof Fields & string)[];

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Names of the fields that differ. */
function changedOf<Fields extends object>(before: Fields, fields: Fields): Names<Fields> {
  const names = Object.keys(fields) as Names<Fields>;
  return names.filter((name) => !isSame(fields[name], before[name]));
}

function only<Fields extends object>(fields: Fields, names: Names<Fields>): Partial<Fields> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<Fields>;
}

/** What is no number goes out as null, and the server refuses it by the field's name. */
export function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

const KEPT = "outrider-draft-";

/** Whether the tab keeps words of a record whose name begins with `name`. */
export function isKept(name: string): boolean {
  return Object.keys(sessionStorage).some((key) => key.startsWith(KEPT + name));
}

/** Keeps what is typed in the tab, by a name; forgets it where there is nothing. */
export function keepAs(name: string, value: object | null): void {
  if (value === null) {
    sessionStorage.removeItem(KEPT + name);
    return;
  }
  try {
    sessionStorage.setItem(KEPT + name, JSON.stringify(value));
  } catch {
    // The browser gives a tab little room. It stays in memory, and whoever leaves is asked.
  }
}

/** What {@link keepAs} has kept. */
export function keptAs<Value>(name: string): Value | null {
  return JSON.parse(sessionStorage.getItem(KEPT + name) ?? "null") as Value | null;
}

function keep<Fields extends object>(
  { keptAs: name, hidden }: Pick<Source<Fields, never, never>, "keptAs" | "hidden">,
  state: State<Fields>,
): void {
  if (name) {
    const base = state.base.peek();
    const draft = { ...state.draft.peek(), ...hidden };
    keepAs(name, changedOf(base.fields, draft).length > 0 ? { base, draft } : null);
  }
}

function useKept<Fields extends object>(name: string | undefined, known: Fields): State<Fields> {
  const found = useRef<{ base: Base<Fields>; draft: Fields }>(undefined);
  if (found.current === undefined) {
    const kept = name ? keptAs<typeof found.current>(name) : null;
    found.current = kept ?? { base: { fields: known, stored: known }, draft: known };
  }
  return {
    base: useSignal(found.current.base),
    draft: useSignal(found.current.draft),
    conflict: useSignal<Conflict<Fields> | undefined>(undefined),
  };
}

/** Takes another version as the one to start from; what was typed in the fields `mine` stays over it. */
function rebase<Fields extends object>(
  { base, draft }: State<Fields>,
  { fields, etag }: Version<Fields>,
  mine: Names<Fields>,
): void {
  draft.value = { ...fields, ...only(draft.peek(), mine) };
  base.value = { fields, etag, stored: fields };
}

/** Fields that the draft and another version both changed, to different values. */
function changedByBoth<Fields extends object>(
  { base, draft }: State<Fields>,
  { fields: theirs }: Version<Fields>,
): Names<Fields> {
  const [{ fields: was }, mine] = [base.peek(), draft.peek()];
  return changedOf(was, mine).filter(
    (name) => !isSame(theirs[name], was[name]) && !isSame(theirs[name], mine[name]),
  );
}

/** A record's calls in terms of its form. */
interface Store<Fields> {
  read: () => Promise<Version<Fields>>;
  /** Undefined where there is another version by now. */
  write: (fields: Fields, base: Base<Fields>) => Promise<Version<Fields> | undefined>;
}

function storeOf<Fields extends object, Stored extends object, Change>(
  source: Source<Fields, Stored, Change>,
): Store<Fields> {
  const { fieldsOf, changeOf } = source;
  const versionOf = (stored: Stored) => ({
    fields: fieldsOf(stored),
    etag: etagOf(stored) ?? "",
  });
  return {
    read: async () => versionOf(await source.read()),
    write: async (fields, { fields: before, etag }) => {
      if (etag === undefined) {
        return undefined;
      }
      const change = changeOf(only(fields, changedOf(before, fields)), fields, before);
      try {
        return versionOf(await source.write(change, { ifMatch: etag }));
      } catch (cause) {
        if (cause instanceof OutriderError && cause.status === 412) {
          return undefined;
        }
        throw cause;
      }
    },
  };
}

/** Saves what differs. Returns a version that changes the same. */
async function push<Fields extends object>(
  { read, write }: Store<Fields>,
  state: State<Fields>,
  isAuto: boolean,
): Promise<Version<Fields> | undefined> {
  const { base, draft } = state;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const { fields: was } = base.peek();
    const sent = draft.peek();
    const names = changedOf(was, sent);
    if (names.length === 0) {
      return undefined;
    }
    const saved = await write(sent, base.peek());
    if (saved !== undefined) {
      const { fields: stored } = saved;
      // Nothing changes under a hand that types, though a word may be stored otherwise.
      const fields = isAuto ? { ...stored, ...only(sent, names) } : stored;
      rebase(state, { ...saved, fields }, changedOf(sent, draft.peek()));
      base.value = { ...base.peek(), stored };
      return undefined;
    }
    const theirs = await read();
    if (changedByBoth(state, theirs).length > 0) {
      return theirs;
    }
    rebase(state, theirs, changedOf(was, draft.peek()));
  }
  throw new Error("Couldn’t save: someone else is editing this right now. Try again in a moment.");
}

/**
 * Follows the record: reads it when it is opened, and when others have changed it. What they changed and
 * nobody types in is taken over; an open conflict is about their newest version.
 */
function useNewest<Fields extends object>(
  state: State<Fields>,
  known: Fields,
  { read, onTaken }: { read: () => Promise<Version<Fields>>; onTaken: () => void },
): void {
  useEffect(() => {
    const { base, draft, conflict } = state;
    const from = base.peek();
    if (from.etag !== undefined && isSame(from.stored, known)) {
      return;
    }
    read().then(
      (theirs) => {
        const names = changedByBoth(state, theirs);
        const open = conflict.peek();
        if (base.peek() !== from) {
          // Saved meanwhile: what was read may be the version before.
        } else if (names.length === 0) {
          rebase(state, theirs, changedOf(from.fields, draft.peek()));
          conflict.value = undefined;
          onTaken();
        } else if (open !== undefined) {
          conflict.value = { ...open, theirs, names };
        }
      },
      () => undefined,
    );
  }, [JSON.stringify(known)]);
}

export function useDraft<Fields extends object, Stored extends object, Change>(
  source: Source<Fields, Stored, Change>,
): Draft<Fields> {
  const { keptAs, isAuto, target, onSaved } = source;
  const known = source.fieldsOf(source.stored);
  const state = useKept(keptAs, known);
  const { base, draft, conflict } = state;
  const store = storeOf(source);
  const form = useSubmission();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isShown = useRef(true);
  const isUnsaved = () => changedOf(base.peek().fields, draft.peek()).length > 0;

  const saveIn = (ms: number) => {
    clearTimeout(timer.current);
    if (isAuto && isShown.current && isUnsaved()) {
      timer.current = setTimeout(save, ms);
    }
  };
  const saveSoon = () => saveIn(PAUSE_MS);
  const send = async () => {
    do {
      const found = await push(store, state, isAuto);
      if (found !== undefined) {
        const who = await lastToChange(target);
        conflict.value = { theirs: found, names: changedByBoth(state, found), who };
      }
      keep(source, state);
      onSaved?.();
      if (!isAuto && !isUnsaved()) {
        toast("Saved");
      }
    } while (isAuto && conflict.peek() === undefined && isUnsaved());
  };
  const save = () => {
    clearTimeout(timer.current);
    if (conflict.peek() === undefined && isUnsaved()) {
      form.submit(() =>
        send().catch((cause: unknown) => {
          if (isPassing(cause)) {
            saveIn(RETRY_MS);
          }
          throw cause;
        }),
      );
    }
    return form.ended();
  };
  const change = (fields: Fields) => {
    draft.value = fields;
    keep(source, state);
    saveSoon();
  };
  const undo = () => {
    conflict.value = undefined;
    change(base.peek().fields);
  };

  useNewest(state, known, {
    read: store.read,
    onTaken: () => {
      keep(source, state);
      saveSoon();
    },
  });
  useEffect(() => {
    saveSoon();
    return () => {
      isShown.current = false;
      clearTimeout(timer.current);
    };
  }, []);
  useUnsaved({ isUnsaved, save, isAuto, drop: undo });

  return {
    form,
    fields: draft.value,
    before: base.value.fields,
    isSaved: changedOf(base.value.fields, draft.value).length === 0,
    isAuto,
    conflict: conflict.value,
    set: (fields) => change({ ...draft.peek(), ...fields }),
    undo,
    save,
    choose: (whose) => {
      choose(state, whose);
      keep(source, state);
      if (whose === "mine" || isAuto) {
        void save();
      }
    },
  };
}

/** Takes the version in the way as the one to start from, and what both have changed as it was answered. */
function choose<Fields extends object>(state: State<Fields>, whose: "theirs" | "mine"): void {
  const { base, draft, conflict } = state;
  const { theirs } = conflict.peek() ?? {};
  if (theirs !== undefined) {
    const both = whose === "mine" ? [] : changedByBoth(state, theirs);
    const mine = changedOf(base.peek().fields, draft.peek());
    rebase(
      state,
      theirs,
      mine.filter((name) => !both.includes(name)),
    );
    conflict.value = undefined;
  }
}
