/** Files that an executable has inside beside the program: those of a folder that `.ci/embedded.ts` fills. */

const FOLDER = "embedded/";

/** Undefined where the program runs from its sources. */
export function embeddedFile(name: string): Blob | undefined {
  return Bun.embeddedFiles.find((file) => "name" in file && file.name === FOLDER + name);
}

/** A file that the executable has by gzip; the program that runs from its sources reads it at `source`. */
export interface PackedFile {
  name: string;
  source: URL;
}

/** The file by gzip. */
export async function readPacked({ name, source }: PackedFile): Promise<Uint8Array<ArrayBuffer>> {
  const file = embeddedFile(name);
  return file === undefined ? Bun.gzipSync(await Bun.file(source).bytes()) : await file.bytes();
}
