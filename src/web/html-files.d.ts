/** In the executable: the page and everything that was bundled for it. From source: nothing. */
declare module "*.html" {
  const page: {
    index?: string;
    files?: { path: string; loader: string; headers: { "content-type": string } }[];
  };
  export default page;
}
