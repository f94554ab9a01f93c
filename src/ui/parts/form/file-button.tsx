/** A button that asks for a file, or for several. The same one can be chosen again. */

export function FileButton(props: {
  label: string;
  isBusy: boolean;
  isMany?: boolean;
  /** Of the button. */
  look?: string;
  onFile: (file: File) => void;
}) {
  const { label, isBusy, isMany = false, look = "", onFile } = props;
  return (
    <label class={`button file-button ${look}`} aria-disabled={isBusy}>
      {label}
      <input
        class="unseen"
        type="file"
        multiple={isMany}
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          for (const file of currentTarget.files ?? []) {
            onFile(file);
          }
          currentTarget.value = "";
        }}
      />
    </label>
  );
}
