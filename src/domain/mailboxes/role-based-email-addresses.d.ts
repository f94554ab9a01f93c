declare module "role-based-email-addresses" {
  const words: readonly string[];
  export default words;
}
