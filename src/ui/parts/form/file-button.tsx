/** A button that asks for a file. The same one can be chosen again. */

export function FileButton(props: {
  label: string;
  isBusy: boolean;
  onFile: (file: File) => void;
}) {
  const { label, isBusy, onFile } = props;
  return (
    <label class="button file-button" aria-disabled={isBusy}>
      {label}
      <input
        class="unseen"
        type="file"
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) {
            onFile(file);
          }
          currentTarget.value = "";
        }}
      />
    </label>
  );
}
