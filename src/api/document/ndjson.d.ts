declare module "*.ndjson" {
  /** Where the file is. */
  const path: string;
  export default path;
}
