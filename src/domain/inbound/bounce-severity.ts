/** How bad a refusal is, from its words and its codes. */

import { BOUNCE_PHRASES, STATUS_SEVERITY } from "./bounce-phrases.ts";
import { fold } from "./fold.ts";
import type { Severity } from "./severity.ts";

export interface Refusal {
  /** The server's own words: Diagnostic-Code, or the line of a text that holds its reply. */
  diagnostic: string;
  /** Enhanced status code, for example `5.1.1`; null where none was given. */
  status: string | null;
  /** What the reporting server wrote for people. */
  text: string;
}

export interface Grade {
  severity: Severity;
  /** A row of the phrase table, `status`, `code` or `unknown`. */
  reason: string;
}

/**
 * The order matters, for a status alone lies: precise words of the server, then the status, then what
 * the report says around it, then the basic reply code. What nobody explains is soft: it takes three in
 * a row to suppress.
 */
export function gradeRefusal({ diagnostic, status, text }: Refusal): Grade {
  const isTemporary = status?.startsWith("4.") ?? false;
  const grade =
    byWords(diagnostic) ?? byStatus(status) ?? byWords(text) ?? byCode(`${diagnostic} ${text}`);
  if (grade === null) {
    return { severity: "soft", reason: "unknown" };
  }
  return isTemporary && grade.severity === "hard" ? { ...grade, severity: "soft" } : grade;
}

/** A sentence that names the sender's fault inside a report about an unknown user is rare; order wins. */
function byWords(words: string): Grade | null {
  const folded = fold(words).replace(NAMES, "@");
  const row =
    folded === "" ? undefined : BOUNCE_PHRASES.find(({ pattern }) => pattern.test(folded));
  return row === undefined ? null : { severity: row.severity, reason: row.reason };
}

/** Addresses and links, whose own words are nobody's verdict. */
const NAMES = /[^\s<>:;,"'@]{1,64}@[^\s<>:;,"'@]{1,253}|https?:\/\/[^\s<>"]{1,500}/g;

function byStatus(status: string | null): Grade | null {
  if (status === null) {
    return null;
  }
  const severity = STATUS_SEVERITY[status.slice(2)];
  if (severity !== undefined) {
    return { severity, reason: "status" };
  }
  if (status.startsWith("4.")) {
    return { severity: "soft", reason: "status" };
  }
  return status.startsWith("5.7.") ? { severity: "block", reason: "status" } : null;
}

function byCode(words: string): Grade | null {
  const code = /(?<![\d.])([45]\d\d)(?=[ -])/.exec(words)?.[1];
  if (code === undefined) {
    return null;
  }
  const isHard = code === "550" || code === "551" || code === "553";
  return { severity: isHard ? "hard" : "soft", reason: "code" };
}

/** The first enhanced status code in `words`; an IP address is none. */
export function findStatus(words: string): string | null {
  return /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(words)?.[1] ?? null;
}
