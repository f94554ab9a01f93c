/** Words that go where the cursor is, and a choice among texts of the team that always stands at its first line. */

/**
 * Writes into a field as if it were typed: in place of what is selected, and of `back` characters before it. What
 * is typed next comes after it, and undo takes it back.
 */
export function typeInto(area: HTMLTextAreaElement | null, words: string, back = 0): void {
  if (area !== null) {
    area.focus();
    area.setSelectionRange(area.selectionStart - back, area.selectionEnd);
    // Old, but the only way that undo knows of; every browser has it.
    document.execCommand("insertText", false, words);
  }
}

interface Named {
  id: string;
  name: string;
}

export function InsertPick<Row extends Named>(props: {
  /** What is inserted: "template". */
  what: string;
  rows: readonly Row[];
  onPick: (row: Row) => void;
}) {
  const { what, rows, onPick } = props;
  return (
    <label class="small">
      Insert{" "}
      <select
        class="input inline"
        value=""
        onChange={({ currentTarget }) => {
          const row = rows.find(({ id }) => id === currentTarget.value);
          currentTarget.value = "";
          if (row !== undefined) {
            onPick(row);
          }
        }}
      >
        <option value="">{what}…</option>
        {rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
