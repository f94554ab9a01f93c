/** What a paragraph says, while it is read: white space as a browser shows it. */

import type { Inline, Mark } from "./document.ts";

const isSame = (a: readonly Mark[], b: readonly Mark[]) => JSON.stringify(a) === JSON.stringify(b);

export class InlineLine {
  readonly #content: Inline[] = [];
  /** Marks of a space that is shown if something follows it. */
  #space: readonly Mark[] | undefined;

  get isEmpty(): boolean {
    return this.#content.length === 0;
  }

  write(text: string, marks: readonly Mark[]): void {
    for (const part of text.split(/([ \t\n\r\f]+)/)) {
      if (/^[ \t\n\r\f]/.test(part)) {
        const before = this.#content.at(-1)?.type;
        this.#space ??= before === undefined || before === "hard_break" ? undefined : marks;
      } else if (part !== "") {
        this.#writeSpace();
        this.#add(part, marks);
      }
    }
  }

  put(inline: Inline, marks: readonly Mark[]): void {
    if (inline.type === "hard_break") {
      this.#space = undefined;
      this.#content.push(inline);
    } else {
      this.#writeSpace();
      this.#content.push(marks.length === 0 ? inline : { ...inline, marks: [...marks] });
    }
  }

  /** Null where there is nothing. A line break at the end ends the line that it is on. */
  end(): Inline[] | null {
    if (this.isEmpty) {
      return null;
    }
    const isBroken = this.#content.at(-1)?.type === "hard_break";
    return isBroken ? this.#content.slice(0, -1) : this.#content;
  }

  #writeSpace(): void {
    if (this.#space !== undefined) {
      this.#add(" ", this.#space);
      this.#space = undefined;
    }
  }

  #add(text: string, marks: readonly Mark[]): void {
    const last = this.#content.at(-1);
    if (last?.type === "text" && isSame(last.marks ?? [], marks)) {
      last.text += text;
    } else {
      this.#content.push({ type: "text", text, ...(marks.length > 0 && { marks: [...marks] }) });
    }
  }
}
