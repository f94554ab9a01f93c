/** A choice among texts of the team, whose words go where the cursor is; it always stands at its first line. */

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
